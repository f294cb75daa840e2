"""Swiss: everybody plays every round, against an opponent with about as many points, not met before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count

from damier._core import DamierError
from damier.arena.schedule.matching import has_perfect_matching
from damier.arena.schedule.schedule import Ledger, Meeting, Pairing, Round, Schedule, distinct
from damier.arena.stats.standings import Standing, standings

__all__ = ["Swiss"]

Met = Counter[frozenset[str]]


class Swiss(Schedule):
    """A number of rounds for players, given the strongest first.

    The leaders are paired first, the upper half of a score group with its lower half, as in the Dutch system. Nobody
    meets twice if it can be avoided; with an odd number, the last player without a bye so far gets one, which is worth
    all the points of a meeting of `games` games.

    >>> swiss = Swiss(["Anne", "Bob", "Carl", "Dora"], rounds=2)
    >>> [pairing[:2] for pairing in swiss.due([])]
    [('Anne', 'Carl'), ('Bob', 'Dora')]
    >>> [pairing[:2] for pairing in swiss.due([Meeting("Anne", "Carl", 2), Meeting("Bob", "Dora", 0.5)])]
    [('Anne', 'Dora'), ('Bob', 'Carl')]
    """

    def __init__(self, names: Sequence[str], rounds: int, *, games: int = 2) -> None:
        if rounds < 1 or games < 1:
            raise DamierError(f"rounds is {rounds} and games {games}, expected at least 1 of both")
        self.names = tuple(distinct(names))
        self.number_of_rounds = rounds
        self.games = games
        self._known: dict[tuple[object, ...], Round] = {}  # drawn before: asking again after each meeting is cheap

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """What is left of the current round."""
        return self._walk(meetings)[1]

    def rounds(self, meetings: Iterable[Meeting]) -> list[Round]:
        """The rounds drawn so far; the last may still be in progress."""
        return self._walk(meetings)[0]

    def standings(self, meetings: Iterable[Meeting]) -> list[Standing]:
        """The standings, byes included; those of the current round already count."""
        some = list(meetings)
        byes = Counter(name for drawn in self.rounds(some) for name in drawn.byes)
        return standings(some, byes={name: float(self.games * byes[name]) for name in self.names})

    def _walk(self, meetings: Iterable[Meeting]) -> tuple[list[Round], list[Pairing]]:
        """Play the stored rounds again: the rounds, and the pairings due in the last one."""
        ledger = Ledger(meetings)
        points = dict.fromkeys(self.names, 0.0)
        met, byes, rounds = Met(), Counter[str](), list[Round]()
        due: list[Pairing] = []
        while len(rounds) < self.number_of_rounds and not due:
            state = (*points.values(), *rounds)
            if state not in self._known:
                self._known[state] = self._drawn(len(rounds) + 1, points, met, byes)
            drawn = self._known[state]
            rounds.append(drawn)
            byes.update(drawn.byes)
            for name in drawn.byes:
                points[name] += self.games
            for pairing in drawn.pairings:
                met[frozenset(pairing[:2])] += 1
                played = ledger.take(pairing)
                if not played:
                    due.append(pairing)
                for meeting in played:
                    points[meeting.first] += meeting.points
                    points[meeting.second] += meeting.games - meeting.points
        ledger.check_empty()
        return rounds, due

    def _drawn(self, number: int, points: Mapping[str, float], met: Met, byes: Counter[str]) -> Round:
        ranked = sorted(self.names, key=lambda name: -points[name])  # equal points: by seed, as sorting is stable
        fewest = min(byes[name] for name in ranked)
        resting = [name for name in reversed(ranked) if byes[name] == fewest] if len(ranked) % 2 else [None]
        for most in count():  # meetings before this one: none if possible
            for bye in resting:
                players = [name for name in ranked if name != bye]
                if _can_be_paired(players, met, most):
                    pairs = _paired(players, points, met, most)
                    pairings = tuple(Pairing(a, b, number) for a, b in pairs)
                    return Round(number, pairings, (bye,) if bye is not None else ())
        raise AssertionError("everybody may meet everybody in the end")


def _paired(ranked: list[str], points: Mapping[str, float], met: Met, most: int) -> list[tuple[str, str]]:
    """Pair from the top: each with the best opponent that leaves the others a way to be paired."""
    pairs = []
    while ranked:
        first = ranked[0]
        for second in _preferred(ranked, points, met):
            rest = [name for name in ranked if name not in (first, second)]
            if met[frozenset((first, second))] <= most and _can_be_paired(rest, met, most):
                break
        pairs.append((first, second))
        ranked = rest
    return pairs


def _preferred(ranked: Sequence[str], points: Mapping[str, float], met: Met) -> list[str]:
    """Opponents of the first in the order of preference: lower half of the group, its upper half, those below."""
    group = sum(points[name] == points[ranked[0]] for name in ranked)
    half = max(1, group // 2)
    wished = [*ranked[half:group], *reversed(ranked[1:half]), *ranked[group:]]
    return sorted(wished, key=lambda name: met[frozenset((ranked[0], name))])


def _can_be_paired(names: Sequence[str], met: Met, most: int) -> bool:
    return has_perfect_matching(
        [
            [other for other, name in enumerate(names) if name != one and met[frozenset((one, name))] <= most]
            for one in names
        ]
    )
