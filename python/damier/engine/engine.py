"""The engine of one game."""

from __future__ import annotations

import random
import weakref
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Self, overload

from damier import _core, games
from damier._core import DamierError, Limit, Side, StopFlag
from damier.board import Board, Move
from damier.engine.analysis import Analysis, Choice, result_of
from damier.engine.arguments import evaluator_of, table_size, within
from damier.engine.elo import elo_table
from damier.engine.knowledge import Book, Probe, book_moves, probed
from damier.engine.levels import Strength, chosen, strength_for_elo, strength_for_level
from damier.engine.result import SearchResult

if TYPE_CHECKING:
    from damier.eval import Evaluation

__all__ = ["Engine"]


class Engine:
    """A player of one game at full strength, or at the level or Elo of your choice.

    `eval` names the evaluation (see `damier eval`), `hash` is the size of the table in MiB, `overhead` the time lost
    between engine and clock on each move. `options` sets switches and margins of the search by name. `probe` and `book`
    are functions of a board that give endgame values and opening moves (see their properties).

    >>> from damier import loa
    >>> with Engine("loa", hash=4) as engine:
    ...     info = engine.analyse(loa.Board(), Limit(nodes=2000))
    >>> 0 <= info.score.expectation() <= 1 and len(info.pv) > 0
    True
    """

    def __init__(
        self,
        game: str = "chess",
        *,
        eval: Evaluation | None = None,
        threads: int = 1,
        hash: float = 16,
        level: int | None = None,
        elo: int | None = None,
        overhead: float = 0.01,
        seed: int | None = None,
        options: Mapping[str, int] | None = None,
        probe: Probe | None = None,
        book: Book | None = None,
    ) -> None:
        self.game = game
        self._board = games.board(game)  # of the kind it plays
        self._family = games.info(game).family
        self._core: _core.Engine | None = _core.Engine(game)
        self._analysis: weakref.ref[Analysis] | None = None  # the last one
        self._threads, self._hash = 1, 16.0
        self.overhead = overhead
        self._strength: Strength | None = None
        self._elo: int | None = None  # where it was asked for
        self._seed = seed
        self._dice: random.Random | None = None
        if eval is not None:
            self.eval = eval
        for name, value in (options or {}).items():
            self._open().set(name, within(name, value, -(2**31), 2**31))
        self.threads = threads
        self.hash = hash
        self._probe: Probe | None = None
        self._book: Book | None = None
        if probe is not None:
            self.probe = probe
        if book is not None:
            self.book = book
        if level is not None and elo is not None:
            raise DamierError("give a level or an elo, not both")
        self.level = level
        if elo is not None:
            self.elo = elo

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the search in progress, if there is one, and free the table."""
        if analysis := self._analysis and self._analysis():
            analysis.stop()
        self._core = None

    @property
    def threads(self) -> int:
        """How many threads search together."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._open().set_threads(within("threads", threads, -(2**31), 2**31))
        self._threads = threads

    @property
    def hash(self) -> float:
        """The size of the table in MiB; a quarter of one is enough for short searches."""
        return self._hash

    @hash.setter
    def hash(self, mebibytes: float) -> None:
        self._open().set_hash(table_size(mebibytes))
        self._hash = mebibytes

    @property
    def overhead(self) -> float:
        """Seconds lost between engine and clock on each move."""
        return self._overhead

    @overhead.setter
    def overhead(self, seconds: float) -> None:
        if not 0 <= seconds <= 60:
            raise DamierError(f"overhead is {seconds}, expected 0 to 60 seconds")
        self._overhead = seconds

    @property
    def eval(self) -> str:
        """The name of the evaluation, or the path of its file; None sets the game's own."""
        return str(self._open().eval)

    @eval.setter
    def eval(self, eval: Evaluation | None) -> None:
        self._open().set_evaluator(evaluator_of(self._board, self._board.evaluations()[0] if eval is None else eval))

    @property
    def probe(self) -> Probe | None:
        """A function that gives the values of positions, such as an endgame database, or None.

        It is called for positions inside the tree and after each move of the root, with a board without history, and
        answers for the side to move: 1 won, 0 drawn, -1 lost, or a pair of this and the plies to the end, or None if
        it does not know. It is called for every position searched, from search threads, one at a time: a search that
        calls Python reaches some 30,000 positions per second instead of a million.

        >>> from damier import chess
        >>> bare_king_loses = lambda board: None if "p" in board.fen() else (-1 if board.turn.name == "BLACK" else 1)
        >>> engine = Engine("chess", probe=bare_king_loses)
        >>> engine.play(chess.Board("8/7k/8/8/p7/8/8/QK6 w - - 0 1"), Limit(depth=2)).move
        <Move a1a4>
        """
        return self._probe

    @probe.setter
    def probe(self, probe: Probe | None) -> None:
        self._open().set_probe(self._board, None if probe is None else probed(probe))
        self._probe = probe

    @property
    def book(self) -> Book | None:
        """A function that gives moves to play, such as an opening book, or None.

        `play` calls it before searching, with a board without history. It returns moves (or their texts), or a mapping
        from these to weights, and nothing where the book ends. One is chosen at random, by the weights and the `seed`.
        `analyse` and `analysis` do not use it.

        >>> from damier import chess
        >>> engine = Engine("chess", book=lambda board: ["e4"] if board == chess.Board() else [])
        >>> engine.play(chess.Board(), Limit(depth=1)).move
        <Move e2e4>
        """
        return self._book

    @book.setter
    def book(self, book: Book | None) -> None:
        seed = random.getrandbits(64) if self._seed is None else self._seed % 2**64
        self._open().set_book(self._board, None if book is None else book_moves(book), seed)
        self._book = book

    @property
    def level(self) -> int | None:
        """From 1, which loses to a beginner, to 10 or None, which is full strength."""
        return self._strength.level if self._strength else None

    @level.setter
    def level(self, level: int | None) -> None:
        self._strength, self._elo = None if level is None else strength_for_level(level), None

    @property
    def elo(self) -> int | None:
        """The rating it plays at, as `damier ladder` measured it in this game; None for full strength."""
        if self._elo is not None or self._strength is None:
            return self._elo
        return elo_table(self.game).elos[self._strength.level - 1]

    @elo.setter
    def elo(self, elo: int | None) -> None:
        self._strength, self._elo = None if elo is None else strength_for_elo(elo, elo_table(self.game)), elo

    @property
    def default_limit(self) -> Limit:
        """The default limit per move: a tenth of a second, or the nodes of a level, which are reproducible.

        >>> Engine("loa", level=5).default_limit.nodes
        1500
        """
        return self._weakened.limit(Limit()) if self._weakened else Limit(time=0.1)

    def clear(self) -> None:
        """Forget what earlier searches found."""
        self._open().clear()

    def seed(self, seed: int | None) -> None:
        """Restart the random choices of a weakened engine, and of its book."""
        self._seed, self._dice = seed, None
        if self._book is not None:
            self.book = self._book

    def options(self) -> dict[str, tuple[int, int, int, str]]:
        """Every switch and margin of the search: its value, bounds, and what it is.

        >>> Engine("chess").options()["null_move"]
        (1, 0, 1, 'a side that stays good after passing is good')
        """
        return {name: (value, least, most, what) for name, value, least, most, what in self._open().tunables()}

    def play(
        self,
        board: Board,
        limit: Limit,
        *,
        searchmoves: Iterable[Move | str] | None = None,
        stop: StopFlag | None = None,
    ) -> SearchResult:
        """Choose a move, among `searchmoves` (or their texts) if these are given; once another thread sets `stop`, the
        best move found so far is returned.

        >>> from damier import draughts
        >>> board = draughts.Board()
        >>> Engine("english").play(board, Limit(depth=3)).move in board.legal_moves
        True
        """
        core = self._open()
        self._check(board, limit)
        strength = self._weakened
        multipv = 1
        if strength:
            limit, multipv = strength.limit(limit), strength.lines
        only = None if searchmoves is None else [_move(board, each) for each in searchmoves]
        found = core.play(board, limit, multipv=multipv, searchmoves=only, overhead=self.overhead, stop=stop)
        calibration = core.calibration
        if not strength:
            return result_of(found[0], calibration)
        return chosen([result_of(line, calibration) for line in found], strength, self._random())

    def native(self, limit: Limit) -> _core.Engine | None:
        """The native search, which plays whole games against another one without Python, if this limit needs no clock.

        >>> Engine("loa", level=3).native(Limit(nodes=500)) is None
        True
        """
        if self._weakened or limit.mate or limit.has_clock or not limit.ends_for(Side.WHITE):
            return None
        return self._open()

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, searchmoves: Iterable[Move | str] | None = None
    ) -> SearchResult: ...
    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, searchmoves: Iterable[Move | str] | None = None
    ) -> list[SearchResult]: ...
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[Move | str] | None = None,
    ) -> SearchResult | list[SearchResult]:
        """Analyse a position: the best line, or a list of the `multipv` best.

        >>> from damier import chess
        >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        >>> best, second = Engine("chess").analyse(board, Limit(depth=5), multipv=2)
        >>> str(best.score), best.score > second.score
        ('#1', True)
        """
        self._check(board, limit)
        analysis = self.analysis(board, limit, multipv=1 if multipv is None else multipv, searchmoves=searchmoves)
        result = analysis.result()
        return result if multipv is None else analysis.lines

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Iterable[Move | str] | None = None,
        ponder: bool = False,
        weakened: bool = False,
        on_currmove: Callable[[Move, int], None] | None = None,
    ) -> Analysis:
        """Start a search and return at once; without a limit it runs until it is stopped.

        A `weakened` one plays as `play` does, at the level or Elo of the engine and by its book.
        `on_currmove` is called with the root move being searched and its number.

        >>> from damier import loa
        >>> with Engine("loa").analysis(loa.Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth >= 3:
        ...             break
        """
        core = self._open()
        self._check(board, limit, ends=False)
        limit = limit or Limit(infinite=True)
        choose: Choice | None = None
        if weakened and (strength := self._weakened):
            limit, multipv = strength.limit(limit), max(multipv, strength.lines)
            choose = partial(chosen, strength=strength, random_=self._random())
        only = None if searchmoves is None else [_move(board, each) for each in searchmoves]
        search = core.start(
            board, limit, multipv=multipv, searchmoves=only, overhead=self.overhead, ponder=ponder, book=weakened
        )
        analysis = Analysis(self, search, core.calibration, choose=choose, on_currmove=on_currmove)
        self._analysis = weakref.ref(analysis)
        return analysis

    def _random(self) -> random.Random:
        """Made on first use: most engines leave nothing to chance, and a random generator is slow to make."""
        if self._dice is None:
            self._dice = random.Random(self._seed)
        return self._dice

    @property
    def _weakened(self) -> Strength | None:
        """How it is weakened, None at full strength."""
        return None if self._strength is None or self._strength.is_full else self._strength

    def _check(self, board: Board, limit: Limit | None, *, ends: bool = True) -> None:
        """Refuse what cannot be searched: a board of another family, or a search without end."""
        if not isinstance(board, Board) or games.info(board.variant).family != self._family:
            raise DamierError(f"this engine plays {self.game}, not {getattr(board, 'variant', type(board).__name__)}")
        if limit is not None and not isinstance(limit, Limit):
            raise DamierError(f"limit is {limit!r}, expected a Limit such as Limit(nodes=5000)")
        if limit is not None and ends and not limit.ends_for(board.turn):
            raise DamierError(
                "the limit sets no end: give a time, depth, nodes, mate or a clock to the side to move, "
                "or use analysis()"
            )

    def _open(self) -> _core.Engine:
        if self._core is None:
            raise DamierError("the engine is closed")
        return self._core

    def __repr__(self) -> str:
        if self._core is None:
            return f"<Engine {self.game}, closed>"
        strength = f", level {self.level}" if self.level else ""
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"<Engine {self.game}, {self.eval}, {threads}, {self.hash:g} MiB{strength}>"


def _move(board: Board, move: Move | str) -> Move:
    """A move, or the legal move that a text names."""
    if isinstance(move, str):
        return board.parse(move)
    if not isinstance(move, Move):
        raise DamierError(f"searchmoves has {move!r}, expected moves or their texts")
    return move
