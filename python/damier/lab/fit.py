"""Fitting: minimise a smooth function of many weights, and turn scores into chances."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["calibrate", "minimise", "mixed_targets", "r2", "slope_of", "spread_of"]

DEFAULT_SPREAD, MOST_SPREAD = 150, 10_000
FITTED = 200_000  # positions that the spread is fitted to

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Function = Callable[[Array], tuple[float, Array]]  # value and gradient


def minimise(
    function: Function, start: Array, *, iterations: int = 200, tolerance: float = 1e-9
) -> tuple[Array, float, int]:
    """Minimise a smooth function by SciPy's L-BFGS-B; return the minimum's place, its value and the iterations.

    It stops early when an iteration gains less than `tolerance`.

    >>> place, value, taken = minimise(lambda x: (float(((x - 3) ** 2).sum()), 2 * (x - 3)), np.zeros(2))
    >>> place.round(4).tolist(), round(value, 6), taken < 10
    ([3.0, 3.0], 0.0, True)
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (slow to load)

    def flat(place: Array) -> tuple[float, Array]:
        value, gradient = function(place.reshape(start.shape))
        return value, gradient.ravel()

    # Weights are worth so little that the gain of an iteration decides when to end, not the gradient.
    options = {"maxiter": iterations, "maxcor": 12, "ftol": tolerance, "gtol": 0.0}
    found = minimize(flat, start.ravel(), jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(start.shape), float(found.fun), int(found.nit)


def r2(error: float, spread: float) -> float:
    """The share of the variance that is explained, by a mean squared error: 0 for nothing, 1 for everything.

    >>> r2(1.0, 4.0), r2(1.0, 0.0)
    (0.75, 0.0)
    """
    return 1 - error / spread if spread > 0 else 0.0


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


def spread_of(scores: Floats, results: Floats) -> int:
    """The score at which the odds of a win are e to 1, by the results; NaN marks positions without a score.

    >>> spread_of(np.array([np.nan], np.float32), np.ones(1, np.float32))
    150
    """
    scored = np.flatnonzero(~np.isnan(scores))
    chosen = scored[:: max(1, len(scored) // FITTED)]
    if not len(chosen):
        return DEFAULT_SPREAD
    slope = slope_of(scores[chosen].astype(np.float64), results[chosen].astype(np.float64))
    return min(max(round(1 / slope), 1), MOST_SPREAD)


def mixed_targets(scores: Floats, results: Floats, mix: float, scale: float) -> Floats:
    """The target, an expected result: `mix` times what the score says, the rest from the result.

    >>> mixed_targets(np.float32([0, np.nan]), np.float32([1, 1]), 0.5, 150).tolist()
    [0.75, 1.0]
    """
    expected = 1 / (1 + np.exp(-scores / scale))
    return np.where(np.isnan(scores), results, mix * expected + (1 - mix) * results).astype(np.float32)


def calibrate(values: Array, results: Array) -> tuple[float, float]:
    """Margin and spread that turn scores into chances: a win has 1 / (1 + exp((margin - score) / spread)).

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
