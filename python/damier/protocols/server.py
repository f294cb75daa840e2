"""What our servers share: lines in and out, one search at a time, and a loop that no line can break."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, TypeVar

from damier._core import DamierError, MoveError, Side
from damier.board import Board, Move
from damier.engine import Analysis, Engine, Limit, SearchResult
from damier.protocols.lines import clean

__all__ = ["DEFAULT_LIMIT", "Connection", "Server", "limit_or_default", "push_moves", "stdio_connection"]

AnyBoard = TypeVar("AnyBoard", bound=Board)
DEFAULT_LIMIT = Limit(time=1.0)  # for a move, when the client sets no limit
LONGEST_COMMAND = 1 << 24  # bytes; a game of a million moves fits


class Connection:
    """A client on two streams: lines come in, lines go out.

    >>> from io import BytesIO
    >>> output = BytesIO()
    >>> connection = Connection(BytesIO(b"isready\\r\\nquit"), output)
    >>> list(connection.lines())
    ['isready', 'quit']
    >>> connection.send("readyok")
    >>> output.getvalue()
    b'readyok\\n'
    """

    def __init__(self, input: BinaryIO, output: BinaryIO) -> None:
        self._input = input
        self._output = output
        self._lock = threading.Lock()
        self.is_broken = False  # nobody reads what we send

    def lines(self) -> Iterator[str]:
        """The client's lines as they come, whatever their bytes; the rest of a line that is too long is dropped."""
        encoding = "utf-8-sig"  # a byte order mark may come first
        while line := self._input.readline(LONGEST_COMMAND):
            rest = line
            while len(rest) == LONGEST_COMMAND and not rest.endswith(b"\n"):
                rest = self._input.readline(LONGEST_COMMAND)
            yield clean(line.decode(encoding, "replace")).strip()
            encoding = "utf-8"

    def send(self, *lines: str) -> None:
        """Send lines in one write, from any thread."""
        data = memoryview("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))
        with self._lock:
            try:
                while data and not self.is_broken:
                    data = data[self._output.write(data) :]
            except OSError:  # a broken pipe: the client has gone
                self.is_broken = True


def stdio_connection() -> Connection:
    """The client that started this process; the output is unbuffered, so that nothing is left in it at the end."""
    return Connection(open(0, "rb", closefd=False), open(1, "wb", buffering=0, closefd=False))


class Server(ABC):
    """Serves a client line by line, until it quits or its input ends."""

    def __init__(self, connection: Connection, game: str) -> None:
        self.connection = connection
        self.send = connection.send
        self.engine = Engine(game)
        self._analysis: Analysis | None = None
        self._stop_task: Callable[[], None] | None = None
        self._thread: threading.Thread | None = None

    @abstractmethod
    def handle(self, line: str) -> bool:
        """Carry out a line; False if it asks to quit."""

    @abstractmethod
    def send_error(self, error: object) -> None:
        """Report what was wrong."""

    @abstractmethod
    def send_info(self, board: Board, info: SearchResult) -> None:
        """Report what a search has found so far."""

    @abstractmethod
    def send_currmove(self, board: Board, move: Move, number: int) -> None:
        """Report which root move is being searched, counted from 1."""

    @abstractmethod
    def send_move(self, board: Board, moves: Sequence[Move]) -> None:
        """Send the move that a search ended with and, if there is one, the reply it expects."""

    def serve(self) -> None:
        """Serve until the end."""
        try:
            for line in self.connection.lines():
                try:
                    if not self.handle(line) or self.connection.is_broken:
                        return
                except DamierError as error:
                    self.send_error(error)
                except Exception as error:  # a bug of ours must not end the client's game
                    self.send_error(f"internal error: {error!r}")
        finally:
            self.end_search()
            self.engine.close()

    def set_game(self, game: str) -> None:
        """Continue with an engine for another game, with the same settings."""
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
        full_strength: bool = False,
    ) -> None:
        """Start a search and the thread that reports it. An endless one is at full strength whatever the level."""
        self.end_search()
        board = board.copy()
        weakened = limit.ends_for(board.turn) and not full_strength
        try:
            analysis = self.engine.analysis(
                board,
                limit,
                multipv=multipv,
                searchmoves=searchmoves,
                ponder=ponder,
                weakened=weakened,
                on_currmove=lambda move, number: self.send_currmove(board, move, number),
            )
        except DamierError as error:
            self._send_any_move(board, error)
            return
        self.run_in_background(lambda: self._report(board, analysis, multipv), analysis.stop)
        self._analysis = analysis

    def _report(self, board: Board, analysis: Analysis, multipv: int) -> None:
        last: SearchResult | None = None  # what was sent of the best line
        try:
            with analysis:
                for info in analysis:
                    if info.multipv <= multipv:  # a weak level looks at more lines than were asked for
                        self._try_send_info(board, info)
                    if info.multipv == 1:
                        last = info
                    if self.connection.is_broken:
                        analysis.stop()
                result = analysis.result()
            if last is None or result.pv != last.pv or result.score != last.score:
                self._try_send_info(board, replace(result, multipv=1))
            self.send_move(board, [result.move, *([result.ponder] if result.ponder else [])])
        except Exception as error:
            self._send_any_move(board, error)

    def _try_send_info(self, board: Board, info: SearchResult) -> None:
        """An info that cannot be sent must not cost the move."""
        try:
            self.send_info(board, info)
        except Exception as error:
            self.send_error(f"internal error: {error!r}")

    def _send_any_move(self, board: Board, error: Exception) -> None:
        """Send any legal move: the client waits for one, although the search failed."""
        self.send_error(f"the search failed: {error}")
        self.send_move(board, list(board.legal_moves)[:1])

    def run_in_background(self, task: Callable[[], None], stop: Callable[[], None]) -> None:
        """Run a long task while lines are still handled; `stop` makes it end soon."""
        self._stop_task = stop
        self._thread = threading.Thread(target=task, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the search in progress, if there is one, and send its move now."""
        if self._stop_task:
            self._stop_task()

    def ponder_hit(self) -> None:
        """The expected move was played: the clock runs from now on."""
        if self._analysis:
            self._analysis.ponderhit()

    def end_search(self) -> None:
        """Stop, and wait until the move has been sent."""
        self.stop()
        if self._thread:
            self._thread.join()
        self._analysis = self._stop_task = self._thread = None


def push_moves(
    command: str, board: AnyBoard, moves: Iterable[str], parse_move: Callable[[AnyBoard, str], Move]
) -> AnyBoard:
    """The board after the moves that a command lists; MoveError says which of them is wrong.

    >>> from damier import chess
    >>> push_moves("position", chess.Board(), ["e2e4", "e7e5"], chess.Board.parse_uci).ply
    2
    """
    for number, text in enumerate(moves, 1):
        try:
            board.push(parse_move(board, text))
        except MoveError as error:
            raise MoveError(f"{command}, move {number}: {error}") from None
    return board


def limit_or_default(limit: Limit | None, turn: Side, default: Limit = DEFAULT_LIMIT) -> Limit:
    """The limit if it ends a search for the side to move or asks for an endless one, else the default.

    >>> limit_or_default(Limit(white_clock=60), Side.BLACK) == DEFAULT_LIMIT
    True
    """
    return limit if limit and (limit.infinite or limit.ends_for(turn)) else default
