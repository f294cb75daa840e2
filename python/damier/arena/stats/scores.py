"""The scores of a tournament so far: who scored how much against whom, pair by pair."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from damier._core import DamierError
from damier.arena.schedule.schedule import Meeting, Pairing
from damier.arena.stats.numbers import Numbers
from damier.arena.stats.ratings import Ratings, Result, rate
from damier.arena.stats.tally import points_of
from damier.storage.pairs import Pair

__all__ = ["Scores", "Slot"]


class Slot(NamedTuple):
    """One pair of games of a tournament: who meets, in which round and replay, and its number in that meeting.

    >>> Slot.read(["Anne", "Bob", 2, 0, 5]).pairing
    Pairing(first='Anne', second='Bob', round=2, replay=0)
    """

    first: str
    second: str
    round: int
    replay: int
    number: int

    @classmethod
    def read(cls, value: object) -> Slot:
        """A slot as JSON gives it back."""
        if not isinstance(value, list):
            raise ValueError(f"pair is {value!r}, expected a list")
        first, second, *numbers = value
        if not all(isinstance(name, str) for name in (first, second)) or len(numbers) != 3:
            raise ValueError(f"pair is {value!r}, expected two names, round, replay and number")
        if not all(type(number) is int and number >= 0 for number in numbers):
            raise ValueError(f"pair is {value!r}, expected numbers from 0 on")
        return cls(first, second, *numbers)

    @property
    def pairing(self) -> Pairing:
        return Pairing(*self[:4])

    @property
    def shown(self) -> str:
        """Round and number as records give them, the replay between them where it is one.

        >>> Slot("Anne", "Bob", 2, 0, 5).shown, Slot("Anne", "Bob", 2, 1, 5).shown
        ('2.6', '2.1.6')
        """
        return f"{self.round}.{f'{self.replay}.' if self.replay else ''}{self.number + 1}"


class Meetings:
    """The games of one pairing so far, from the first player's side, and which of its pairs they are."""

    __slots__ = ("done", "draws", "losses", "wins")

    def __init__(self) -> None:
        self.wins = self.draws = self.losses = 0
        self.done = Numbers()

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


class Scores:
    """The pairs that are played, counted for each pairing.

    >>> Scores().games
    0
    """

    def __init__(self) -> None:
        self.pairings: dict[Pairing, Meetings] = {}
        self.results: Counter[Result] = Counter()
        self._endings: Counter[str] = Counter()
        self.pairs = 0

    def __contains__(self, slot: Slot) -> bool:
        met = self.pairings.get(slot.pairing)
        return met is not None and slot.number in met.done

    def add(self, slot: Slot, pair: Pair) -> None:
        """Count a pair."""
        met = self.pairings.setdefault(slot.pairing, Meetings())
        met.done.add(slot.number)
        self.pairs += 1
        for game, points in zip(pair, points_of(pair), strict=True):
            met.wins += points == 1
            met.draws += points == 0.5
            met.losses += points == 0
            self._endings[game.reason] += 1
        self.results[Result(slot.first, slot.second, pair[0].white_points)] += 1
        self.results[Result(slot.second, slot.first, pair[1].white_points)] += 1

    @property
    def games(self) -> int:
        return 2 * self.pairs

    def meetings(self, games: int | None = None) -> list[Meeting]:
        """All meetings, or only those of which `games` games are played, in the same order whoever was faster."""
        return [
            Meeting(pairing.first, pairing.second, met.points, pairing.round, met.games)
            for pairing, met in sorted(self.pairings.items(), key=_in_order)
            if games is None or met.games == games
        ]

    def wins_draws_losses(self, name: str) -> tuple[int, int, int]:
        """The wins, draws and losses of a player, over all its games."""
        counts = [0, 0, 0]
        for pairing, met in self.pairings.items():
            ours = [met.wins, met.draws, met.losses]
            if name in pairing[:2]:
                counts = [a + b for a, b in zip(counts, ours if name == pairing.first else ours[::-1], strict=True)]
        return counts[0], counts[1], counts[2]

    def endings(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        return dict(sorted(self._endings.items(), key=lambda ending: (-ending[1], ending[0])))

    def ratings(self, anchors: dict[str, float] | None = None) -> Ratings | None:
        """All players on one scale; None while no path of games connects them."""
        try:
            return rate(self.results, anchors)
        except DamierError:
            return None


def _in_order(item: tuple[Pairing, Meetings]) -> tuple[int, int, str, str]:
    first, second, round_, replay = item[0]
    return round_, replay, first, second
