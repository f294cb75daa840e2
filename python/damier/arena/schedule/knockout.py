"""Knock-out: the loser is out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from damier._core import DamierError
from damier.arena.schedule.schedule import Ledger, Meeting, Pairing, Round, Schedule, distinct

__all__ = ["KnockOut"]


class KnockOut(Schedule):
    """A bracket of players, the strongest first, laid out so that the best two can only meet in the final.

    If their number is not a power of two, the best have a bye in the first round. Whoever has more points
    wins; a tie is replayed up to `replays` times, and then the better seed wins.

    >>> cup = KnockOut(["Anne", "Bob", "Carl"])
    >>> cup.due([])
    [Pairing(first='Bob', second='Carl', round=1, replay=0)]
    >>> semi = Meeting("Bob", "Carl", 0.5)
    >>> cup.due([semi])
    [Pairing(first='Anne', second='Carl', round=2, replay=0)]
    >>> cup.winner([semi, Meeting("Anne", "Carl", 1, round=2)])
    'Anne'
    """

    def __init__(self, names: Sequence[str], *, replays: int = 0) -> None:
        if replays < 0:
            raise DamierError(f"replays is {replays}, expected 0 or more")
        self.names = tuple(distinct(names))
        self.replays = replays

    def rounds(self, meetings: Iterable[Meeting]) -> list[Round]:
        """The rounds drawn so far; the last may still be in progress."""
        return self._walk(meetings)[0]

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """What is left of the current round."""
        return self._walk(meetings)[1]

    def winner(self, meetings: Iterable[Meeting]) -> str | None:
        """The winner of the tournament; None until it is over."""
        left = self._walk(meetings)[2]
        return left[0] if len(left) == 1 else None

    def _walk(self, meetings: Iterable[Meeting]) -> tuple[list[Round], list[Pairing], list[str]]:
        """Play the stored rounds again: the rounds, the pairings due in the last one, and who is left."""
        ledger = Ledger(meetings)
        rounds: list[Round] = []
        due: list[Pairing] = []
        left: list[str | None] = [self.names[seed] if seed < len(self.names) else None for seed in self._bracket()]
        while len(left) > 1 and not due:
            drawn = self._drawn(left, len(rounds) + 1)
            rounds.append(drawn)
            winners: list[str | None] = list(left[::2])  # right where there is no opponent
            places = {name: place // 2 for place, name in enumerate(left)}
            for pairing in drawn.pairings:
                winner, replay = self._winner(pairing, ledger)
                if winner is None:
                    due.append(pairing._replace(replay=replay))
                else:
                    winners[places[pairing.first]] = winner
            if not due:
                left = winners
        ledger.check_empty()
        return rounds, due, [name for name in left if name is not None]

    def _bracket(self) -> list[int]:
        """Seeds in the order of the bracket, for four players 0 3 1 2; those beyond the last player are byes."""
        order = [0]
        while len(order) < len(self.names):
            last = 2 * len(order) - 1
            order = [place for seed in order for place in (seed, last - seed)]
        return order

    @staticmethod
    def _drawn(left: Sequence[str | None], number: int) -> Round:
        pairs = list(zip(left[::2], left[1::2], strict=True))
        pairings = tuple(Pairing(a, b, number) for a, b in pairs if a is not None and b is not None)
        return Round(number, pairings, tuple(a for a, b in pairs if a is not None and b is None))

    def _winner(self, pairing: Pairing, ledger: Ledger) -> tuple[str | None, int]:
        """Who advances (None while undecided), and how often the two have met."""
        played = ledger.take(pairing, most=1 + self.replays)
        lead = sum(2 * meeting.points - meeting.games for meeting in played)
        if lead:
            return (pairing.first if lead > 0 else pairing.second), len(played)
        if len(played) <= self.replays:
            return None, len(played)
        return min(pairing.first, pairing.second, key=self.names.index), len(played)
