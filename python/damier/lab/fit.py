"""Fitting: minimise a smooth function of many weights, and turn scores into chances."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["calibrate", "minimise", "slope_of"]

Array = npt.NDArray[np.float64]
Function = Callable[[Array], tuple[float, Array]]  # value and gradient


def minimise(
    function: Function,
    start: Array,
    *,
    steps: int = 200,
    tolerance: float = 1e-9,
    told: Callable[[int, float], None] | None = None,
) -> tuple[Array, float]:
    """Find where a smooth function is least by limited-memory BFGS; return the place and the value there.

    The search ends when a step gains less than `tolerance`; `told` hears of each step and its value.

    >>> place, value = minimise(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2))
    >>> place.round(4).tolist(), round(value, 6)
    ([3.0, 3.0], 0.0)
    """
    place = np.array(start, np.float64)
    value, gradient = function(place)
    pairs: deque[tuple[Array, Array]] = deque(maxlen=12)
    for step in range(1, steps + 1):
        direction = -_preconditioned(gradient, pairs)
        slope = float((direction * gradient).sum())
        if slope >= 0:  # rounding has spoilt the memory
            pairs.clear()
            direction, slope = -gradient, -float((gradient * gradient).sum())
        if slope == 0:
            break
        length = 1.0 if pairs else min(1.0, 1.0 / float(np.abs(gradient).sum()))
        found = _backtrack(function, place, direction, least_gain=-1e-4 * slope, value=value, length=length)
        if found is None:
            break
        next_place, next_value, next_gradient = found
        moved, bent = next_place - place, next_gradient - gradient
        if float((moved * bent).sum()) > 1e-14:
            pairs.append((moved, bent))
        gained = value - next_value
        place, value, gradient = next_place, next_value, next_gradient
        if told:
            told(step, value)
        if gained < tolerance:
            break
    return place, value


def _preconditioned(gradient: Array, pairs: deque[tuple[Array, Array]]) -> Array:
    """The gradient times an estimate of the inverse Hessian (the two-loop recursion)."""
    result = gradient.copy()
    kept = []
    for moved, bent in reversed(pairs):
        share = float((moved * result).sum() / (moved * bent).sum())
        result -= share * bent
        kept.append(share)
    if pairs:
        moved, bent = pairs[-1]
        result *= float((moved * bent).sum() / (bent * bent).sum())
    for (moved, bent), share in zip(pairs, reversed(kept), strict=True):
        result += moved * (share - float((bent * result).sum() / (moved * bent).sum()))
    return result


def _backtrack(
    function: Function, place: Array, direction: Array, *, value: float, least_gain: float, length: float
) -> tuple[Array, float, Array] | None:
    """The first of ever shorter steps that gains enough, or None."""
    for _ in range(40):
        there = place + length * direction
        there_value, there_gradient = function(there)
        if there_value <= value - length * least_gain:
            return there, there_value, there_gradient
        length /= 2
    return None


def slope_of(values: Array, results: Array) -> float:
    """The slope s for which 1 / (1 + exp(-value * s)) explains the results best.

    >>> values = np.array([-200.0, -100.0, 100.0, 200.0])
    >>> 0.001 < slope_of(values, np.array([0.0, 0.5, 0.5, 1.0])) < 0.1
    True
    """

    def loss(slope: float) -> float:
        logits = slope * values
        return float((np.logaddexp(0.0, logits) - results * logits).mean())

    slopes = np.geomspace(1e-4, 1e-1, 61)
    for _ in range(3):  # narrower and narrower around the best
        best = int(np.argmin([loss(slope) for slope in slopes]))
        slopes = np.linspace(slopes[max(best - 1, 0)], slopes[min(best + 1, len(slopes) - 1)], 21)
    return float(slopes[len(slopes) // 2])


def calibrate(values: Array, results: Array) -> tuple[float, float]:
    """Margin and spread by which scores become chances: a win with 1 / (1 + exp((margin - score) / spread)).

    `results` are 1, 0.5 and 0; a loss is the opponent's win and the rest are draws.

    >>> chooser = np.random.default_rng(1)
    >>> values = chooser.normal(0, 200, 20_000)
    >>> win = chooser.random(20_000) < 1 / (1 + np.exp((80 - values) / 100))
    >>> loss = ~win & (chooser.random(20_000) < 1 / (1 + np.exp((80 + values) / 100)))
    >>> margin, spread = calibrate(values, np.where(win, 1.0, np.where(loss, 0.0, 0.5)))
    >>> 60 < margin < 100 and 80 < spread < 120
    True
    """
    won, lost = results > 0.75, results < 0.25
    drawn = ~won & ~lost

    def misfit(margin: float, spread: float) -> float:
        win = 1 / (1 + np.exp(np.clip((margin - values) / spread, -50, 50)))
        loss = 1 / (1 + np.exp(np.clip((margin + values) / spread, -50, 50)))
        chances = np.where(won, win, np.where(drawn, 1 - win - loss, loss))
        return float(-np.log(np.clip(chances, 1e-9, 1)).mean())

    best = (0.0, 100.0)
    for reach in (1.0, 0.5, 0.25, 0.12, 0.06, 0.03):
        margins = [max(0.0, best[0] + reach * m) for m in range(-200, 201, 50)]
        spreads = [max(10.0, best[1] * (1 + reach * s)) for s in (-0.6, -0.3, 0, 0.6, 1.5)]
        best = min(((m, s) for m in margins for s in spreads), key=lambda pair: misfit(*pair))
    return best
