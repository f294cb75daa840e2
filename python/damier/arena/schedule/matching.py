"""Can a set of players be paired? Edmonds' blossom algorithm (1965), as Gabow (1976) counts its steps."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

__all__ = ["has_perfect_matching", "matching"]

NOBODY = -1


def has_perfect_matching(neighbours: Sequence[Sequence[int]]) -> bool:
    """Whether everybody can be paired with a neighbour.

    >>> has_perfect_matching([[1, 2, 3], [0], [0], [0]])
    False
    """
    return NOBODY not in matching(neighbours)


def matching(neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Pair as many as possible: the partner of each, -1 for none.

    >>> matching([[1], [0, 2], [1, 3], [2]])
    [1, 0, 3, 2]
    """
    mates = [NOBODY] * len(neighbours)
    for one, others in enumerate(neighbours):  # take what is free first: little is left to search for
        free = [other for other in others if mates[other] == NOBODY] if mates[one] == NOBODY else []
        if free:
            mates[one], mates[free[0]] = free[0], one
    for one in range(len(neighbours)):
        if mates[one] == NOBODY:
            _Search(neighbours, mates).augment(one)
    return mates


class _Search:
    """A tree of alternating paths from one root, in which odd cycles (blossoms) are shrunk to their base."""

    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
        self.neighbours, self.mates = neighbours, mates
        self.parent = [NOBODY] * len(mates)
        self.base = list(range(len(mates)))
        self.outer = [False] * len(mates)
        self.queue: deque[int] = deque()

    def augment(self, root: int) -> None:
        """Look for a path to an unpaired player and exchange the pairs along it."""
        end = self._free_end(root)
        while end != NOBODY:
            before = self.parent[end]
            after = self.mates[before]
            self.mates[end], self.mates[before] = before, end
            end = after

    def _free_end(self, root: int) -> int:
        self.outer[root] = True
        self.queue.append(root)
        while self.queue:
            one = self.queue.popleft()
            for other in self.neighbours[one]:
                if self.base[one] == self.base[other] or self.mates[one] == other:
                    continue
                if other == root or (self.mates[other] != NOBODY and self.parent[self.mates[other]] != NOBODY):
                    self._shrink(one, other)
                elif self.parent[other] == NOBODY:
                    self.parent[other] = one
                    if self.mates[other] == NOBODY:
                        return other
                    self._reach(self.mates[other])
        return NOBODY

    def _reach(self, one: int) -> None:
        if not self.outer[one]:
            self.outer[one] = True
            self.queue.append(one)

    def _shrink(self, one: int, other: int) -> None:
        """An edge between two outer nodes closes an odd cycle: all of it becomes outer."""
        common = self._common_base(one, other)
        inside: set[int] = set()
        self._mark(one, common, other, inside)
        self._mark(other, common, one, inside)
        for node, base in enumerate(self.base):
            if base in inside:
                self.base[node] = common
                self._reach(node)

    def _common_base(self, one: int, other: int) -> int:
        above = set()
        while True:
            one = self.base[one]
            above.add(one)
            if self.mates[one] == NOBODY:
                break
            one = self.parent[self.mates[one]]
        while (other := self.base[other]) not in above:
            other = self.parent[self.mates[other]]
        return other

    def _mark(self, node: int, base: int, child: int, inside: set[int]) -> None:
        while self.base[node] != base:
            mate = self.mates[node]
            inside |= {self.base[node], self.base[mate]}
            self.parent[node] = child
            node, child = self.parent[mate], mate
