"""A set of integers that arrive nearly in order, in little memory."""

from __future__ import annotations

__all__ = ["Numbers"]


class Numbers:
    """Numbers from 0 on: all below some number, and the few above it that came early.

    >>> numbers = Numbers()
    >>> for number in (0, 2, 1, 5):
    ...     numbers.add(number)
    >>> len(numbers), 2 in numbers, 3 in numbers, 5 in numbers
    (4, True, False, True)
    """

    __slots__ = ("_below", "_beyond")

    def __init__(self) -> None:
        self._below = 0
        self._beyond: set[int] | None = None  # most often there are none

    def add(self, number: int) -> None:
        if number > self._below:
            self._beyond = self._beyond or set()
            self._beyond.add(number)
        elif number == self._below:
            self._below += 1
            while self._beyond and self._below in self._beyond:
                self._beyond.remove(self._below)
                self._below += 1

    def __contains__(self, number: int) -> bool:
        return number < self._below or (self._beyond is not None and number in self._beyond)

    def __len__(self) -> int:
        return self._below + len(self._beyond or ())
