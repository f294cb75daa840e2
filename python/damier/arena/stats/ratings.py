"""Ratings of many players on one scale from the games they played, with error bars.

The most likely ratings under the model of `davidson.py`, which also estimates what moving first is worth and how many
games between equals are drawn. Games are taken as independent; the two of a pair are not quite, which makes the error
bars a little too wide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from damier._core import DamierError
from damier.arena.stats.davidson import NO_DRAWS, Counts, Fit, Likelihood
from damier.arena.stats.pairs import Z95, Estimate

__all__ = ["Rating", "Ratings", "Result", "rate"]

NATURAL = math.log(10) / 400  # natural units in one Elo
LOSS, DRAW, WIN = 0.0, 0.5, 1.0


class Result(NamedTuple):
    """One game: who moved first, who second, and the points of the first: 1, 1/2 or 0."""

    first: str
    second: str
    points: float


@dataclass(frozen=True)
class Rating:
    """A row of the table: half the 95 % interval is `error`, `opponents` the mean rating of those played against."""

    name: str
    elo: float
    error: float
    games: int
    points: float
    opponents: float

    @property
    def share(self) -> float:
        """The share of points.

        >>> Rating("Anne", 20.0, 9.0, games=8, points=5.0, opponents=-20.0).share
        0.625
        """
        return self.points / self.games


@dataclass(frozen=True)
class Ratings:
    """What `rate` found: the table, strongest first, and what all players have in common.

    `advantage` is what moving first is worth in Elo, `draw_rate` the share of games between equals that is drawn.
    """

    table: tuple[Rating, ...]
    advantage: Estimate
    draw_rate: float
    _covariance: NDArray[np.float64] = field(repr=False, compare=False)  # in Elo, in the order of the table

    def __getitem__(self, name: str) -> Rating:
        return self.table[self._place(name)]

    def __len__(self) -> int:
        return len(self.table)

    def __iter__(self) -> Iterator[Rating]:
        return iter(self.table)

    def difference(self, a: str, b: str) -> Estimate:
        """How much stronger a is; the error is smaller than those of both together, as they are not independent.

        >>> ratings = rate([("Anne", "Bob", 1), ("Bob", "Anne", 0), ("Anne", "Bob", 0.5), ("Bob", "Anne", 1)] * 10)
        >>> print(ratings.difference("Anne", "Bob"))
        +94.3 ± 98.2
        """
        i, j = self._place(a), self._place(b)
        variance = self._covariance[i, i] + self._covariance[j, j] - 2 * self._covariance[i, j]
        return Estimate(self.table[i].elo - self.table[j].elo, Z95 * math.sqrt(max(0.0, float(variance))))

    def los(self, a: str, b: str) -> float:
        """The likelihood that a is stronger than b.

        >>> ratings = rate([("Anne", "Bob", 1), ("Bob", "Anne", 1), ("Anne", "Bob", 1), ("Bob", "Anne", 0)])
        >>> round(ratings.los("Anne", "Bob"), 2)
        0.82
        """
        lead = self.difference(a, b)
        if not lead.error:
            return 0.5 if not lead.value else float(lead.value > 0)
        return 0.5 * (1 + math.erf(Z95 * lead.value / lead.error / math.sqrt(2)))

    def _place(self, name: str) -> int:
        for place, row in enumerate(self.table):
            if row.name == name:
                return place
        raise DamierError(f"{name!r} has no rating, expected one of {_listed([row.name for row in self.table])}")


def rate(
    results: Iterable[tuple[str, str, float]] | Mapping[Result, int],
    anchors: Mapping[str, float] | None = None,
    *,
    prior: float = 1.0,
    advantage: float | None = None,
) -> Ratings:
    """The most likely ratings of all players, from games given as (who moved first, who second, points of the first),
    or from how often each result occurred.

    Anchors are fixed at their ratings; without any the mean is 0. The prior is a number of virtual drawn games per
    player, shared among its opponents: with it, whoever won everything still has a finite rating. The advantage of
    the first mover is estimated unless it is given.

    >>> games = [("Anne", "Bob", 1), ("Bob", "Anne", 0), ("Anne", "Bob", 0.5), ("Bob", "Anne", 1)] * 20
    >>> games += [("Bob", "Carl", 1), ("Carl", "Bob", 0.5)] * 20 + [("Bob", "Carl", 0)] * 10
    >>> for row in rate(games, {"Bob": 1500}):
    ...     print(f"{row.name} {row.elo:.0f} ± {row.error:.0f}, {row.points:g} of {row.games}")
    Anne 1594 ± 66, 50 of 80
    Bob 1500 ± 0, 60 of 130
    Carl 1443 ± 82, 20 of 50
    """
    anchors = anchors or {}
    tally = _tally(results)
    names = sorted({name for first, second, _ in tally for name in (first, second)})
    _check(names, tally, anchors, prior, advantage)
    counts = _counts(tally, names)
    start, free = _frame(names, anchors, advantage, has_draws=bool(counts.draws.any()))
    return _report(names, counts, Likelihood(counts, len(names), prior).fit(start, free))


def _tally(results: Iterable[tuple[str, str, float]] | Mapping[Result, int]) -> Counter[Result]:
    """How often each result occurred; anything that is not a result raises an error."""
    tally = Counter(results) if isinstance(results, Mapping) else Counter(Result(*each) for each in results)
    for first, second, points in tally:
        if points not in (LOSS, DRAW, WIN):
            raise DamierError(f"{first} - {second} gave {points} points, expected 0, 0.5 or 1")
        if first == second:
            raise DamierError(f"{first} played against itself, expected two players")
    return tally


def _check(
    names: Collection[str],
    tally: Collection[Result],
    anchors: Mapping[str, float],
    prior: float,
    advantage: float | None,
) -> None:
    if not tally:
        raise DamierError("there are no games to rate, expected at least one")
    if not 0 <= prior < math.inf:
        raise DamierError(f"prior is {prior:g}, expected a number of games, 0 or more")
    for name, value in [("advantage", advantage or 0.0), *anchors.items()]:
        if not math.isfinite(value):
            raise DamierError(f"{name} is {value:g}, expected a finite number")
    if strangers := sorted(set(anchors) - set(names)):
        raise DamierError(f"anchor {strangers[0]!r} played no game, expected one of {_listed(names)}")
    groups = [group for group in _groups(names, tally) if not group & set(anchors)]
    if groups and (anchors or len(groups) > 1):
        others = sorted(set(names) - groups[0])
        raise DamierError(
            f"no games lead from {_listed(sorted(groups[0]))} to {_listed(others)}, "
            "expected a path of games between all players, or an anchor in each group"
        )


def _groups(names: Iterable[str], tally: Iterable[Result]) -> list[set[str]]:
    """Players joined by games, group by group."""
    group_of = {name: {name} for name in names}
    for first, second, _ in tally:
        ours, theirs = group_of[first], group_of[second]
        if ours is not theirs:
            ours |= theirs
            group_of |= dict.fromkeys(theirs, ours)
    return list({id(group): group for group in group_of.values()}.values())


def _counts(tally: Mapping[Result, int], names: list[str]) -> Counts:
    """Sorted, so that the same games in another order give the same ratings to the last bit."""
    place = {name: number for number, name in enumerate(names)}
    met = sorted({(first, second) for first, second, _ in tally})
    wins, draws, losses = (
        np.array([tally.get(Result(first, second, points), 0) for first, second in met], dtype=float)
        for points in (WIN, DRAW, LOSS)
    )
    first, second = (np.array([place[pair[side]] for pair in met], dtype=np.intp) for side in (0, 1))
    return Counts(first, second, wins, draws, losses)


def _frame(
    names: list[str], anchors: Mapping[str, float], advantage: float | None, *, has_draws: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the search starts, and the directions that anchors (or the mean of 0) leave free, one a column."""
    players = len(names)
    start = np.array([*(NATURAL * anchors.get(name, 0.0) for name in names), NATURAL * (advantage or 0.0), 0.0])
    every = np.eye(players + 2)
    if anchors:
        columns = [every[i] for i, name in enumerate(names) if name not in anchors]
        start[[i for i, name in enumerate(names) if name not in anchors]] = NATURAL * np.mean(list(anchors.values()))
    else:
        columns = [every[i] - every[players - 1] for i in range(players - 1)]
    if advantage is None:
        columns.append(every[players])
    if has_draws:
        columns.append(every[players + 1])
    else:
        start[players + 1] = NO_DRAWS
    return start, np.array(columns).reshape(len(columns), players + 2).T


def _report(names: list[str], counts: Counts, fit: Fit) -> Ratings:
    players = len(names)
    elo = fit.parameters[:-1] / NATURAL
    covariance = fit.covariance[:-1, :-1] / NATURAL**2
    error = Z95 * np.sqrt(np.maximum(0, np.diag(covariance)))
    games, points, opponents = np.zeros(players), np.zeros(players), np.zeros(players)
    won = counts.wins + counts.draws / 2
    for us, them, ours in ((counts.first, counts.second, won), (counts.second, counts.first, counts.games - won)):
        np.add.at(games, us, counts.games)
        np.add.at(points, us, ours)
        np.add.at(opponents, us, counts.games * elo[them])
    opponents /= games
    order = sorted(range(players), key=lambda i: (-elo[i], names[i]))
    table = tuple(
        Rating(names[i], float(elo[i]), float(error[i]), int(games[i]), float(points[i]), float(opponents[i]))
        for i in order
    )
    nu = math.exp(fit.parameters[-1])
    return Ratings(
        table, Estimate(float(elo[players]), float(error[players])), nu / (2 + nu), covariance[np.ix_(order, order)]
    )


def _listed(names: Collection[str], most: int = 4) -> str:
    return ", ".join([*list(names)[:most], *(["..."] if len(names) > most else [])])
