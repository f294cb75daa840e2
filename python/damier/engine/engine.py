"""The engine of one game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Self, overload

from damier import games
from damier._core import DamierError, Evaluator, Side
from damier.engine.analysis import Analysis, Choice, Info, Played
from damier.engine.levels import Strength, chosen, dice, strength_for_elo, strength_for_level
from damier.engine.limit import Limit

__all__ = ["Engine"]


class Engine:
    """A player of one game at full strength, or at the level or Elo of your choice.

    `eval` names the evaluation (see `damier eval`), `hash` is the size of its table in MiB, `overhead` what is lost
    between it and the clock each move. `options` sets switches and margins of the search by name.

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
        eval: str | Evaluator | None = None,
        threads: int = 1,
        hash: int = 16,
        level: int | None = None,
        elo: int | None = None,
        overhead: float = 0.01,
        seed: int | None = None,
        options: Mapping[str, int] | None = None,
    ) -> None:
        self.game = game
        self._board = games.board(game)  # of the kind it plays
        self._core: Any = self._board.engine()
        self._threads, self._hash = 1, 16
        self.overhead = overhead
        self._strength: Strength | None = None
        self._random = dice(seed)
        if eval is not None:
            self.eval = eval
        for name, value in (options or {}).items():
            self._core.set(name, int(value))
        self.threads = threads
        self.hash = hash
        self.level = level
        if elo is not None:
            self.elo = elo

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the table."""
        self._core = None

    @property
    def threads(self) -> int:
        """How many threads search together."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._open().set_threads(threads)
        self._threads = threads

    @property
    def hash(self) -> int:
        """The size of the table in MiB."""
        return self._hash

    @hash.setter
    def hash(self, megabytes: int) -> None:
        self._open().set_hash(megabytes)
        self._hash = megabytes

    @property
    def overhead(self) -> float:
        """Seconds lost between the engine and the clock, each move."""
        return self._overhead

    @overhead.setter
    def overhead(self, seconds: float) -> None:
        if not 0 <= seconds <= 60:
            raise DamierError(f"overhead is {seconds}, expected 0 to 60 seconds")
        self._overhead = seconds

    @property
    def eval(self) -> str:
        """The name of the evaluation."""
        return str(self._open().eval)

    @eval.setter
    def eval(self, eval: str | Evaluator) -> None:
        self._open().set_evaluator(self._board.evaluator(eval) if isinstance(eval, str) else eval)

    @property
    def level(self) -> int | None:
        """From 1, which loses to a beginner, to 10 or None, which is full strength."""
        return self._strength.level if self._strength else None

    @level.setter
    def level(self, level: int | None) -> None:
        self._strength = None if level is None else strength_for_level(level)

    @property
    def elo(self) -> int | None:
        """The rating it plays at, None for full strength."""
        return self._strength.elo if self._strength else None

    @elo.setter
    def elo(self, elo: int | None) -> None:
        self._strength = None if elo is None else strength_for_elo(elo)

    def clear(self) -> None:
        """Forget what earlier searches found."""
        self._open().forget()

    def options(self) -> dict[str, tuple[int, int, int, str]]:
        """Every switch and margin of the search: its value, bounds, and what it is.

        >>> Engine("chess").options()["null_move"]
        (1, 0, 1, 'a side that stays good after passing is good')
        """
        return {name: (value, least, most, what) for name, value, least, most, what in self._open().tunables()}

    def play(self, board: games.Board, limit: Limit, *, searchmoves: Iterable[Any] | None = None) -> Played:
        """Choose a move.

        >>> from damier import draughts
        >>> board = draughts.Board("english")
        >>> Engine("english").play(board, Limit(depth=3)).move in board.legal_moves
        True
        """
        return self.thinking(board, _must_end(limit), searchmoves=searchmoves).result()

    def thinking(
        self,
        board: games.Board,
        limit: Limit,
        *,
        multipv: int = 1,
        searchmoves: Iterable[Any] | None = None,
        ponder: bool = False,
    ) -> Analysis:
        """Start choosing a move, as `play` does, and return at once: it can be watched and stopped.

        >>> from damier import chess
        >>> with Engine("chess", level=2).thinking(chess.Board(), Limit(depth=3)) as analysis:
        ...     analysis.stop()
        >>> analysis.result().move in chess.Board().legal_moves
        True
        """
        strength = self._strength
        if strength is None or strength.is_full:
            return self.analysis(board, limit, multipv=multipv, searchmoves=searchmoves, ponder=ponder)
        return self._start(
            board,
            strength.limit(limit),
            multipv=max(multipv, strength.lines),
            searchmoves=searchmoves,
            ponder=ponder,
            choose=lambda lines: chosen(lines, strength, self._random),
        )

    @overload
    def analyse(
        self, board: games.Board, limit: Limit, *, multipv: None = None, searchmoves: Iterable[Any] | None = None
    ) -> Info: ...
    @overload
    def analyse(
        self, board: games.Board, limit: Limit, *, multipv: int, searchmoves: Iterable[Any] | None = None
    ) -> list[Info]: ...
    def analyse(
        self,
        board: games.Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        searchmoves: Iterable[Any] | None = None,
    ) -> Info | list[Info]:
        """Judge a position: the best line, or a list of the `multipv` best.

        >>> from damier import chess
        >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
        >>> best, second = Engine("chess").analyse(board, Limit(depth=5), multipv=2)
        >>> str(best.score), best.score > second.score
        ('#1', True)
        """
        analysis = self.analysis(
            board, _must_end(limit), multipv=1 if multipv is None else multipv, searchmoves=searchmoves
        )
        played = analysis.result()
        if multipv is not None:
            return analysis.lines
        assert played.info is not None
        return played.info

    def analysis(
        self,
        board: games.Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        searchmoves: Iterable[Any] | None = None,
        ponder: bool = False,
    ) -> Analysis:
        """Start a search and return at once; without a limit it goes on until it is stopped.

        >>> from damier import loa
        >>> with Engine("loa").analysis(loa.Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth >= 3:
        ...             break
        """
        return self._start(
            board, limit or Limit(infinite=True), multipv=multipv, searchmoves=searchmoves, ponder=ponder, choose=None
        )

    def _start(
        self,
        board: games.Board,
        limit: Limit,
        *,
        multipv: int,
        searchmoves: Iterable[Any] | None,
        ponder: bool,
        choose: Choice | None,
    ) -> Analysis:
        core = self._open()
        white = board.turn == Side.WHITE
        search = core.start(
            board,
            depth=min(limit.depth or 0, 1000),
            nodes=limit.nodes or 0,
            win=min(limit.mate or 0, 1000),
            time=limit.time or 0.0,
            clock=limit.white_clock if white else limit.black_clock,
            increment=limit.white_inc if white else limit.black_inc,
            moves_to_go=min(limit.moves_to_go or 0, 1000),
            overhead=self.overhead,
            infinite=not limit.ends,
            ponder=ponder,
            lines=multipv,
            only=list(searchmoves or ()),
        )
        return Analysis(search, core.calibration, choose)

    def _open(self) -> Any:
        if self._core is None:
            raise DamierError("the engine is closed")
        return self._core


def _must_end(limit: Limit) -> Limit:
    if not limit.ends:
        raise DamierError("the limit sets no end: give a time, depth, nodes, mate or clock, or use analysis()")
    return limit
