"""Who plays whom: round-robin and gauntlet, and the vocabulary that all kinds of tournament share.

A pairing stands for pairs of games with colours reversed, so nobody needs to be assigned colours. What a tournament
plays next is a function of its players and of the meetings so far: an interrupted one resumes from what was stored.
Pairings are made lazily, so there may be any number of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.players.base import check_name

__all__ = [
    "Fixed",
    "Ledger",
    "Meeting",
    "Pairing",
    "Pairings",
    "Round",
    "Schedule",
    "distinct",
    "gauntlet",
    "round_robin",
]


class Pairing(NamedTuple):
    """Two players to meet in a round; `replay` counts how often they already met in it without a winner."""

    first: str
    second: str
    round: int = 1
    replay: int = 0


class Meeting(NamedTuple):
    """The result of a pairing: the points of the first player in a number of games."""

    first: str
    second: str
    points: float
    round: int = 1
    games: int = 2

    def turned(self) -> Meeting:
        """The same from the second player's side.

        >>> Meeting("Anne", "Bob", 0.5).turned()
        Meeting(first='Bob', second='Anne', points=1.5, round=1, games=2)
        """
        return self._replace(first=self.second, second=self.first, points=self.games - self.points)


@dataclass(frozen=True)
class Round:
    """The pairings of a round, and who has a bye."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[str, ...] = ()


class Schedule(ABC):
    """A tournament as its runner sees it."""

    @abstractmethod
    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """What can be played now, given all meetings so far, in any order; nothing when the tournament is over."""

    def pending(self, meetings: Iterable[Meeting]) -> Iterator[Pairing]:
        """The same, made as it is asked for where there may be very many."""
        return iter(self.due(meetings))


class Pairings(Sequence[Pairing]):
    """Rounds of the same size, each made from its number, from 1 on, when it is asked for.

    >>> pairings = Pairings(lambda number: [Pairing("Anne", "Bob", number)], 10**9)
    >>> len(pairings), pairings[-1].round, Pairing("Anne", "Bob", 7) in pairings
    (1000000000, 1000000000, True)
    """

    def __init__(self, make: Callable[[int], list[Pairing]], rounds: int) -> None:
        self._make, self._rounds, self._size = make, rounds, len(make(1))

    def __len__(self) -> int:
        return self._rounds * self._size

    def __iter__(self) -> Iterator[Pairing]:
        return (pairing for number in range(1, self._rounds + 1) for pairing in self._make(number))

    @overload
    def __getitem__(self, index: int) -> Pairing: ...
    @overload
    def __getitem__(self, index: slice) -> list[Pairing]: ...
    def __getitem__(self, index: int | slice) -> Pairing | list[Pairing]:
        if isinstance(index, slice):
            return [self[place] for place in range(len(self))[index]]
        place = range(len(self))[index]
        return self._make(1 + place // self._size)[place % self._size]

    def __contains__(self, item: object) -> bool:
        """Whether two are paired in a round, whoever is named first."""
        if not isinstance(item, Pairing) or not 1 <= item.round <= self._rounds:
            return False
        return any({*pairing[:2]} == {*item[:2]} for pairing in self._make(item.round))


def round_robin(names: Sequence[str], rounds: int = 1) -> Pairings:
    """Everybody meets everybody `rounds` times, by the circle method: in a round nobody plays twice.

    >>> for pairing in round_robin(["Anne", "Bob", "Carl"]):
    ...     print(pairing.round, pairing.first, pairing.second)
    1 Bob Carl
    2 Anne Carl
    3 Anne Bob
    """
    seats: list[str | None] = list(distinct(names))
    if len(seats) % 2:
        seats.append(None)  # who meets nobody has a rest
    _check_rounds(rounds)
    place = {name: number for number, name in enumerate(names)}
    half, turns = len(seats) // 2, len(seats) - 1

    def made(number: int) -> list[Pairing]:
        turn = (number - 1) % turns
        circle = [seats[0], *seats[1 + turns - turn :], *seats[1 : 1 + turns - turn]]
        met = zip(circle[:half], reversed(circle[half:]), strict=True)
        pairs = [(a, b) if place[a] < place[b] else (b, a) for a, b in met if a is not None and b is not None]
        return [Pairing(first, second, number) for first, second in pairs]

    return Pairings(made, rounds * turns)


def gauntlet(challengers: str | Sequence[str], others: Sequence[str], rounds: int = 1) -> Pairings:
    """One challenger, or each of several, meets all the others `rounds` times; the others do not meet.

    >>> list(gauntlet("new", ["old", "older"]))
    [Pairing(first='new', second='old', round=1, replay=0), Pairing(first='new', second='older', round=1, replay=0)]
    """
    ours = [challengers] if isinstance(challengers, str) else list(challengers)
    distinct([*ours, *others])
    if not ours or not others:
        raise DamierError(f"a gauntlet of {len(ours)} against {len(others)}, expected at least one player on each side")
    _check_rounds(rounds)
    return Pairings(lambda number: [Pairing(one, other, number) for other in others for one in ours], rounds)


@dataclass(frozen=True)
class Fixed(Schedule):
    """A schedule known from the start.

    >>> schedule = Fixed(round_robin(["Anne", "Bob", "Carl"]))
    >>> [pairing[:2] for pairing in schedule.due([Meeting("Carl", "Bob", 1.5)])]
    [('Anne', 'Carl'), ('Anne', 'Bob')]
    """

    pairings: Sequence[Pairing]

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """The pairings not played yet."""
        return list(self.pending(meetings))

    def pending(self, meetings: Iterable[Meeting]) -> Iterator[Pairing]:
        ledger = Ledger(meetings)
        ledger.check_due(self.pairings)
        return (pairing for pairing in self.pairings if not ledger.take(pairing))


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
            raise DamierError(f"{_named(pairing)} was played {len(taken)} times, expected at most {most}")
        return [meeting if meeting.first == pairing.first else meeting.turned() for meeting in taken]

    def check_due(self, pairings: Sequence[Pairing]) -> None:
        """Refuse meetings that are not among these pairings."""
        due = pairings if isinstance(pairings, Pairings) else {(each.round, frozenset(each[:2])) for each in pairings}
        for (number, players), meetings in self._meetings.items():
            first, second = players
            key = Pairing(first, second, number) if isinstance(due, Pairings) else (number, players)
            if key not in due:
                raise DamierError(_never_due(meetings[0]))

    def check_empty(self) -> None:
        """Refuse meetings that were never due: the players or their order must have changed."""
        for meetings in self._meetings.values():
            raise DamierError(_never_due(meetings[0]))


def distinct(names: Sequence[str], least: int = 2) -> Sequence[str]:
    """The names, if there are enough, all are different, and none is empty or too long."""
    if len(names) < least:
        raise DamierError(f"expected at least {least} players, not {len(names)}")
    for name in names:
        check_name(name)
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise DamierError(f"{twice[0]!r} plays twice, expected different names")
    return names


def _check_rounds(rounds: int) -> None:
    check_range("rounds", rounds, 1)


def _named(some: Pairing | Meeting) -> str:
    return f"{some.first} - {some.second} in round {some.round}"


def _never_due(meeting: Meeting) -> str:
    return f"{_named(meeting)} was played but never due, expected at least as many rounds, and the same players"
