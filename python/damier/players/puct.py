"""A policy and value network as a player."""

from __future__ import annotations

import random
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from damier._core import DamierError, StopFlag
from damier.batch import BoardBatch
from damier.board import Board
from damier.engine import Limit, Score, SearchResult
from damier.engine.arguments import check_range
from damier.players.base import Player, legal_moves
from damier.puct.network import PolicyValue, import_torch
from damier.puct.search import Search

__all__ = ["PuctPlayer"]

SIMULATIONS = 400
SCALE = 300.0  # hundredths of a man for a value of 1, as other evaluations that were learnt


class PuctPlayer(Player):
    """A tree search of `simulations` per move, guided by a network; `leaves` are evaluated together."""

    name = "puct"

    def __init__(
        self,
        path: str,
        *,
        simulations: int | None = None,
        leaves: int | None = None,
        device: str = "cpu",
        seed: int | None = None,
    ) -> None:
        for what, given, most in (("simulations", simulations, 10_000_000), ("leaves", leaves, 1024)):
            if given is not None:
                check_range(what, given, 1, most)
        self.path, self.simulations, self.leaves, self.device = path, simulations, leaves, device
        self._random = random.Random(seed)
        self._network = network_of(path, Path(path).stat().st_mtime_ns, device)

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        if seed is not None:
            self._random.seed(seed)
        self._check(board)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        legal_moves(board)
        self._check(board)
        began = time.monotonic()
        simulations = self.simulations or (limit and limit.nodes) or SIMULATIONS
        articles: dict[str, Any] = dict(board.articles)
        boards = BoardBatch(board.variant, 1, **articles)
        boards.put(0, board)
        search = Search(boards, self._network.evaluate, seed=self._random.getrandbits(32))
        search.run(simulations, leaves=self.leaves or max(1, min(8, simulations // 25)), stop=stop)
        move = boards.move(0, int(search.choose()[0]))
        value = float(search.values()[0])
        return SearchResult(
            move,
            Score(round(SCALE * value)),
            nodes=search.evaluations,
            seconds=time.monotonic() - began,
            pv=(move,),
            bound="exact",
        )

    def _check(self, board: Board) -> None:
        if board.variant != self._network.game:
            raise DamierError(f"{self.path}: was learnt for {self._network.game}, expected {board.variant}")


@lru_cache(maxsize=8)
def network_of(path: str, changed: int, device: str) -> PolicyValue:
    """A network that players share while its file does not change."""
    if device != "cuda":
        import_torch().set_num_threads(1)  # small networks are faster so, and games share the cores
    return PolicyValue.load(path, device=device)
