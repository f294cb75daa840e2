"""A search under way and what it tells."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

from damier.engine.result import SearchResult
from damier.engine.score import Score

__all__ = ["Analysis"]

BOUNDS = ("none", "upper", "lower", "exact")  # by their number in search/info.h


Choice = Callable[[list[SearchResult]], SearchResult | None]


class Analysis:
    """A search under way: iterate over what it tells, stop it, or ask for its result.

    `choose` picks the line to play among those found, for who does not always play the best.
    """

    def __init__(self, search: Any, calibration: tuple[float, float], choose: Choice | None = None) -> None:
        self._search = search
        self._calibration = calibration
        self._choose = choose
        self._best: dict[int, SearchResult] = {}
        self._result: SearchResult | None = None
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

    def __iter__(self) -> Iterator[SearchResult]:
        while (info := self._hear()) is not None:
            yield info

    def _hear(self) -> SearchResult | None:
        told = self._search.next()
        if told is None:
            return None
        depth, seldepth, multipv, score, bound, nodes, seconds, hashfull, pv = told
        info = SearchResult(
            pv[0],
            Score(score, self._calibration),
            depth,
            nodes,
            seconds,
            tuple(pv),
            pv[1] if len(pv) > 1 else None,
            multipv,
            seldepth,
            BOUNDS[bound],
            hashfull,
        )
        self._best[multipv] = info
        return info

    def stop(self) -> None:
        """End the search; it answers at once."""
        self._search.stop()

    def ponderhit(self) -> None:
        """Tell that the expected move was played: time counts from now on."""
        self._search.ponderhit()

    def result(self) -> SearchResult:
        """Wait for the end of the search."""
        if self._result is None:
            for _ in self:
                pass
            move, ponder, score, bound, depth, nodes, seconds = self._search.result()
            info = self._best.get(1)
            if info is None or info.move != move:  # it changed its mind after the last that was told
                pv = (move, ponder) if ponder else (move,)
                hashfull = info.hashfull if info else 0
                found = Score(score, self._calibration)
                info = SearchResult(
                    move, found, depth, nodes, seconds, pv, ponder, 1, max(depth, len(pv)), BOUNDS[bound], hashfull
                )
                self._best[1] = info
            self._result = replace(info, ponder=ponder)
            if self._choose and (chosen := self._choose(self.lines)):
                self._result = chosen
        return self._result

    @property
    def lines(self) -> list[SearchResult]:
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
