"""Other people's engines as players."""

from __future__ import annotations

from collections.abc import Mapping

from damier._core import StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.players.base import Player
from damier.players.engine import own_limit
from damier.protocols import HubEngine, RemoteEngine, UciEngine, XboardEngine, check_command

__all__ = ["PROTOCOLS", "RemotePlayer"]

PROTOCOLS: dict[str, type[RemoteEngine]] = {"uci": UciEngine, "hub": HubEngine, "xboard": XboardEngine}


class RemotePlayer(Player):
    """An engine in a process of its own, spoken to by a protocol. One that failed is started again for the next game.

    >>> RemotePlayer("uci", command="python -m damier uci", name="sparring partner").name
    'sparring partner'
    """

    def __init__(
        self,
        protocol: str,
        *,
        command: str,
        dir: str | None = None,
        name: str | None = None,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        options: Mapping[str, str] | None = None,
    ) -> None:
        check_command(command, dir)  # so that a wrong one is told before the game begins
        self.name = name or command
        self.limit = own_limit(time, depth, nodes)
        self._make = PROTOCOLS[protocol]
        self._command, self._dir, self._options = command, dir, dict(options or {})
        self._engine: RemoteEngine | None = None

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        self._engine_for(board, stop).new_game(board, stop=stop)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        engine = self._engine_for(board, stop)
        return engine.play(board, self.limit or limit or Limit(time=0.1), stop=stop)

    def _engine_for(self, board: Board, stop: StopFlag | None) -> RemoteEngine:
        """An engine that runs and plays the game of the board."""
        if self._engine is not None and self._engine.game != board.variant:
            self.close()
        if self._engine is None:
            self._engine = self._make(
                board.variant, self._command, options=self._options, directory=self._dir, stop=stop
            )
        elif self._engine.pid is None:
            self._engine.restart(stop=stop)
        return self._engine

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
