"""Statistics of pairs of games: each opening is played twice with colours reversed, and the pair is what counts.

The two games of a pair share their opening, so their results are not independent: counting five kinds of pairs instead
of three kinds of games (the pentanomial) gives the right error bars, and smaller ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from damier._core import DamierError

__all__ = ["Estimate", "Pairs", "elo_of", "share_of"]

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the mean of two games
MOST = 10**12  # pairs of a kind: more than were ever played
NELO = 800 / math.log(10)  # normalised Elo of one standard deviation a game
Z95 = 1.959963984540054


@dataclass(frozen=True)
class Estimate:
    """A figure and half the width of its 95 % interval, which reaches from `low` to `high`.

    If one side won everything there is no most likely figure, only a bound with a confidence of 95 %.

    >>> print(Estimate(34.1, 9.1), "|", Estimate(math.inf, math.inf, low=182.9), "|", Estimate(0.0, math.inf))
    +34.1 ± 9.1 | >= +182.9 | unknown
    """

    value: float
    error: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if math.isfinite(self.error):
            object.__setattr__(self, "low", self.value - self.error if self.low is None else self.low)
            object.__setattr__(self, "high", self.value + self.error if self.high is None else self.high)

    def __str__(self) -> str:
        if math.isfinite(self.value) and math.isfinite(self.error):
            if self._is_lopsided():
                return f"{self.value:+.1f} ({self.low:+.0f} to {self.high:+.0f})"
            return f"{self.value:+.1f} ± {self.error:.1f}"
        if self.low is not None:
            return f">= {self.low:+.1f}"
        return f"<= {self.high:+.1f}" if self.high is not None else "unknown"

    def _is_lopsided(self) -> bool:
        """Whether half the width would say the wrong thing of both ends."""
        return self.low is not None and abs(self.value - self.error - self.low) > 0.25 * self.error

    def report(self, name: str) -> dict[str, float | None]:
        """The same for JSON, with null for values that are not finite.

        >>> Estimate(math.inf, math.inf, low=182.9).report("elo")
        {'elo': None, 'elo_error': None, 'elo_low': 182.9, 'elo_high': None}
        """
        parts = {"": self.value, "_error": self.error, "_low": self.low, "_high": self.high}
        return {f"{name}{part}": v if v is not None and math.isfinite(v) else None for part, v in parts.items()}

    @classmethod
    def read(cls, held: Mapping[str, float | None], name: str) -> Estimate:
        """What `report` gave; parts that are null may be missing.

        >>> print(Estimate.read({"elo_low": 182.9}, "elo"))
        >= +182.9
        """
        value, error, low, high = (held.get(f"{name}{part}") for part in ("", "_error", "_low", "_high"))
        beyond = math.inf if high is None else -math.inf
        return cls(beyond if value is None else value, math.inf if error is None else error, low, high)


def share_of(elo: float) -> float:
    """The expected share of points of a player that is `elo` stronger.

    >>> share_of(0), round(share_of(100), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The Elo difference that a share of points corresponds to; infinite at 0 and 1.

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
        """Elo of the first player over the second.

        >>> print(Pairs(two=10).elo(), "|", Pairs(none=3).elo(), "|", Pairs(one=2).elo())
        >= +182.7 | <= +93.6 | +0.0 ± 879.5
        """
        if not len(self):
            return Estimate(0.0, math.inf)
        low, high = self.interval()
        if self.share in (0, 1):
            bounds = {"low": elo_of(low)} if self.share else {"high": elo_of(high)}
            return Estimate(elo_of(self.share), math.inf, **bounds)
        return Estimate(elo_of(self.share), (elo_of(high) - elo_of(low)) / 2, elo_of(low), elo_of(high))

    def nelo(self) -> Estimate:
        """The same in standard deviations of a game: it does not depend on how many games are drawn."""
        if not len(self):
            return Estimate(0.0, math.inf)
        deviation = math.sqrt(2 * self.variance)
        lead = self.share - 0.5
        error = NELO * Z95 / math.sqrt(2 * len(self))
        if deviation or not lead:
            return Estimate(NELO * lead / deviation if deviation else 0.0, error)
        low, high = (NELO * (share - 0.5) / math.sqrt(2 * share * (1 - share) or 1) for share in self.interval())
        return Estimate(math.copysign(math.inf, lead), math.inf, **({"low": low} if lead > 0 else {"high": high}))

    def los(self) -> float:
        """The likelihood of superiority (LOS): that the first player is the stronger one.

        A few equal pairs do not show how much pairs vary: half a pair won and half a pair lost are then added.

        >>> round(Pairs(10, 20, 40, 30, 20).los(), 3), round(Pairs(two=1).los(), 3)
        (0.991, 0.793)
        """
        if not len(self):
            return 0.5
        added = 0.0 if self._is_normal() else 0.5
        counts = [self.none + added, *self.counts[1:4], self.two + added]
        total = sum(counts)
        share = sum(n * score for n, score in zip(counts, SCORES, strict=True)) / total
        variance = sum(n * (score - share) ** 2 for n, score in zip(counts, SCORES, strict=True)) / total
        return 0.5 * (1 + math.erf((share - 0.5) / math.sqrt(2 * variance / total)))

    def _is_normal(self) -> bool:
        """Whether the normal interval around the share is one: neither empty nor beyond what a share can be."""
        error = Z95 * math.sqrt(self.variance / len(self))
        return error > 0 and self.share - error > 0 and self.share + error < 1

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the true share: the normal interval, or else Chernoff's bound, which always holds.

        Of a perfect score in n pairs it leaves a share of 0.05 ** (1 / n), as that of Clopper and Pearson does.
        """
        if self._is_normal():
            error = Z95 * math.sqrt(self.variance / len(self))
            return self.share - error, self.share + error
        reach = math.log(20 if self.share in (0, 1) else 40) / len(self)
        return _reached(self.share, 0.0, reach), _reached(self.share, 1.0, reach)


def _reached(share: float, end: float, reach: float) -> float:
    """How far towards an end the true share can be for its divergence from the one seen to be within reach."""
    if share == end:
        return end
    inside, outside = share, end
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if _divergence(share, middle) <= reach else (inside, middle)
    return inside


def _divergence(seen: float, true: float) -> float:
    """Of Kullback and Leibler, between two shares."""
    parts = ((seen, true), (1 - seen, 1 - true))
    return sum(p * math.log(p / q) if q > 0 else math.inf for p, q in parts if p > 0)
