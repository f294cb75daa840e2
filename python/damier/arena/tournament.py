"""Tournaments: many players, meeting after meeting, each of several pairs of games.

A round is drawn when the previous one is over, from its results alone: an interrupted tournament resumes as if
nothing had happened. All pairs that can be played are played in parallel, and made as they are needed.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from damier import games
from damier._core import DamierError
from damier.arena.event import Event
from damier.arena.play.runner import GameRunner, Work, display_names
from damier.arena.schedule.knockout import KnockOut
from damier.arena.schedule.schedule import Fixed, Pairing, Schedule, distinct, gauntlet, round_robin
from damier.arena.schedule.swiss import Swiss
from damier.arena.stats.scores import Scores, Slot
from damier.arena.stats.standings import Standing, standings
from damier.files import JsonObject
from damier.records import Entrant
from damier.storage.pairs import Pair
from damier.storage.writer import Encounter

__all__ = ["FORMATS", "Tournament"]

FORMATS = ("round-robin", "gauntlet", "knock-out", "swiss")


@dataclass
class Tournament(Event[Slot]):
    """A tournament between players given as name -> spec, the strongest first where that matters. An external engine
    named by its spec gets the name that it gives itself.

    `games` are per pairing; `rounds` is how often everybody meets (round-robin, gauntlet) or how many rounds are paired
    (swiss). In a gauntlet the first player meets the others unless `challengers` are named. With `out` every pair is
    saved there as it ends, and `resume` continues such a run, with more rounds if you like.

    >>> cup = Tournament("rennes", {"deep": "engine:depth=4", "flat": "engine:depth=1", "dice": "random"})
    >>> cup.run()
    >>> cup.scores.games, cup.standing()[0].name
    (6, 'deep')
    """

    game: str
    players: Mapping[str, str]
    format: str = "round-robin"
    games: int = 2
    rounds: int | None = None
    replays: int = 0
    challengers: Sequence[str] = ()
    schedule: Schedule | None = None  # instead of the one for the format
    scores: Scores = field(default_factory=Scores, init=False)  # the results so far, even if it is interrupted
    _players_tried: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        games.info(self.game)
        distinct(list(self.players))
        if self.games < 2 or self.games % 2:
            raise DamierError(f"games is {self.games}, expected an even number: each opening is played twice")
        self.drawn: Schedule = self.schedule or self._of_format()

    def _of_format(self) -> Schedule:
        names = list(self.players)
        if self.challengers and self.format != "gauntlet":
            raise DamierError(f"challengers are named, expected none in a {self.format}")
        if self.replays and self.format != "knock-out":
            raise DamierError(f"replays is {self.replays}, expected none in a {self.format}")
        if self.format == "round-robin":
            return Fixed(round_robin(names, 1 if self.rounds is None else self.rounds))
        if self.format == "gauntlet":
            ours = list(self.challengers or names[:1])
            if strangers := [name for name in ours if name not in names]:
                raise DamierError(f"challengers has {strangers[0]!r}, expected one of {', '.join(names)}")
            others = [name for name in names if name not in ours]
            return Fixed(gauntlet(ours, others, 1 if self.rounds is None else self.rounds))
        if self.format == "knock-out":
            if self.rounds is not None:
                raise DamierError(f"rounds is {self.rounds}, expected none: a knock-out ends when one player is left")
            return KnockOut(names, replays=self.replays)
        if self.format == "swiss":
            rounds = math.ceil(math.log2(len(names))) if self.rounds is None else self.rounds
            return Swiss(names, rounds, games=self.games)
        raise DamierError(f"format is {self.format!r}, expected one of {', '.join(FORMATS)}")

    @property
    def kind(self) -> str:  # type: ignore[override]
        return "ladder" if self.format == "ladder" else "tournament"

    def settings(self) -> JsonObject:
        return {
            "game": self.game,
            "format": self.format,
            "players": [[name, spec] for name, spec in self.players.items()],
            "games": self.games,
            "replays": self.replays,
            "challengers": list(self.challengers),
        } | self.conditions()

    def run(self, on_progress: Callable[[Tournament], None] | None = None) -> None:
        """Play the games that are left; `on_progress` is called after every pair. Pairs finished before an
        interruption are kept.
        """
        self.play(lambda: on_progress(self) if on_progress else None)

    def check_kept(self) -> None:
        self.drawn.pending(self.scores.meetings())  # a meeting that was cut off counts, too

    def next_works(self) -> tuple[Iterator[Work[Slot]], int | None] | None:
        due = self.drawn.pending(self.scores.meetings(self.games))
        works = (
            self._work(slot)
            for pairing in due
            for slot in (Slot(*pairing, number) for number in range(self.games // 2))
            if slot not in self.scores
        )
        left = self.total_games // 2 - self.scores.pairs if self.total_games is not None else None
        return next(((chain([work], works), left) for work in works), None)

    def count(self, key: Slot, pair: Pair) -> None:
        self.scores.add(key, pair)

    def forget(self) -> None:
        self.scores = Scores()

    def read_key(self, value: object) -> Slot:
        slot = Slot.read(value)
        if strangers := [name for name in slot[:2] if name not in self.players]:
            raise ValueError(f"{strangers[0]!r} does not play here")
        return slot

    def meets(self, key: Slot) -> Encounter:
        first, second = (Entrant(name, self.players[name]) for name in (key.first, key.second))
        return Encounter(key.shown, first, second)

    def order(self, key: Slot) -> Any:
        return key.round, key

    def due(self) -> list[Pairing]:
        """What can be played now; nothing when the tournament is over."""
        return self.drawn.due(self.scores.meetings(self.games))

    @property
    def is_finished(self) -> bool:
        """Whether everything has been played."""
        return next(self.drawn.pending(self.scores.meetings(self.games)), None) is None

    @property
    def total_games(self) -> int | None:
        """How many games there will be; None if that depends on results.

        >>> Tournament("loa", dict.fromkeys("abcde", "random"), "swiss", games=4).total_games
        24
        """
        if isinstance(self.drawn, Fixed):
            return self.games * len(self.drawn.pairings)
        if isinstance(self.drawn, Swiss):
            return self.games * self.drawn.number_of_rounds * (len(self.players) // 2)
        if isinstance(self.drawn, KnockOut) and not self.replays:
            return self.games * (len(self.players) - 1)
        return None

    def standing(self) -> list[Standing]:
        """Who leads; in a knock-out who went further is before those with more points."""
        whole, some = self.scores.meetings(self.games), self.scores.meetings()
        byes: Counter[str] = Counter()
        if isinstance(self.drawn, Swiss):
            byes.update(name for drawn in self.drawn.rounds(whole) for name in drawn.byes)
        table = standings(some, byes={name: float(self.games * byes[name]) for name in self.players})
        if not isinstance(self.drawn, KnockOut):
            return table
        rounds, winner = self.drawn.rounds(whole), self.drawn.winner(whole)
        reached = dict.fromkeys(self.players, 0)
        for drawn in rounds:
            there = [*drawn.byes, *(name for pairing in drawn.pairings for name in pairing[:2])]
            reached |= dict.fromkeys(there, drawn.number)
        if winner is not None:
            reached[winner] = len(rounds) + 1
        table.sort(key=lambda row: -reached[row.name])
        return [replace(row, rank=1 + sum(far > reached[row.name] for far in reached.values())) for row in table]

    def try_players(self, runner: GameRunner | None = None) -> None:
        """Raise what is wrong with a player, before any game; an external engine without a name but its spec then gets
        the one it gives itself.
        """
        if self._players_tried:
            return
        runner = runner or GameRunner(self.game, self.book, self.control, self.adjudication)
        own = []
        for name, spec in self.players.items():
            try:
                shown = runner.try_player(spec)
            except DamierError as error:
                raise DamierError(f"players.{name}: {error}") from None
            own.append(shown if name == spec else name)
        if self.schedule is None:
            self._rename(dict(zip(self.players, display_names(list(self.players), own), strict=True)))
        self._players_tried = True

    def _rename(self, names: Mapping[str, str]) -> None:
        self.players = {names[name]: spec for name, spec in self.players.items()}
        self.challengers = [names[name] for name in self.challengers]
        self.drawn = self._of_format()

    def _work(self, slot: Slot) -> Work[Slot]:
        return Work(slot, (self.players[slot.first], self.players[slot.second]), *self.place_of(slot))

    def place_of(self, key: Slot) -> tuple[int, int]:
        """All meetings of a round have the same openings; other rounds and replays have others."""
        earlier = (key.round - 1) * (self.replays + 1) + key.replay
        return earlier * (self.games // 2) + key.number, 2 * random.Random(f"{self.seed} {key}").getrandbits(48)
