"""What every external engine shares: its life, the time it has for a move, and what happens when it fails."""

from __future__ import annotations

import math
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from damier import games
from damier._core import DamierError, MoveError, Side, StopFlag
from damier.engine import FaultKind, Limit, PlayerError, Score, SearchResult
from damier.games import Board
from damier.protocols.process import Process, check_command

__all__ = ["Heard", "MoveLike", "OptionValue", "RemoteEngine", "legal", "seconds_allowed"]

OptionValue = str | int | float | bool | None
Margin = 1.0  # seconds an answer may be late before the engine is told to stop
StopPatience = 0.5  # seconds from there to the end of our patience
# Squares one after the other, numbers, or SAN.
MoveLike = re.compile(
    r"([a-l]\d{1,2}){2,}[a-z]?|\d{1,2}([-x:]\d{1,2})+|[KQRBN]?[a-h1-8x]{2,6}(=?[QRBN])?[+#]?|O-O(-O)?|0000"
)
Glance = 0.1  # seconds between two looks whether somebody wants the search to stop


def seconds_allowed(limit: Limit, turn: Side) -> float | None:
    """The time the side to move has by the limit itself, None where it names none.

    >>> seconds_allowed(Limit(white_clock=60, black_clock=50, depth=9), Side.BLACK)
    50
    """
    known = [seconds for seconds in (limit.time, limit.clock_of(turn)) if seconds is not None]
    return max(0, min(known)) if known else None


@dataclass
class Heard:
    """What an engine has said of the search under way."""

    score: Score | None = None
    depth: int = 0
    nodes: int = 0
    remark: str = ""  # in words, of no consequence by themselves

    def is_past(self, limit: Limit) -> bool:
        """Whether it goes on beyond the limit, as engines do that know no such limit."""
        return self.nodes > (limit.nodes or math.inf) or self.depth > (limit.depth or math.inf)


def legal(board: Board, text: str, read: Callable[[Any, str], Any]) -> Any:
    """The move a text stands for; PlayerError says whether it is illegal or no move at all.

    >>> from damier import chess
    >>> legal(chess.Board(), "e2e4", chess.Board.parse_uci)
    <Move e2e4>
    """
    try:
        return read(board, text)
    except DamierError:
        kind: FaultKind = "illegal move" if MoveLike.fullmatch(text) else "garbage"
        raise PlayerError(kind, f"{text[:40] or 'nothing'!r} in {board.fen()}") from None


class RemoteEngine(ABC):
    """An engine in a process of its own. After a PlayerError it is closed unless it resigned; `restart` brings it back.

    `patience` is how many seconds it may take to start or to get ready, `ceiling` how many a move may take under a
    limit that names no time; once the flag `stop` is set it is hurried, from its start on.
    """

    def __init__(
        self,
        game: str,
        command: str,
        *,
        options: Mapping[str, OptionValue] | None = None,
        directory: str | None = None,
        name: str | None = None,
        patience: float = 10.0,
        ceiling: float = 60.0,
        stop: StopFlag | None = None,
    ) -> None:
        self._process: Process | None = None
        self.game = games.info(game).name
        if not self._may_play(self.game):
            raise PlayerError("refusal", f"{self.Protocol} is not spoken in {games.info(game).title}")
        self.command, self.directory = command, directory
        self.options = dict(options or {})
        self.patience, self.ceiling = patience, ceiling
        self._given_name = name
        self.name = name or Path(check_command(command, directory)[0]).name
        self._state = threading.Lock()  # of the three that follow
        self._thinking = self._searching = self._stop_wanted = False
        self._flag = StopFlag()
        self.restart(stop=stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What a protocol has to say

    Protocol = "UCI"
    Farewell = "quit"
    StopWord = "stop"

    def _may_play(self, game: str) -> bool:
        """Whether the protocol knows the game at all."""
        return True

    @abstractmethod
    def _introduce(self) -> None:
        """Shake hands and set the options."""

    @abstractmethod
    def _begin(self, board: Board) -> None:
        """Tell that a game begins."""

    @abstractmethod
    def _prepare(self, board: Board, limit: Limit) -> None:
        """Set up the position."""

    @abstractmethod
    def _get_ready(self, patience: float) -> None:
        """Wait until the engine has done what it was told, and leave behind whatever it said before."""

    @abstractmethod
    def _go(self, board: Board, limit: Limit) -> list[str]:
        """The lines that start the search."""

    @abstractmethod
    def _listen(self, board: Board, line: str, heard: Heard) -> Any | None:
        """Note what a line says of the search; the move where it ends it."""

    # Life

    @property
    def pid(self) -> int | None:
        """The number of its process, None when it is closed."""
        return self._process.pid if self._process else None

    def restart(self, *, stop: StopFlag | None = None) -> None:
        """Start the engine, ending first the process it may have."""
        self.close()
        self._flag = stop or StopFlag()
        self._process = Process(self.command, self.directory)
        with self._or_closed():
            self._introduce()

    def close(self) -> None:
        """Let the engine go, by force where it does not go by itself."""
        if self._process:
            self._process.close(None if self._searching else self.Farewell)
            self._process = None

    @contextmanager
    def _or_closed(self) -> Iterator[None]:
        """Whatever fails inside, by its fault or a Ctrl-C, ends the process: nobody knows what it would say next."""
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
        """Tell that a game begins with this board; PlayerError if the engine does not get ready."""
        self._check(board)
        self._flag = stop or StopFlag()
        with self._or_closed():
            self._begin(board)
            self._get_ready(self.patience)

    def play(self, board: Board, limit: Limit, *, stop: StopFlag | None = None, margin: float = Margin) -> SearchResult:
        """Ask for a move; PlayerError if none comes within the time of the limit and a margin, or if it is no move."""
        self._check(board)
        if not board.legal_moves:
            raise MoveError("there is no legal move to choose from")
        allowed = math.inf if limit.infinite else seconds_allowed(limit, board.turn)
        late = math.inf if allowed is None else allowed + margin
        self._flag = stop or StopFlag()
        with self._state:
            self._thinking, self._stop_wanted = True, False
        try:
            with self._or_closed():
                self._prepare(board, limit)
                self._get_ready(min(self.patience, late))
                return self._search(board, limit, self.ceiling if allowed is None else late, margin)
        finally:
            with self._state:
                self._thinking = self._searching = False

    def _search(self, board: Board, limit: Limit, patience: float, margin: float) -> SearchResult:
        heard = Heard()
        process = self._running()
        with self._state:
            process.send(*self._go(board, limit))
            self._searching = True
        deadline = time.monotonic() + patience
        hurried, next_stop = False, 0.0
        while True:
            now = time.monotonic()
            told = self._stop_wanted or self._flag.is_set()
            if not hurried and (told or heard.is_past(limit) or now > deadline):
                hurried, deadline = True, min(deadline, now + margin if told else math.inf) + StopPatience
            if hurried and now > deadline:
                raise PlayerError("stall", _late(patience) + (f", last said: {heard.remark}" if heard.remark else ""))
            if hurried and now > next_stop:  # said again, as some engines miss one that comes early
                process.send(self.StopWord)
                next_stop = now + Glance
            line = process.read(min(deadline, now + Glance))
            if line is not None and (move := self._listen(board, line, heard)) is not None:
                score, bound = (Score(0), "none") if heard.score is None else (heard.score, "exact")
                return SearchResult(move, score, heard.depth, heard.nodes, bound=bound)

    def stop(self) -> None:
        """Have the move of the search under way soon, from any thread; for one yet to come pass a flag."""
        with self._state:
            self._stop_wanted = self._thinking

    def _check(self, board: Board) -> None:
        if board.variant != self.game:
            raise DamierError(f"{self.name} was started for {self.game}, not {board.variant}")
        self._running()

    # For the protocols

    def _running(self) -> Process:
        if not self._process:
            raise DamierError(f"{self.name} is closed")
        return self._process

    def _send(self, *lines: str) -> None:
        self._running().send(*lines)

    def _lines_until(self, last: str, patience: float | None = None) -> Iterator[str]:
        """The lines up to the one that starts with the words `last`, that one included; a stall if it does not come."""
        patience = self.patience if patience is None else patience
        deadline, told = time.monotonic() + patience, False
        process = self._running()
        words = last.split()
        while (now := time.monotonic()) < deadline:
            if not told and self._flag.is_set():
                deadline, told = min(deadline, now + StopPatience), True
            if (line := process.read(min(deadline, now + Glance))) is None:
                continue
            yield line
            if line.split(None, len(words))[: len(words)] == words:
                return
        raise PlayerError(
            "stall", f"no {last} " + ("after it was told to stop" if told else f"within {patience:.3g} s")
        )


def _late(patience: float) -> str:
    return f"no move within {patience:.3g} s" if patience < math.inf else "no move after it was told to stop"
