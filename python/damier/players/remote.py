"""Other people's engines as players."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from damier._core import StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.players.base import Player, check_name
from damier.players.engine import own_limit
from damier.protocols import HubEngine, RemoteEngine, UciEngine, XboardEngine, check_command
from damier.protocols.client import MOVE_PATIENCE, PATIENCE, check_seconds
from damier.protocols.lines import clean

__all__ = ["PROTOCOLS", "RemotePlayer", "close_ready_engines"]

PROTOCOLS: dict[str, type[RemoteEngine]] = {"uci": UciEngine, "hub": HubEngine, "xboard": XboardEngine}
MOST_READY = 8  # engines that wait for their player; they hold memory


class RemotePlayer(Player):
    """An engine in a process of its own. If it fails it is started again for the next game.

    It has the name it gives itself, unless one is given here. It has `patience` seconds to start and to get ready and
    `move_patience` for a move under a limit that sets no time. With `assume_variant` it need not announce that it plays
    the game.

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
        patience: float = PATIENCE,
        move_patience: float = MOVE_PATIENCE,
        assume_variant: bool = False,
    ) -> None:
        if name is not None:
            check_name(name)
        check_command(command, dir)  # so that a wrong one is reported before the game begins
        check_seconds(patience=patience, move_patience=move_patience)
        self.name = clean(name or command)
        self.limit = own_limit(time, depth, nodes)
        self.engine: RemoteEngine | None = None  # once it has started
        self._protocol = protocol
        self._settings: dict[str, Any] = {
            "command": command,
            "options": dict(options or {}),
            "directory": dir,
            "name": name,
            "patience": patience,
            "move_patience": move_patience,
            "assume_variant": assume_variant,
        }

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        self._engine_for(board, stop).new_game(board, stop=stop)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        engine = self._engine_for(board, stop)
        return engine.play(board, self.limit or limit or Limit(time=0.1), stop=stop)

    def _engine_for(self, board: Board, stop: StopFlag | None) -> RemoteEngine:
        """A running engine for the game of the board."""
        if self.engine is not None and self.engine.game != board.variant:
            self.close()
        if self.engine is None:
            self.engine = _take_ready(self._key(board.variant))
        if self.engine is None:
            self.engine = PROTOCOLS[self._protocol](board.variant, stop=stop, **self._settings)
        elif self.engine.pid is None:
            self.engine.restart(stop=stop)
        self.name = self.engine.name
        return self.engine

    def close(self) -> None:
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def release(self) -> None:
        """Leave the running engine to the next player with the same settings."""
        engine, self.engine = self.engine, None
        if engine is not None:
            _keep_ready(self._key(engine.game), engine)

    def _key(self, game: str) -> str:
        return repr((self._protocol, game, self._settings))


_ready: list[tuple[str, RemoteEngine]] = []
_ready_lock = threading.Lock()


def _keep_ready(key: str, engine: RemoteEngine) -> None:
    with _ready_lock:
        if engine.is_alive and len(_ready) < MOST_READY:
            _ready.append((key, engine))
            return
    engine.close()


def _take_ready(key: str) -> RemoteEngine | None:
    with _ready_lock:
        found = next((each for each in _ready if each[0] == key), None)
        if found is None:
            return None
        _ready.remove(found)
    engine = found[1]
    if engine.is_alive:
        return engine
    engine.close()
    return None


def close_ready_engines() -> None:
    """Close the engines that were released and that no player has taken over."""
    with _ready_lock:
        engines = [engine for _, engine in _ready]
        _ready.clear()
    for engine in engines:
        engine.close()
