"""Who plays whom: round-robin and gauntlet, and the words that every kind of tournament shares.

A pairing stands for pairs of games with colours exchanged, so nobody has to be given colours. What a tournament plays
next is a function of its players and of the meetings so far: an interrupted one goes on from what was stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from damier._core import DamierError

__all__ = ["Fixed", "Ledger", "Meeting", "Pairing", "Round", "Schedule", "distinct", "gauntlet", "round_robin"]


class Pairing(NamedTuple):
    """Two players to meet in a round; `replay` counts how often they already met in it without a winner."""

    first: str
    second: str
    round: int = 1
    replay: int = 0


class Meeting(NamedTuple):
    """What came of a pairing: the points of the first player in so many games."""

    first: str
    second: str
    points: float
    round: int = 1
    games: int = 2

    def turned(self) -> Meeting:
        """The same as the second player sees it.

        >>> Meeting("Anne", "Bob", 0.5).turned()
        Meeting(first='Bob', second='Anne', points=1.5, round=1, games=2)
        """
        return self._replace(first=self.second, second=self.first, points=self.games - self.points)


@dataclass(frozen=True)
class Round:
    """The pairings of a round, and who goes on without playing."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


class Schedule(Protocol):
    """A tournament as its runner sees it."""

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """What can be played now, given all meetings so far, in any order; nothing when the tournament is over."""


def round_robin(names: Sequence[str], rounds: int = 1) -> list[Pairing]:
    """Everybody meets everybody `rounds` times, by the circle method: in a round nobody plays twice.

    >>> for pairing in round_robin(["Anne", "Bob", "Carl"]):
    ...     print(pairing.round, pairing.first, pairing.second)
    1 Bob Carl
    2 Anne Carl
    3 Anne Bob
    """
    circle: list[str | None] = list(distinct(names))
    if len(circle) % 2:
        circle.append(None)  # who meets nobody has a rest
    _check_rounds(rounds)
    place = {name: number for number, name in enumerate(names)}
    half, pairings = len(circle) // 2, []
    for number in range(1, rounds * (len(circle) - 1) + 1):
        for a, b in zip(circle[:half], reversed(circle[half:]), strict=True):
            if a is not None and b is not None:
                first, second = sorted((a, b), key=lambda name: place[name])
                pairings.append(Pairing(first, second, number))
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return pairings


def gauntlet(challengers: str | Sequence[str], others: Sequence[str], rounds: int = 1) -> list[Pairing]:
    """One challenger, or each of several, meets all the others `rounds` times; the others do not meet.

    >>> gauntlet("new", ["old", "older"])
    [Pairing(first='new', second='old', round=1, replay=0), Pairing(first='new', second='older', round=1, replay=0)]
    """
    ours = [challengers] if isinstance(challengers, str) else list(challengers)
    distinct([*ours, *others])
    if not ours or not others:
        raise DamierError(f"a gauntlet of {len(ours)} against {len(others)}, expected a player at least on each side")
    _check_rounds(rounds)
    return [Pairing(one, other, number) for number in range(1, rounds + 1) for other in others for one in ours]


@dataclass(frozen=True)
class Fixed:
    """A schedule known from the start.

    >>> schedule = Fixed(round_robin(["Anne", "Bob", "Carl"]))
    >>> [pairing[:2] for pairing in schedule.due([Meeting("Carl", "Bob", 1.5)])]
    [('Anne', 'Carl'), ('Anne', 'Bob')]
    """

    pairings: Sequence[Pairing]

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """The pairings that were not played yet."""
        ledger = Ledger(meetings)
        rest = [pairing for pairing in self.pairings if not ledger.take(pairing)]
        ledger.check_empty()
        return rest


class Ledger:
    """The meetings so far, taken out pairing by pairing: what is left belongs to another tournament.

    >>> ledger = Ledger([Meeting("Bob", "Anne", 0.5)])
    >>> ledger.take(Pairing("Anne", "Bob"))
    [Meeting(first='Anne', second='Bob', points=1.5, round=1, games=2)]
    """

    def __init__(self, meetings: Iterable[Meeting]) -> None:
        self._meetings: dict[tuple[int, frozenset[str]], list[Meeting]] = {}
        for meeting in meetings:
            if not 0 <= meeting.points <= meeting.games or meeting.first == meeting.second:
                raise DamierError(f"{_named(meeting)} gave {meeting.points:g} points in {meeting.games} games")
            self._meetings.setdefault((meeting.round, frozenset(meeting[:2])), []).append(meeting)

    def take(self, pairing: Pairing, most: int = 1) -> list[Meeting]:
        """The meetings of a pairing, with its first player as theirs."""
        taken = self._meetings.pop((pairing.round, frozenset(pairing[:2])), [])
        if len(taken) > most:
            raise DamierError(f"{_named(pairing)} was played {len(taken)} times, expected {most} at most")
        return [meeting if meeting.first == pairing.first else meeting.turned() for meeting in taken]

    def check_empty(self) -> None:
        """Refuse meetings that were never due: the players or their order must have changed."""
        for meetings in self._meetings.values():
            raise DamierError(f"{_named(meetings[0])} was played but never due, expected results of this tournament")


def distinct(names: Sequence[str], least: int = 2) -> Sequence[str]:
    """The names, if there are enough and no two alike."""
    if len(names) < least:
        raise DamierError(f"{len(names)} players, expected {least} at least")
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise DamierError(f"{twice[0]!r} plays twice, expected different names")
    return names


def _check_rounds(rounds: int) -> None:
    if rounds < 1:
        raise DamierError(f"rounds is {rounds}, expected 1 at least")


def _named(some: Pairing | Meeting) -> str:
    return f"{some.first} - {some.second} in round {some.round}"
