"""A search in progress and what it reports."""

from __future__ import annotations

import atexit
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakSet

from damier._core import Search
from damier.board import Move
from damier.engine.result import SearchResult
from damier.engine.score import Score

if TYPE_CHECKING:
    from damier.engine.engine import Engine

__all__ = ["Analysis"]

Choice = Callable[[list[SearchResult]], SearchResult]


class Analysis:
    """A search in progress: iterate over its infos, stop it, or ask for its result.

    `choose` picks the line to play among those found, for a player that does not always play the best; `on_currmove` is
    called with the root move being searched and its number, once there is time to read them.
    """

    def __init__(
        self,
        engine: Engine,
        search: Search,
        calibration: tuple[float, float],
        *,
        choose: Choice | None = None,
        on_currmove: Callable[[Move, int], None] | None = None,
    ) -> None:
        self._engine = engine  # which must live as long as we search
        self._search = search
        self._calibration = calibration
        self._choose, self._on_currmove = choose, on_currmove
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
        while (event := self._search.next()) is not None:
            if len(event) == 2:
                if self._on_currmove:
                    self._on_currmove(*event)
            else:
                info = result_of(event, self._calibration)
                self._best[info.multipv] = info
                yield info

    def stop(self) -> None:
        """End the search; its result comes at once."""
        self._search.stop()

    def ponderhit(self) -> None:
        """The expected move was played: time counts from now on."""
        self._search.ponderhit()

    def result(self) -> SearchResult:
        """Wait for the end of the search."""
        if self._result is None:
            for _ in self:
                pass
            found = result_of(self._search.result(), self._calibration)
            last = self._best.get(1)
            if last is None or last.move != found.move:  # it changed its mind after the last info
                self._best[1] = found
            self._result = self._choose(self.lines) if self._choose else found
        return self._result

    @property
    def lines(self) -> list[SearchResult]:
        """The latest info of each line, the best first."""
        return [self._best[place] for place in sorted(self._best)]


def result_of(fields: tuple[Any, ...], calibration: tuple[float, float]) -> SearchResult:
    """The fields that the core gives, as a result."""
    move, score, *rest = fields
    return SearchResult(move, Score(score, calibration), *rest)


_under_way: WeakSet[Analysis] = WeakSet()


@atexit.register
def _end_all() -> None:
    """A search that calls a Python function must not outlive Python."""
    for analysis in list(_under_way):
        analysis.stop()
        with suppress(Exception):
            analysis.result()
