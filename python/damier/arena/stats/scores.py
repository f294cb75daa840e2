"""What is known of a tournament so far: who took how much from whom, pair by pair."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from damier._core import DamierError
from damier.arena.schedule.schedule import Meeting, Pairing
from damier.arena.stats.ratings import Ratings, Result, rate
from damier.arena.stats.tally import Tally
from damier.storage.store import Pair

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
    def read(cls, held: Any) -> Slot:
        """A slot as JSON gives it back."""
        first, second, *numbers = held
        return cls(str(first), str(second), *(int(number) for number in numbers))

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


class Scores:
    """The pairs that are played, counted for each pairing.

    >>> Scores().games
    0
    """

    def __init__(self) -> None:
        self.slots: set[Slot] = set()
        self.tallies: dict[Pairing, Tally] = {}
        self.results: Counter[Result] = Counter()

    def add(self, slot: Slot, pair: Pair) -> None:
        """Count a pair."""
        self.slots.add(slot)
        self.tallies.setdefault(slot.pairing, Tally()).add(pair)
        for game in pair:
            white, black = slot[:2] if game.first_is_white else (slot.second, slot.first)
            self.results[Result(white, black, game.points if game.first_is_white else 1 - game.points)] += 1

    @property
    def games(self) -> int:
        return 2 * len(self.slots)

    def meetings(self, games: int | None = None) -> list[Meeting]:
        """All meetings, or only those in which so many games are played, in the same order whoever was faster."""
        return [
            Meeting(pairing.first, pairing.second, tally.wins + tally.draws / 2, pairing.round, tally.games)
            for pairing, tally in sorted(self.tallies.items(), key=_in_order)
            if games is None or tally.games == games
        ]

    def wins_draws_losses(self, name: str) -> tuple[int, int, int]:
        """Of a player, in all its games."""
        counts = [0, 0, 0]
        for pairing, tally in self.tallies.items():
            ours = [tally.wins, tally.draws, tally.losses]
            if name in pairing[:2]:
                counts = [a + b for a, b in zip(counts, ours if name == pairing.first else ours[::-1], strict=True)]
        return counts[0], counts[1], counts[2]

    def endings(self) -> dict[str, int]:
        """How the games ended, the most frequent first."""
        total: Counter[str] = Counter()
        for tally in self.tallies.values():
            total += tally.endings
        return dict(sorted(total.items(), key=lambda ending: (-ending[1], ending[0])))

    def ratings(self, anchors: dict[str, float] | None = None) -> Ratings | None:
        """All players on one scale; None while no path of games joins them."""
        try:
            return rate(self.results.elements(), anchors)
        except DamierError:
            return None


def _in_order(item: tuple[Pairing, Tally]) -> tuple[int, int, str, str]:
    first, second, round_, replay = item[0]
    return round_, replay, first, second
