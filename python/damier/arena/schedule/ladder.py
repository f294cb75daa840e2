"""Who plays whom on a ladder: each level its neighbours, each anchor the levels near its own strength.

A game with a certain result says nothing and the strongest levels take the longest, so an anchor begins in the middle
and goes up, or down, until it meets its match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from damier.arena.schedule.schedule import Ledger, Meeting, Pairing, Schedule

__all__ = ["LadderSchedule"]


@dataclass(frozen=True)
class LadderSchedule(Schedule):
    """A schedule for levels by name, the weakest first; `rounds` says how often each meets those below it, once by
    default. An anchor meets one level after another, depending on its scores.

    >>> schedule = LadderSchedule(["1", "2", "3"], anchors=["random"])
    >>> [pairing[:2] for pairing in schedule.due([])]
    [('1', '2'), ('1', '3'), ('2', '3'), ('random', '2')]
    >>> schedule.due([Meeting(*pairing[:2], points=0) for pairing in schedule.due([])])
    [Pairing(first='random', second='1', round=1, replay=0)]
    """

    levels: Sequence[str]
    anchors: Sequence[str] = ()
    rounds: Mapping[str, int] = field(default_factory=dict)

    def due(self, meetings: Iterable[Meeting]) -> list[Pairing]:
        """What is left between levels, and the next step of every anchor."""
        ledger = Ledger(meetings)
        rest = [pairing for pairing in self._between_levels() if not ledger.take(pairing)]
        for anchor in self.anchors:
            if step := self._next_step(anchor, ledger):
                rest.append(step)
        ledger.check_empty()
        return rest

    def _between_levels(self) -> list[Pairing]:
        places = range(len(self.levels))
        near = [(low, high) for low in places for high in places[low + 1 : low + 3]]
        return [
            Pairing(self.levels[low], self.levels[high], number + 1)
            for low, high in near
            for number in range(self.rounds.get(self.levels[high], 1))
        ]

    def _next_step(self, anchor: str, ledger: Ledger) -> Pairing | None:
        """The level above if the anchor took half the points, else the one below, unless they have met."""
        place, met = len(self.levels) // 2, set[int]()
        while place in range(len(self.levels)) and place not in met:
            pairing = Pairing(anchor, self.levels[place])
            if not (played := ledger.take(pairing)):
                return pairing
            met.add(place)
            place += 1 if 2 * played[0].points >= played[0].games else -1
        return None
