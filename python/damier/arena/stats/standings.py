"""The standings of a tournament: points with tie-breaks, and who scored how much against whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from damier.arena.schedule.schedule import Meeting

__all__ = ["Score", "Standing", "cross_table", "standings"]


@dataclass(frozen=True)
class Standing:
    """A player's place: `byes` are points without playing; ties are broken by Buchholz, then Sonneborn-Berger."""

    rank: int
    name: str
    points: float
    games: int
    buchholz: float
    sonneborn_berger: float
    byes: float = 0.0


class Score(NamedTuple):
    """Points, and the number of games they were scored in."""

    points: float
    games: int


def standings(meetings: Iterable[Meeting], byes: Mapping[str, float] | None = None) -> list[Standing]:
    """Everybody who met somebody or is named in `byes` (points without playing), the leader first.

    Buchholz adds up the points of the opponents, once per meeting; Sonneborn-Berger weighs them by the share of points
    scored against each. Players equal in everything share a rank.

    >>> for row in standings([Meeting("Anne", "Bob", 1.5), Meeting("Bob", "Carl", 2), Meeting("Carl", "Anne", 1)]):
    ...     print(row.rank, row.name, row.points, row.buchholz, row.sonneborn_berger)
    1 Anne 2.5 3.5 2.375
    2 Bob 2.5 3.5 1.625
    3 Carl 1 5.0 1.25
    """
    byes = byes or {}
    seen = [side for meeting in meetings for side in (meeting, meeting.turned())]
    points: dict[str, float] = dict(byes)
    games: dict[str, int] = dict.fromkeys(byes, 0)
    for side in seen:
        points[side.first] = points.get(side.first, 0) + side.points
        games[side.first] = games.get(side.first, 0) + side.games
    buchholz: defaultdict[str, float] = defaultdict(float)
    sonneborn_berger: defaultdict[str, float] = defaultdict(float)
    for side in seen:
        buchholz[side.first] += points[side.second]
        sonneborn_berger[side.first] += points[side.second] * side.points / side.games

    def merit(name: str) -> tuple[float, float, float]:
        return points[name], buchholz[name], sonneborn_berger[name]

    order = sorted(points, key=lambda name: (tuple(-value for value in merit(name)), name))
    rank: dict[tuple[float, float, float], int] = {}
    return [
        Standing(
            rank.setdefault(merit(name), place),
            name,
            points[name],
            games[name],
            buchholz[name],
            sonneborn_berger[name],
            byes.get(name, 0.0),
        )
        for place, name in enumerate(order, 1)
    ]


def cross_table(meetings: Iterable[Meeting]) -> dict[str, dict[str, Score]]:
    """By player, in the order of the standings, the score against each opponent.

    >>> cross_table([Meeting("Anne", "Bob", 1.5), Meeting("Bob", "Anne", 1)])
    {'Anne': {'Bob': Score(points=2.5, games=4)}, 'Bob': {'Anne': Score(points=1.5, games=4)}}
    """
    some = list(meetings)
    names = [row.name for row in standings(some)]
    taken: defaultdict[tuple[str, str], Score] = defaultdict(lambda: Score(0, 0))
    for side in (side for meeting in some for side in (meeting, meeting.turned())):
        before = taken[side.first, side.second]
        taken[side.first, side.second] = Score(before.points + side.points, before.games + side.games)
    return {one: {other: taken[one, other] for other in names if (one, other) in taken} for one in names}
