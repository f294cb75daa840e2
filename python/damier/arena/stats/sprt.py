"""The sequential probability ratio test (SPRT) over pairs of games: play until one of two hypotheses is accepted.

This is the generalised test (GSPRT) of fishtest and fastchess: both hypotheses fix only the Elo difference, and the
rest of the distribution is the one that explains the results best. In the logistic model the bounds are Elo, in the
normalised one Elo in standard deviations of a game, so that a test takes equally long whatever the share of draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from damier._core import DamierError
from damier.arena.stats.pairs import NELO, SCORES, Pairs, share_of

__all__ = ["Model", "Sprt"]

Model = Literal["logistic", "normalized"]
MODELS: tuple[Model, ...] = ("logistic", "normalized")

TINY = 1e-3  # what fishtest puts for a kind of pair that never came: without it a claim could be impossible
LARGEST = {"logistic": 1000, "normalized": 200}  # Elo; beyond it a claim leaves no room for other results


@dataclass(frozen=True)
class Sprt:
    """A test of `elo1` against `elo0`; `alpha` and `beta` are the false-positive and the false-negative rate.

    >>> test = Sprt(0, 3)
    >>> round(test.llr(Pairs(46, 237, 513, 392, 94)), 3), test.verdict(Pairs(46, 237, 513, 392, 94))
    (3.068, 'elo1')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if self.model not in MODELS:
            raise DamierError(f"model is {self.model!r}, expected one of {', '.join(MODELS)}")
        if not self.elo0 < self.elo1:
            raise DamierError(f"bounds are {self.elo0:g},{self.elo1:g}, expected the first to be the smaller one")
        most = LARGEST[self.model]
        if max(-self.elo0, self.elo1) > most:
            raise DamierError(f"bounds are {self.elo0:g},{self.elo1:g}, expected both within -{most} and {most}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise DamierError(f"{name} is {value:g}, expected a number between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 (elo0) and H1 (elo1) are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """How much better elo1 explains the results than elo0: the logarithm of the ratio of their likelihoods."""
        if not len(pairs):
            return 0.0
        counts = [count or TINY for count in pairs.counts]
        total = sum(counts)
        seen = [count / total for count in counts]
        likely = _likely_at_share if self.model == "logistic" else _likely_at_deviations
        zero, one = likely(seen, self.elo0), likely(seen, self.elo1)
        return total * sum(p * math.log(b / a) for p, a, b in zip(seen, zero, one, strict=True))

    def verdict(self, pairs: Pairs) -> Literal["elo0", "elo1"] | None:
        """The accepted hypothesis, "elo0" or "elo1"; None while undecided."""
        low, high = self.bounds
        ratio = self.llr(pairs)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


def _likely_at_share(seen: Sequence[float], elo: float) -> list[float]:
    """The distribution with that Elo under which what was seen is likeliest (Van den Bergh, "GSPRT", 2020)."""
    return _weighted(seen, [score - share_of(elo) for score in SCORES])


def _likely_at_deviations(seen: Sequence[float], nelo: float) -> list[float]:
    """The same for normalised Elo, whose mean depends on the deviation: repeated until both agree."""
    lead = math.sqrt(2) * nelo / NELO  # in standard deviations of a pair
    found = [1 / len(SCORES)] * len(SCORES)
    for _ in range(10):
        before = found
        mean = sum(p * score for p, score in zip(found, SCORES, strict=True))
        deviation = math.sqrt(sum(p * (score - mean) ** 2 for p, score in zip(found, SCORES, strict=True)))
        offsets = [score - 0.5 - 0.5 * lead * deviation * (1 + ((mean - score) / deviation) ** 2) for score in SCORES]
        found = _weighted(seen, offsets)
        if max(abs(p - q) for p, q in zip(before, found, strict=True)) < 1e-9:
            break
    return found


def _weighted(seen: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """What was seen, weighted so that the offsets have mean zero: p / (1 + x * offset) with the x that does it."""
    terms = list(zip(seen, offsets, strict=True))

    def mean(x: float) -> float:
        return sum([p * offset / (1 + x * offset) for p, offset in terms])  # a list: a generator takes twice as long

    x = _falling_root(mean, -1 / max(offsets), -1 / min(offsets))
    return [p / (1 + x * offset) for p, offset in terms]


def _falling_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls from +infinity at `low` to -infinity at `high` is zero, to the last bit."""
    while low < (middle := (low + high) / 2) < high:
        if function(middle) > 0:
            low = middle
        else:
            high = middle
    return middle
