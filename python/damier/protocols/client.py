"""What all external engines share: a process, the time for a move, and what happens when it fails."""

from __future__ import annotations

import math
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeVar

from damier import games
from damier._core import DamierError, MoveError, Side, StopFlag
from damier.board import Board, Move
from damier.engine import FaultKind, Limit, PlayerError, SearchResult
from damier.protocols.lines import clean
from damier.protocols.process import Process, check_command

__all__ = ["OptionValue", "RemoteEngine", "check_seconds", "legal_move", "looks_like_move", "seconds_allowed"]

AnyBoard = TypeVar("AnyBoard", bound=Board)
OptionValue = str | int | float | bool | None
PATIENCE = 10.0  # seconds to start, and to get ready before a game
MOVE_PATIENCE = 60.0  # seconds for a move under a limit that sets no time
MARGIN = 1.0  # seconds a move may be late before the engine is asked to stop
STOP_TIMEOUT = 0.5  # seconds it then has to answer
LONGEST_NAME = 100  # letters, so that tables stay tables
POLL_INTERVAL = 0.1  # seconds between two checks of the stop flag
# Squares one after the other, numbers, or SAN.
MOVE = re.compile(
    r"([a-l]\d{1,2}){2,}[a-z]?|\d{1,2}([-x:]\d{1,2})+|[KQRBN]?[a-h1-8x]{2,6}(=?[QRBN])?[+#]?|O-O(-O)?|0000"
)


def looks_like_move(text: str) -> bool:
    """Whether a text looks like a move of some game, legal or not.

    >>> looks_like_move("e2e5"), looks_like_move("resign")
    (True, False)
    """
    return MOVE.fullmatch(text) is not None


def check_seconds(**settings: float) -> None:
    """Refuse a setting that is not a positive number of seconds.

    >>> check_seconds(patience=30)
    """
    for name, seconds in settings.items():
        if not 0 < seconds < math.inf:  # nor NaN
            raise DamierError(f"{name} is {seconds:g}, expected more than 0 seconds")


def seconds_allowed(limit: Limit, turn: Side) -> float | None:
    """The time the limit gives to the side to move, None if it gives none.

    >>> seconds_allowed(Limit(white_clock=60, black_clock=50, depth=9), Side.BLACK)
    50.0
    """
    known = [seconds for seconds in (limit.time, limit.clock_of(turn)) if seconds is not None]
    return max(0, min(known)) if known else None


def legal_move(board: AnyBoard, text: str, parse: Callable[[AnyBoard, str], Move]) -> Move:
    """The move that a text names; PlayerError says whether it is illegal or not a move at all.

    >>> from damier import chess
    >>> legal_move(chess.Board(), "e2e4", chess.Board.parse_uci)
    <Move e2e4>
    """
    try:
        return parse(board, text)
    except DamierError:
        kind: FaultKind = "illegal move" if looks_like_move(text) else "garbage"
        raise PlayerError(kind, f"{text[:40] or 'nothing'!r} in {board.fen()}") from None


class RemoteEngine(ABC):
    """An engine in a process of its own. After a PlayerError it is closed unless it resigned; `restart` brings it back.

    It has `patience` seconds to start and to get ready, and `move_patience` for a move under a limit that sets no time.
    Setting the flag `stop` cuts any of that short. With `assume_variant` it need not announce that it plays the game.
    """

    PROTOCOL = "UCI"
    QUIT = "quit"
    STOP = "stop"

    def __init__(
        self,
        game: str,
        command: str,
        *,
        options: Mapping[str, OptionValue] | None = None,
        directory: str | None = None,
        name: str | None = None,
        patience: float = PATIENCE,
        move_patience: float = MOVE_PATIENCE,
        assume_variant: bool = False,
        stop: StopFlag | None = None,
    ) -> None:
        self._process: Process | None = None
        self.game = games.info(game).name
        if not self._supports(self.game):
            raise PlayerError("refusal", f"{self.PROTOCOL} engines do not play {games.info(game).title}")
        self.command, self.directory = command, directory
        self.options = dict(options or {})
        check_seconds(patience=patience, move_patience=move_patience)
        self.patience, self.move_patience = patience, move_patience
        self.assume_variant = assume_variant
        self._given_name = name
        self.name = clean(name or Path(check_command(command, directory)[0]).name)
        self._lock = threading.Lock()  # guards the three that follow
        self._playing = self._searching = self._stop_wanted = False
        self._flag = StopFlag()
        self._remark = ""  # the last message in this search that was not an info
        self.restart(stop=stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What each protocol defines

    def _supports(self, game: str) -> bool:
        """Whether the protocol can play the game at all."""
        return True

    @abstractmethod
    def _handshake(self) -> None:
        """Greet the engine and set its options."""

    @abstractmethod
    def _send_new_game(self, board: Board) -> None:
        """Announce a new game."""

    @abstractmethod
    def _send_position(self, board: Board, limit: Limit) -> None:
        """Set up the position."""

    @abstractmethod
    def _wait_until_ready(self, timeout: float) -> None:
        """Wait until the engine has handled all it was sent, and skip whatever it wrote before."""

    @abstractmethod
    def _go_lines(self, board: Board, limit: Limit) -> list[str]:
        """The lines that start the search."""

    @abstractmethod
    def _read_line(self, board: Board, line: str, info: SearchResult) -> SearchResult:
        """What is known of the search after this line; it has a move once the search has ended."""

    # Start and end

    @property
    def pid(self) -> int | None:
        """The id of its process, None when it is closed."""
        return self._process.pid if self._process else None

    @property
    def is_alive(self) -> bool:
        """Whether its process is running."""
        return self._process is not None and self._process.is_alive

    def restart(self, *, stop: StopFlag | None = None) -> None:
        """Start the engine, after ending the process it may have."""
        self.close()
        self._flag = stop or StopFlag()
        self._process = Process(self.command, self.directory)
        with self._closing_on_error():
            self._handshake()

    def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        if self._process:
            self._process.close(None if self._searching else self.QUIT)
            self._process = None

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        """Any failure inside, the engine's fault or Ctrl-C, ends the process: what it would send next is unknown."""
        try:
            yield
        except BaseException as error:
            resigned = isinstance(error, PlayerError) and error.kind == "resignation"
            if self._process and not resigned:
                self._process.close()
                self._process = None
            raise

    # Play

    def new_game(self, board: Board, *, stop: StopFlag | None = None) -> None:
        """Announce a game that starts with this board; PlayerError if the engine does not get ready."""
        self._check(board)
        self._flag = stop or StopFlag()
        with self._closing_on_error():
            self._send_new_game(board)
            self._wait_until_ready(self.patience)

    def play(self, board: Board, limit: Limit, *, stop: StopFlag | None = None, margin: float = MARGIN) -> SearchResult:
        """Ask for a move; PlayerError if none comes within the time of the limit and a margin, or if it is illegal."""
        self._check(board)
        if not board.legal_moves:
            raise MoveError("there is no legal move to choose from")
        allowed = math.inf if limit.infinite else seconds_allowed(limit, board.turn)
        late = math.inf if allowed is None else allowed + margin
        self._flag = stop or StopFlag()
        with self._lock:
            self._playing, self._stop_wanted = True, False
        try:
            with self._closing_on_error():
                self._send_position(board, limit)
                self._wait_until_ready(min(self.patience, late))
                return self._search(board, limit, self.move_patience if allowed is None else late, margin)
        finally:
            with self._lock:
                self._playing = self._searching = False

    def _search(self, board: Board, limit: Limit, timeout: float, margin: float) -> SearchResult:
        info, self._remark = SearchResult(None), ""
        process = self._running()
        with self._lock:
            process.send(*self._go_lines(board, limit))
            self._searching = True
        start = time.monotonic()
        deadline, stopping, next_stop = start + timeout, False, 0.0
        while info.move is None:
            now = time.monotonic()
            stop_requested = self._stop_wanted or self._flag.is_set()
            if not stopping and (stop_requested or _is_past(limit, info) or now > deadline):
                stopping = True
                deadline = min(deadline, now + margin if stop_requested else math.inf) + STOP_TIMEOUT
            if stopping and now > deadline:
                when = self._within(timeout, "move_patience") if timeout < math.inf else "after the stop"
                raise PlayerError("stall", f"no move {when}{self._remark and f', last output: {self._remark}'}")
            if stopping and now > next_stop:  # repeated, as some engines miss one that comes early
                process.send(self.STOP)
                next_stop = now + POLL_INTERVAL
            line = process.read(min(deadline, now + POLL_INTERVAL))
            if line is not None:
                info = self._read_line(board, line, info)
        return replace(info, seconds=time.monotonic() - start)

    def stop(self) -> None:
        """End the current search soon, from any thread; to end one before it has started, pass a flag."""
        with self._lock:
            self._stop_wanted = self._playing

    def _check(self, board: Board) -> None:
        if board.variant != self.game:
            raise DamierError(f"{self.name} was started for {self.game}, not {board.variant}")
        self._running()

    # For the protocols

    def _take_name(self, name: str) -> None:
        """Take the name the engine gives itself, unless that is empty or it was given one."""
        if name.strip() and not self._given_name:
            self.name = name.strip()[:LONGEST_NAME]

    def _running(self) -> Process:
        if not self._process:
            raise DamierError(f"{self.name} is closed")
        return self._process

    def _send(self, *lines: str) -> None:
        self._running().send(*lines)

    def _lines_until(self, last: str, timeout: float | None = None) -> Iterator[str]:
        """The lines up to and including the one that starts with the words `last`; a stall if it does not come."""
        timeout = self.patience if timeout is None else timeout
        deadline, stopping = time.monotonic() + timeout, False
        process = self._running()
        words = last.split()
        while (now := time.monotonic()) < deadline:
            if not stopping and self._flag.is_set():
                deadline, stopping = min(deadline, now + STOP_TIMEOUT), True
            if (line := process.read(min(deadline, now + POLL_INTERVAL))) is None:
                continue
            yield line
            if line.split(None, len(words))[: len(words)] == words:
                return
        raise PlayerError("stall", f"no {last} {'after the stop' if stopping else self._within(timeout, 'patience')}")

    def _within(self, timeout: float, setting: str) -> str:
        """How long the wait was, and the setting to raise if that was the limit."""
        return f"within {timeout:.3g} s" + (f" ({setting})" if timeout == getattr(self, setting) else "")

    def _refuse_game(self, why: str) -> None:
        """Raise PlayerError, unless the user vouches for the engine."""
        if not self.assume_variant:
            raise PlayerError(
                "refusal", f"{self.name} does not play {self.game}: {why}; if it does play it, add assume_variant=on"
            )


def _is_past(limit: Limit, info: SearchResult) -> bool:
    """Whether the search has passed a limit, which happens with engines that do not know this kind of limit."""
    return info.nodes > (limit.nodes or math.inf) or info.depth > (limit.depth or math.inf)
