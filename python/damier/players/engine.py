"""The engine as a player."""

from __future__ import annotations

import math
import re
from typing import Any

from damier import _core
from damier._core import DamierError, StopFlag
from damier.board import Board
from damier.engine import Engine, Limit, SearchResult
from damier.engine.arguments import within
from damier.engine.elo import elo_range
from damier.engine.levels import strength_for_level
from damier.players.base import Player

__all__ = ["EnginePlayer"]


SMALL_TABLES = {1_000: 0.25, 20_000: 1}  # nodes per move, and the MiB that they fill at most


class EnginePlayer(Player):
    """The engine, at full strength or weakened, with a limit per move (`Engine.default_limit` without one).

    >>> from damier import loa
    >>> EnginePlayer(depth=2).play(loa.Board()).move in loa.Board().legal_moves
    True
    """

    def __init__(
        self,
        *,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        set: str = "",
        **settings: Any,
    ) -> None:
        if "level" in settings:  # so that a wrong one is reported before the game begins
            strength_for_level(settings["level"])
        if "elo" in settings:
            within("elo", settings["elo"], *elo_range())
        self.limit = own_limit(time, depth, nodes)
        self.name = " ".join(["engine", *(f"{key} {settings[key]}" for key in ("level", "elo") if key in settings)])
        self._settings = settings | {"options": _search_options(set)}
        self._engine: Engine | None = None

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        engine = self._engine_for(board)
        engine.clear()
        if seed is not None:
            engine.seed(seed)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        engine = self._engine_for(board)
        return engine.play(board, self.limit or limit or engine.default_limit, stop=stop)

    def native(self, board: Board, limit: Limit | None = None) -> tuple[_core.Engine, Limit] | None:
        engine = self._engine_for(board)
        limit = self.limit or limit or engine.default_limit
        core = engine.native(limit)
        return None if core is None else (core, limit)

    def _engine_for(self, board: Board) -> Engine:
        """An engine of the game of the board."""
        if self._engine is None or self._engine.game != board.variant:
            nodes = self.limit.nodes if self.limit and self.limit.nodes else math.inf
            small = next(({"hash": size} for most, size in SMALL_TABLES.items() if nodes <= most), {})
            self._engine = Engine(board.variant, **small | self._settings)
        return self._engine

    def close(self) -> None:
        self._engine = None


def own_limit(time: float | None, depth: int | None, nodes: int | None) -> Limit | None:
    """The limit that a spec gives its player, if any."""
    if time is None and depth is None and nodes is None:
        return None
    return Limit(time=time, depth=depth, nodes=nodes)


def _search_options(text: str) -> dict[str, int]:
    """Switches and margins of the search, written as `null_move:0+lmr_base:60`."""
    options = {}
    for word in filter(None, text.split("+")):
        name, _, value = word.partition(":")
        if not re.fullmatch(r"[+-]?[0-9]{1,9}", value):
            raise DamierError(f"set has {word!r}, expected NAME:NUMBER such as null_move:0")
        options[name] = int(value)
    return options
