"""Weights from a pool in which good members have offspring and bad ones are removed, until one is left."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.eval import Linear
from damier.lab.constraints import read_constraints
from damier.lab.duels import Array, DuelSettings, Meeting, Spread
from damier.lab.training import Learner, Metrics

__all__ = ["GeneticLearner", "GeneticSettings"]

MUTATED = 1 / 3  # of the weights of a duplicate
SHRINKING = 0.6  # of the steps, until there is no room for new members


@dataclass(frozen=True)
class GeneticSettings(DuelSettings):
    """The settings of a training: `games_per_step` games between two members of the pool drawn at random.

    A member is judged after `trial` games, by the points it won since it was last judged good, or since it began.
    """

    pool: int = 24
    games_per_step: int = 60
    value: float = 1.0  # points at stake in a game
    trial: int = 20
    low: float = -8.0
    high: float = 6.0
    mutation: float = 0.1  # standard deviation, as a share of the range of a weight


@dataclass(frozen=True, eq=False)
class _Pool:
    """The members, a row each; `met` says who has played whom, the other two columns the counts when last judged."""

    weights: Array
    points: Array
    games: Array
    judged_points: Array
    judged_games: Array
    met: Array

    def __len__(self) -> int:
        return len(self.points)

    @classmethod
    def of(cls, weights: Array) -> _Pool:
        """Members that have never played."""
        size = len(weights)
        empty = [np.zeros(size) for _ in range(4)]
        return cls(weights, empty[0], empty[1], empty[2], empty[3], np.zeros((size, size)))

    def copy(self) -> _Pool:
        return _Pool(**{name: array.copy() for name, array in vars(self).items()})

    def kept(self, chosen: npt.NDArray[np.bool_]) -> _Pool:
        """The chosen members (a row of booleans)."""
        columns = {name: array[chosen] for name, array in vars(self).items()}
        return _Pool(**columns | {"met": self.met[np.ix_(chosen, chosen)]})

    def joined(self, weights: Array) -> _Pool:
        """With new members at the end."""
        new, size = _Pool.of(weights), len(self)
        met = np.zeros((size + len(new), size + len(new)))
        met[:size, :size] = self.met
        columns = {
            name: np.concatenate([array, getattr(new, name)]) for name, array in vars(self).items() if name != "met"
        }
        return _Pool(**columns, met=met)

    def score(self, winner: int, loser: int, value: float) -> None:
        """Score a win, which is worth more the better the loser had done so far, compared with the winner."""
        coeff = 1.0
        if self.games[winner] and self.games[loser]:
            means = self.points / np.maximum(self.games, 1)
            coeff = max(1.0, 1.0 + float(means[loser] - means[winner]))
        self.points[winner] += value * coeff
        self.points[loser] -= value * coeff


class GeneticLearner(Learner):
    """A pool of random weights within ranges; members play, bad ones are removed and good ones multiply.

    A step is a round of games, after which members that have played their trial are judged: below `low` points they are
    removed; above `high` they have offspring, by crossover with another such member they have met, else by mutation.
    The pool never grows beyond its first size, and from step to step there is less room for new members, so that
    learning ends; the last member is never removed. It ends when one is left, or after the last step with the member
    that has the most points.

    >>> learner = GeneticLearner("rennes", steps=2, settings=GeneticSettings(pool=4, games_per_step=10, nodes=10))
    >>> learner.step(0)["games"]
    10.0
    """

    method: ClassVar[str] = "genetic"

    def __init__(
        self,
        game: str,
        *,
        steps: int = 500,
        constraints: str | os.PathLike[str] | None = None,
        settings: GeneticSettings | None = None,
        threads: int = 1,
    ) -> None:
        settings = settings or GeneticSettings()
        self.game, self.steps, self._settings = games.info(game).name, steps, settings
        _check(settings)
        self._duels = settings.duels(game, threads)
        self._features = self._duels.features
        names = games.board(game).feature_names(self._features)
        if constraints is None:
            self._high = Spread(game, self._features).alone()
            self._low = -self._high
        else:
            self._low, self._high = read_constraints(constraints, names)
        rng = np.random.default_rng([settings.seed, 2**32])
        self._pool = _Pool.of(rng.uniform(self._low, self._high, size=(settings.pool, len(names))))
        ranges = np.stack([self._low, self._high], axis=1).tolist()
        self.settings = {
            **asdict(settings),
            "features": self._features,
            "constraints": constraints and dict(zip(names, ranges, strict=True)),  # a file may change, or be moved
        }

    def step(self, number: int) -> Metrics:
        rng = np.random.default_rng([self._settings.seed, number])
        pool = self._pool.copy()  # kept as it is if the step is interrupted
        self._play(pool, rng)
        most, mean = float(pool.points.max()), float((pool.points / np.maximum(pool.games, 1)).mean())
        pool, removed = self._without_bad(pool)
        born = self._offspring(pool, rng, number)
        self._pool = pool.joined(born)
        return {
            "games": float(self._settings.games_per_step),
            "pool": float(len(self._pool)),
            "removed": float(removed),
            "born": float(len(born)),
            "best_points": most,
            "mean_points_per_game": mean,
        }

    def state(self) -> dict[str, Array]:
        return dict(vars(self._pool))

    def restore(self, state: Mapping[str, Array]) -> None:
        if state["weights"].shape[1:] != self._low.shape:
            raise ValueError(f"it has weights of shape {list(state['weights'].shape)}, expected {self._low.size} each")
        self._pool = _Pool(**{name: state[name] for name in vars(self._pool)})

    def learnt(self) -> Linear:
        best = int(self._pool.points.argmax())
        return Linear(self._features, self._pool.weights[best], f"{self._features}-genetic")

    def is_done(self) -> bool:
        return len(self._pool) == 1

    @property
    def left(self) -> int:
        """The number of members left in the pool."""
        return len(self._pool)

    def _play(self, pool: _Pool, rng: np.random.Generator) -> None:
        """A round of games; who meets whom does not depend on how they end."""
        pairs = [rng.choice(len(pool), 2, replace=False).tolist() for _ in range(self._settings.games_per_step)]
        seeds = rng.integers(2**62, size=len(pairs)).tolist()
        meetings = [
            Meeting(pool.weights[a], pool.weights[b], 1, seed) for (a, b), seed in zip(pairs, seeds, strict=True)
        ]
        for (a, b), points in zip(pairs, self._duels.play(meetings), strict=True):
            if points != 0.5:
                pool.score(*((a, b) if points == 1 else (b, a)), self._settings.value)
            pool.games[[a, b]] += 1
            pool.met[a, b] = pool.met[b, a] = 1

    def _gained(self, pool: _Pool) -> Array:
        """The points each member is judged by; none before its trial is over."""
        gained = pool.points - pool.judged_points
        return np.where(pool.games - pool.judged_games >= self._settings.trial, gained, 0.0)

    def _without_bad(self, pool: _Pool) -> tuple[_Pool, int]:
        bad = self._gained(pool) < self._settings.low
        if bad.all():  # the best stays
            bad[pool.points.argmax()] = False
        return pool.kept(~bad), int(bad.sum())

    def _room(self, number: int) -> float:
        """How many members there may be after a step for others to be born: fewer and fewer, so that it ends."""
        return self._settings.pool * (1 - number / (SHRINKING * self.steps))

    def _offspring(self, pool: _Pool, rng: np.random.Generator, number: int = 0) -> Array:
        """The weights of new members, as many as there is room for, the best parents first; these start a new trial."""
        gained = self._gained(pool)
        good = [int(member) for member in np.argsort(-gained, kind="stable") if gained[member] > self._settings.high]
        if len(pool) == 1:
            good = []  # it has won
        born: list[Array] = []
        while good and len(pool) + len(born) < self._room(number):
            first, *good = good
            second = next((other for other in good if pool.met[first, other]), None)
            if second is None:
                born.append(self._mutated(pool.weights[first], rng))
                parents = [first]
            else:
                from_first = rng.random(len(self._low)) < 0.5
                born.append(np.where(from_first, pool.weights[first], pool.weights[second]))
                good.remove(second)
                parents = [first, second]
            pool.judged_points[parents], pool.judged_games[parents] = pool.points[parents], pool.games[parents]
        return np.array(born).reshape(-1, len(self._low))

    def _mutated(self, weights: Array, rng: np.random.Generator) -> Array:
        chosen = rng.random(len(weights)) < MUTATED
        chosen[rng.integers(len(weights))] = True
        change = rng.normal(0, self._settings.mutation, len(weights)) * (self._high - self._low)
        return np.clip(weights + chosen * change, self._low, self._high)


def _check(settings: GeneticSettings) -> None:
    check_range("pool", settings.pool, 2, 10_000)
    check_range("games per step", settings.games_per_step, 1, 10**6)
    check_range("value", settings.value, 0.001, 1000)
    check_range("trial", settings.trial, 1, 10**6)
    check_range("mutation", settings.mutation, 0, 1)
    if not -(10**9) < settings.low < 0 < settings.high < 10**9:
        raise DamierError(f"the marks are {settings.low} and {settings.high}, expected one below 0 and one above")
