"""What the protocols share: lines in and out, one search at a time, and a loop that no line can end by mistake."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO

from damier._core import DamierError
from damier.engine import Analysis, Engine, Limit, SearchResult
from damier.games import Board, Move

__all__ = ["DefaultThink", "Server", "Talk", "standard_talk"]

DefaultThink = Limit(time=1.0)  # when a partner asks for a move and names no limit
LongestLine = 1 << 24  # bytes; a game of a million moves fits


class Talk:
    """A partner on two streams: lines come, lines go.

    >>> from io import BytesIO
    >>> sink = BytesIO()
    >>> talk = Talk(BytesIO(b"isready\\r\\nquit"), sink)
    >>> list(talk.lines())
    ['isready', 'quit']
    >>> talk.say("readyok")
    >>> sink.getvalue()
    b'readyok\\n'
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._lock = threading.Lock()
        self.lost = False  # nobody reads us any more

    def lines(self) -> Iterator[str]:
        """The partner's lines as they come, whatever their bytes; of a line that is too long the rest is dropped."""
        while line := self._source.readline(LongestLine):
            rest = line
            while len(rest) == LongestLine and not rest.endswith(b"\n"):
                rest = self._source.readline(LongestLine)
            yield line.decode("utf-8", "replace").strip()

    def say(self, *lines: str) -> None:
        """Send lines together and at once; from any thread."""
        data = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        with self._lock:
            try:
                while data and not self.lost:
                    data = data[self._sink.write(data) :]
            except OSError:  # a broken pipe: the partner has gone
                self.lost = True


def standard_talk() -> Talk:
    """The partner who started this process; the output is unbuffered, so that nothing is left behind when he goes."""
    return Talk(open(0, "rb", closefd=False), open(1, "wb", buffering=0, closefd=False))


class Server(ABC):
    """Obeys a partner line by line, until told to leave or no more lines come."""

    def __init__(self, talk: Talk, game: str) -> None:
        self.talk = talk
        self.engine = Engine(game)
        self._analysis: Analysis | None = None
        self._halt: Callable[[], None] | None = None  # stops what the worker does
        self._worker: threading.Thread | None = None

    @abstractmethod
    def obey(self, line: str) -> bool:
        """Do what a line says; False when it says to leave."""

    @abstractmethod
    def complain(self, why: object) -> None:
        """Tell the partner what was wrong."""

    @abstractmethod
    def tell(self, board: Board, info: SearchResult) -> None:
        """Pass on what a search has found so far."""

    @abstractmethod
    def answer(self, board: Board, moves: Sequence[Move]) -> None:
        """Give the move a search ended with and, where it has one, the reply it expects."""

    def serve(self) -> None:
        """Talk until the end."""
        try:
            for line in self.talk.lines():
                try:
                    if not self.obey(line) or self.talk.lost:
                        return
                except DamierError as error:
                    self.complain(error)
                except Exception as error:  # a mistake of ours must not end the partner's game
                    self.complain(f"internal error: {error!r}")
        finally:
            self.end_search()
            self.engine.close()

    def use(self, game: str) -> None:
        """Go on with an engine for another game that has the settings of this one."""
        old, self.engine = self.engine, Engine(game, threads=self.engine.threads, overhead=self.engine.overhead)
        old.close()  # its table makes room for the new one
        self.engine.level = old.level
        self.engine.hash = old.hash

    def search(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int = 1,
        searchmoves: Sequence[Move] | None = None,
        ponder: bool = False,
    ) -> None:
        """Start a search and the thread that tells of it; one without end is at full strength whatever the level."""
        self.end_search()
        board = board.copy()
        weakened = limit.ends_for(board.turn)
        try:
            analysis = self.engine.analysis(
                board, limit, multipv=multipv, searchmoves=searchmoves, ponder=ponder, weakened=weakened
            )
        except DamierError as error:
            self._give_up(board, error)
            return
        self.work(lambda: self._report(board, analysis, multipv), analysis.stop)
        self._analysis = analysis

    def _report(self, board: Board, analysis: Analysis, lines: int) -> None:
        last: SearchResult | None = None  # what was told of the best line
        try:
            with analysis:
                for info in analysis:
                    if info.multipv <= lines:  # a weak level looks at more lines than were asked for
                        self._tell(board, info)
                    if info.multipv == 1:
                        last = info
                    if self.talk.lost:
                        analysis.stop()
                played = analysis.result()
            if last is None or played.pv != last.pv or played.score != last.score:
                self._tell(board, replace(played, multipv=1))
            self.answer(board, [played.move, *([played.ponder] if played.ponder else [])])
        except Exception as error:
            self._give_up(board, error)

    def _tell(self, board: Board, info: SearchResult) -> None:
        """Tell; what cannot be told must not cost the move."""
        try:
            self.tell(board, info)
        except Exception as error:
            self.complain(f"internal error: {error!r}")

    def _give_up(self, board: Board, why: Exception) -> None:
        """The partner waits for an answer and shall have one, though there was no search."""
        self.complain(f"the search failed: {why}")
        self.answer(board, list(board.legal_moves)[:1])  # type: ignore[arg-type]

    def work(self, task: Callable[[], None], halt: Callable[[], None]) -> None:
        """Do something long aside, so that lines are still obeyed; `halt` makes it end soon."""
        self._halt = halt
        self._worker = threading.Thread(target=task, daemon=True)
        self._worker.start()

    def stop(self) -> None:
        """Have the answer of the search, if there is one, now."""
        if self._halt:
            self._halt()

    def ponder_hit(self) -> None:
        """The move pondered on was played: from now on the clock runs."""
        if self._analysis:
            self._analysis.ponderhit()

    def end_search(self) -> None:
        """Stop, and wait until the answer is given."""
        self.stop()
        if self._worker:
            self._worker.join()
        self._analysis = self._halt = self._worker = None
