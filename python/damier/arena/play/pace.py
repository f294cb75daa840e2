"""How much work to hand out at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from damier.storage.store import Pair

__all__ = ["Pace"]

Item = TypeVar("Item")


@dataclass
class Pace:
    """Cuts pairs to be played into pieces of about so many seconds, by those that were played so far; of one for 0.

    >>> list(Pace(0.0).pieces(iter(range(3)), 3, lambda: 1))
    [(0,), (1,), (2,)]
    """

    seconds: float
    pairs: int = 0
    spent: float = 0.0

    def add(self, pair: Pair) -> None:
        """Learn how long a pair took."""
        self.pairs += 1
        self.spent += sum(turn.seconds for played in pair for turn in played.turns)

    def pieces(self, items: Iterator[Item], total: int | None, width: Callable[[], int]) -> Iterator[tuple[Item, ...]]:
        """Pieces smaller towards the end, so that as many workers as there are end at about the same time."""
        while piece := tuple(islice(items, self._size(total, width()))):
            if total is not None:
                total -= len(piece)
            yield piece

    def _size(self, left: int | None, width: int) -> int:
        size = int(self.seconds * self.pairs / self.spent) if self.spent else 1
        return max(1, size if left is None else min(size, left // (4 * (width + 1))))
