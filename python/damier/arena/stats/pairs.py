"""What pairs of games say: each opening is played twice with colours exchanged, and the pair is what counts.

The two games of a pair share their opening, so their results are not independent: counting five kinds of pairs instead
of three kinds of games (the pentanomial) gives the right error bars, and smaller ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from damier._core import DamierError

__all__ = ["Estimate", "Pairs", "elo_of", "share_of"]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the mean of two games
MOST = 10**12  # pairs of a kind: more than were ever played
NELO = 800 / math.log(10)  # normalised Elo of one standard deviation a game
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A figure and half the width of its 95 % interval."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:+.1f} ± {self.error:.1f}"


def share_of(elo: float) -> float:
    """The share of points expected of a player so much stronger.

    >>> share_of(0), round(share_of(100), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The Elo difference that a share of points speaks for; infinite at 0 and 1.

    >>> round(elo_of(0.64), 1)
    100.0
    """
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else 400 * math.log10(share / (1 - share))


@dataclass(frozen=True)
class Pairs:
    """How many pairs gave 0, 1/2, 1, 3/2 and 2 points.

    >>> pairs = Pairs(46, 237, 513, 392, 94)
    >>> print(pairs.elo(), "|", pairs.nelo())
    +34.1 ± 9.1 | +51.0 ± 13.4
    """

    none: int = 0
    half: int = 0
    one: int = 0
    three_halves: int = 0
    two: int = 0

    def __post_init__(self) -> None:
        if not all(0 <= count <= MOST for count in self.counts):
            raise DamierError(f"counts of pairs are {self.counts}, expected each from 0 to {MOST}")

    @classmethod
    def of(cls, points: Iterable[float]) -> Pairs:
        """Count pairs by their points.

        >>> Pairs.of([2, 1, 1, 0.5])
        Pairs(none=0, half=1, one=2, three_halves=0, two=1)
        """
        counts = [0] * len(SCORES)
        for each in points:
            counts[round(2 * each)] += 1
        return cls(*counts)

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        return self.none, self.half, self.one, self.three_halves, self.two

    def __len__(self) -> int:
        return sum(self.counts)

    def __add__(self, other: Pairs) -> Pairs:
        return Pairs(*(ours + theirs for ours, theirs in zip(self.counts, other.counts, strict=True)))

    @property
    def share(self) -> float:
        """The share of points; half before anything is known."""
        return sum(n * score for n, score in zip(self.counts, SCORES, strict=True)) / len(self) if len(self) else 0.5

    @property
    def variance(self) -> float:
        """Of a pair's mean."""
        if not len(self):
            return 0.0
        return sum(n * (score - self.share) ** 2 for n, score in zip(self.counts, SCORES, strict=True)) / len(self)

    def elo(self) -> Estimate:
        """Elo of the first player over the second."""
        if not len(self):
            return Estimate(0.0, math.inf)
        error = Z95 * math.sqrt(self.variance / len(self))
        low, high = elo_of(self.share - error), elo_of(self.share + error)
        return Estimate(elo_of(self.share), (high - low) / 2 if high > low else math.inf)

    def nelo(self) -> Estimate:
        """The same in standard deviations of a game: it does not depend on how many games are drawn."""
        if not len(self):
            return Estimate(0.0, math.inf)
        deviation = math.sqrt(2 * self.variance)
        lead = self.share - 0.5
        value = NELO * lead / deviation if deviation else math.copysign(math.inf, lead) if lead else 0.0
        return Estimate(value, NELO * Z95 / math.sqrt(2 * len(self)))

    def los(self) -> float:
        """The likelihood that the first player is the stronger one.

        >>> round(Pairs(10, 20, 40, 30, 20).los(), 3)
        0.991
        """
        if not len(self) or not self.variance:
            return 0.5 if self.share == 0.5 else float(self.share > 0.5)
        return 0.5 * (1 + math.erf((self.share - 0.5) / math.sqrt(2 * self.variance / len(self))))
