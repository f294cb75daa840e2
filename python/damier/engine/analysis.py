"""A search under way and what it tells."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from damier.engine.score import Score

__all__ = ["Analysis", "Info", "Played"]

BOUNDS = ("none", "upper", "lower", "exact")  # by their number in search/info.h


@dataclass(frozen=True)
class Info:
    """What a search tells of one line of play."""

    depth: int
    seldepth: int
    rank: int  # 1 for the best line, 2 for the next best
    score: Score
    bound: str  # "exact", "lower" or "upper" while a window is being widened, "none" when there was no time to look
    nodes: int
    seconds: float
    hashfull: int  # of the table, in thousandths
    pv: tuple[Any, ...]

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return round(self.nodes / max(self.seconds, 1e-6))

    @property
    def wdl(self) -> tuple[int, int, int]:
        """The chances to win, to draw and to lose, in thousandths."""
        return self.score.wdl()


@dataclass(frozen=True)
class Played:
    """The move chosen, the reply expected, and the last that was told of it."""

    move: Any
    ponder: Any | None
    info: Info | None


Choice = Callable[[list[Info]], Info | None]


class Analysis:
    """A search under way: iterate over what it tells, stop it, or ask for its result.

    `choose` picks the line to play among those found, for who does not always play the best.
    """

    def __init__(self, search: Any, calibration: tuple[float, float], choose: Choice | None = None) -> None:
        self._search = search
        self._calibration = calibration
        self._choose = choose
        self._best: dict[int, Info] = {}
        self._played: Played | None = None
        _under_way.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
        try:
            self.result()  # so that the engine is free for the next search
        except Exception:
            if kind is None:
                raise

    def __iter__(self) -> Iterator[Info]:
        while (info := self._hear()) is not None:
            yield info

    def _hear(self) -> Info | None:
        told = self._search.next()
        if told is None:
            return None
        depth, seldepth, rank, score, bound, nodes, seconds, hashfull, pv = told
        info = Info(
            depth, seldepth, rank, Score(score, self._calibration), BOUNDS[bound], nodes, seconds, hashfull, tuple(pv)
        )
        self._best[rank] = info
        return info

    def stop(self) -> None:
        """End the search; it answers at once."""
        self._search.stop()

    def ponderhit(self) -> None:
        """Tell that the expected move was played: time counts from now on."""
        self._search.ponderhit()

    def result(self) -> Played:
        """Wait for the end of the search."""
        if self._played is None:
            for _ in self:
                pass
            move, ponder, score, bound, depth, nodes, seconds = self._search.result()
            info = self._best.get(1)
            if info is None or not info.pv or info.pv[0] != move:  # it changed its mind after the last that was told
                pv = (move, ponder) if ponder else (move,)
                score = Score(score, self._calibration)
                hashfull = info.hashfull if info else 0
                info = Info(depth, max(depth, len(pv)), 1, score, BOUNDS[bound], nodes, seconds, hashfull, pv)
                self._best[1] = info
            self._played = Played(move, ponder, info)
            if self._choose and (info := self._choose(self.lines)):
                self._played = Played(info.pv[0], info.pv[1] if len(info.pv) > 1 else None, info)
        return self._played

    @property
    def lines(self) -> list[Info]:
        """The last that was told of each line, the best first."""
        return [self._best[rank] for rank in sorted(self._best)]


_under_way: WeakSet[Analysis] = WeakSet()


@atexit.register
def _end_all() -> None:
    """A search that asks a Python function must not outlive Python."""
    for analysis in list(_under_way):
        analysis.stop()
        with suppress(Exception):
            analysis.result()
