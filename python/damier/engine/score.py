"""Scores, for the side to move."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import total_ordering

from damier._core import SURE_WIN, WIN

__all__ = ["Score"]


@total_ordering
@dataclass(frozen=True, eq=False)
class Score:
    """The value of a position for the side to move: hundredths of a man, or a proven win or loss.

    >>> Score(120) > Score(-30), Score(32000 - 3).mate, Score(3 - 32000).mate, Score(120).cp
    (True, 2, -2, 120)
    >>> Score(0).expectation()
    0.5
    """

    value: int
    calibration: tuple[float, float] = (0.0, 150.0)

    @property
    def is_sure(self) -> bool:
        """Whether the win or loss is proven."""
        return abs(self.value) >= SURE_WIN

    @property
    def plies(self) -> int | None:
        """Plies to the end of a proven win or loss."""
        return WIN - abs(self.value) if self.is_sure else None

    @property
    def cp(self) -> int | None:
        """Hundredths of a man, None for a proven win or loss."""
        return None if self.is_sure else self.value

    @property
    def mate(self) -> int | None:
        """Moves of the winner to a proven win, negative when the side to move loses; None when nothing is proven."""
        if not self.is_sure:
            return None
        moves = (WIN - abs(self.value) + 1) // 2
        return moves if self.value > 0 else -moves

    def wdl(self) -> tuple[int, int, int]:
        """The chances to win, to draw and to lose, in thousandths.

        >>> sum(Score(50).wdl())
        1000
        """
        if self.is_sure:
            return (1000, 0, 0) if self.value > 0 else (0, 0, 1000)
        margin, spread = self.calibration
        win, loss = (1 / (1 + math.exp(min(700.0, (margin - sign * self.value) / spread))) for sign in (1, -1))
        wins, losses = round(1000 * win), round(1000 * loss)
        if wins + losses > 1000:
            losses = 1000 - wins
        return wins, 1000 - wins - losses, losses

    def expectation(self) -> float:
        """The expected points, from 0 to 1.

        >>> Score(31999).expectation()
        1.0
        """
        win, draw, _ = self.wdl()
        return (win + draw / 2) / 1000

    def __neg__(self) -> Score:
        return Score(-self.value, self.calibration)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.value == other.value

    def __lt__(self, other: object) -> bool:
        return self.value < other.value if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __str__(self) -> str:
        if self.mate is None:
            return f"{self.value / 100:+.2f}"
        return f"#{'-' if self.value < 0 else ''}{abs(self.mate)}"
