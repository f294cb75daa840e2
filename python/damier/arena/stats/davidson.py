"""The likelihood behind ratings, and where it is greatest: Davidson's model (1970), Bradley-Terry with draws.

With x the lead of the first mover, the odds of win, draw and loss are exp(x / 2) : nu : exp(-x / 2). As in BayesElo,
x = (1 + nu / 2) * difference, so that between near equals a difference of Elo means the share of points that
`share_of` gives, however many games are drawn. Everything here is in natural units, Elo * ln(10) / 400.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from damier._core import DamierError

__all__ = ["NO_DRAWS", "Counts", "Fit", "Likelihood"]

Array = NDArray[np.float64]

NO_DRAWS = -700.0  # log(nu) where nu is zero for all that a double can tell
ITERATIONS = 200
CLOSE = 1e-10  # what another step could still add to the log-likelihood
LONGEST_STEP = 3.0  # in natural units: a step beyond it leaves where the model is nearly quadratic
VAGUE = 10.0  # a standard error beyond it (1700 Elo) means that the games say nothing


@dataclass(frozen=True)
class Counts:
    """Games by who met whom: the row's player `first` moved first against `second` and won, drew and lost so many."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    wins: Array
    draws: Array
    losses: Array

    @property
    def games(self) -> Array:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Fit:
    """The most likely parameters: one strength per player, then the first mover's advantage, then log(nu)."""

    parameters: Array
    covariance: Array


@dataclass(frozen=True)
class Point:
    """The log-likelihood at some parameters: value, slope, and information as observed and as expected."""

    value: float
    slope: Array
    observed: Array
    expected: Array


class Likelihood:
    """The log-likelihood of counted games, as a function of all parameters.

    The prior adds virtual games with no draws, each half won and half lost: `prior` per player, shared among its real
    opponents, and `prior` between first and second mover; of as many games between equals it has half drawn.
    """

    def __init__(self, counts: Counts, players: int, prior: float) -> None:
        self.counts, self.players, self.prior = counts, players, prior
        rows = np.arange(len(counts.first))
        sides = np.zeros((len(rows), players + 2))
        sides[rows, counts.first] = 1
        sides[rows, counts.second] = -1
        met = np.zeros(players)
        np.add.at(met, counts.first, counts.games)
        np.add.at(met, counts.second, counts.games)
        shared = counts.games * (1 / met[counts.first] + 1 / met[counts.second]) / 2
        self._virtual = np.vstack([sides, np.eye(players + 2)[players]])
        self._weights = prior * np.append(shared, 1.0)
        self._leads = sides.copy()
        self._leads[:, players] = 1

    def fit(self, start: Array, free: Array) -> Fit:
        """Climb from `start` along the columns of `free` by Newton's method; what does not converge raises."""
        here, at = start, self.at(start)
        for _ in range(ITERATIONS):
            step, gain = _step(at, free)
            if gain < CLOSE:
                return Fit(here + step, _covariance(at, free))  # so close, Newton's step is right to the last digits
            here, at = self._climb(here, at, step)
        raise DamierError(f"the ratings did not settle in {ITERATIONS} steps: {_ADVICE}")

    def _climb(self, here: Array, at: Point, step: Array) -> tuple[Array, Point]:
        """Go along the step, or as much of it as goes up."""
        part = min(1.0, LONGEST_STEP / float(np.abs(step).max()))
        while part > 1e-12:
            there = self.at(here + part * step)
            if there.value >= at.value - 1e-13 * abs(at.value):  # rounding is no way down
                return here + part * step, there
            part /= 2
        raise DamierError(f"the ratings did not settle: {_ADVICE}")

    def at(self, parameters: Array) -> Point:
        """Everything about the log-likelihood at one place; t is +1/2 for a win, 0 for a draw, -1/2 for a loss."""
        counts, games, u = self.counts, self.counts.games, len(parameters) - 1
        log_nu = parameters[u]
        nu = np.exp(log_nu)
        lead = self._leads @ parameters
        scale, x_by_u = 1 + nu / 2, nu / 2 * lead
        x = scale * lead
        total = np.logaddexp(np.logaddexp(x / 2, -x / 2), log_nu)
        win, draw, loss = np.exp(x / 2 - total), np.exp(log_nu - total), np.exp(-x / 2 - total)

        seen, mean = (counts.wins - counts.losses) / 2, (win - loss) / 2
        surplus = seen - games * mean
        value = float(seen @ x + counts.draws.sum() * log_nu - games @ total)
        slope = self._leads.T @ (scale * surplus)
        slope[u] += (counts.draws - games * draw + surplus * x_by_u).sum()

        var_t, cov, var_draw = (win + loss) / 4 - mean**2, -mean * draw, draw * (1 - draw)
        expected = self._leads.T @ (self._leads * (games * scale**2 * var_t)[:, None])
        mixed = self._leads.T @ (games * scale * (x_by_u * var_t + cov))
        expected[u, :] += mixed
        expected[:, u] += mixed
        expected[u, u] += games @ (x_by_u**2 * var_t + 2 * x_by_u * cov + var_draw)
        bent = np.zeros_like(expected)  # where x is not linear in the parameters, results as they came count
        bent[u, :] = bent[:, u] = -(self._leads.T @ (nu / 2 * surplus))
        bent[u, u] -= surplus @ x_by_u
        return self._with_prior(parameters, Point(value, slope, expected + bent, expected))

    def _with_prior(self, parameters: Array, point: Point) -> Point:
        u, half = len(parameters) - 1, self.prior / 2
        lead, weights = self._virtual @ parameters, self._weights
        total, mean = np.logaddexp(lead / 2, -lead / 2), np.tanh(lead / 2) / 2
        equal_total = np.logaddexp(np.log(2), parameters[u])
        equal_draw = np.exp(parameters[u] - equal_total)
        value = point.value - float(weights @ total) + half * float(parameters[u] + np.log(2) - 2 * equal_total)
        slope = point.slope - self._virtual.T @ (weights * mean)
        slope[u] += half * (1 - 2 * equal_draw)
        added = self._virtual.T @ (self._virtual * (weights * (0.25 - mean**2))[:, None])
        added[u, u] += 2 * half * equal_draw * (1 - equal_draw)
        return Point(value, slope, point.observed + added, point.expected + added)


_ADVICE = "give a prior above 0, more games, or the advantage"


def _step(at: Point, free: Array) -> tuple[Array, float]:
    """Newton's step, or Fisher's where the likelihood is not yet round, and what it promises to add."""
    slope = free.T @ at.slope
    if not len(slope):
        return np.zeros(len(at.slope)), 0.0
    for information in (at.observed, at.expected):
        step = _solved(free.T @ information @ free, slope)
        if step is not None:
            return free @ step, float(slope @ step) / 2
    raise DamierError(f"the games do not determine the ratings: {_ADVICE}")


def _covariance(at: Point, free: Array) -> Array:
    """Of all parameters: the inverse of the information on the free ones; those that are fixed vary with nothing."""
    if not free.shape[1]:
        return np.zeros_like(at.observed)
    inverse = _solved(free.T @ at.observed @ free, np.eye(free.shape[1]))
    if inverse is None or np.sqrt(np.diag(inverse).max()) > VAGUE:
        raise DamierError(f"the games do not determine the ratings: {_ADVICE}")
    found: Array = free @ inverse @ free.T
    return found


def _solved(matrix: Array, right: Array) -> Array | None:
    """The solution of a positive definite system; None if it is not."""
    try:
        np.linalg.cholesky(matrix)
        return np.asarray(np.linalg.solve(matrix, right), np.float64)
    except np.linalg.LinAlgError:
        return None
