"""How much work to hand out at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

__all__ = ["SECONDS_HERE", "SECONDS_THERE", "Pace"]

Item = TypeVar("Item")

SECONDS_THERE = 20.0  # on a cluster: long against the cost of handing it out, short against a machine that dies
SECONDS_HERE = 0.1  # on threads: quick games are handed out, and reported, by the dozen


@dataclass
class Pace:
    """Cuts items into pieces of about `seconds` s, as measured so far; `guess` is the size before any measurement.

    No piece takes less than about `least` seconds, unless the items end.

    >>> list(Pace(0.0).pieces(iter(range(3)), 3, lambda: 1))
    [(0,), (1,), (2,)]
    """

    seconds: float
    guess: int = 1
    least: float = 0.0
    most: int = 10**6  # items
    done: int = 0
    spent: float = 0.0

    def add(self, items: int, seconds: float) -> None:
        """Learn how long some items took."""
        self.done += items
        self.spent += seconds

    def pieces(self, items: Iterator[Item], total: int | None, width: Callable[[], int]) -> Iterator[tuple[Item, ...]]:
        """Pieces smaller towards the end, so that as many workers as there are end at about the same time."""
        while piece := tuple(islice(items, self._size(total, width()))):
            if total is not None:
                total -= len(piece)
            yield piece

    def _size(self, left: int | None, width: int) -> int:
        rate = self.done / self.spent if self.spent else 0.0
        size = min(self.most, int(self.seconds * rate) if rate else self.guess)
        if left is not None:
            size = min(size, max(left // (4 * (width + 1)), int(self.least * rate)))
        return max(1, size)
