"""Two players against each other, pair after pair, until all games are played or the test has decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from damier import games
from damier._core import DamierError
from damier.arena.event import Event
from damier.arena.play.runner import GameRunner, Work, display_names
from damier.arena.stats.numbers import Numbers
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import Tally
from damier.arena.toml_file import naming
from damier.files import JsonObject
from damier.records import Entrant
from damier.storage.pairs import Pair
from damier.storage.writer import Encounter

__all__ = ["Match"]


ENOUGH_REPEATS = 1000  # pairs in a row: a test that learns nothing any more would never end


@dataclass
class Match(Event[int]):
    """A tournament of two: `games` games, or until `sprt` decides. Every opening is played with both colours.

    Pair number n depends only on the settings, the seed and n, if the players do: with a node or depth limit the same
    match gives the same games. With `out` every pair is saved there as it ends, and `resume` continues such a run.

    >>> Match("rennes", "engine:depth=3", "random", games=4).run().wins
    4
    """

    game: str
    first: str
    second: str
    games: int | None = None
    sprt: Sprt | None = None
    tally: Tally = field(default_factory=Tally, init=False)  # the results so far, even if the match is interrupted
    done: Numbers = field(default_factory=Numbers, init=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.names = self.first, self.second  # in tables and records
        games.info(self.game)
        if self.games is None and self.sprt is None:
            raise DamierError("a match needs a number of games or a test to end by")
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise DamierError(f"games is {self.games}, expected an even number: each opening is played twice")

    def run(self, on_progress: Callable[[Tally], None] | None = None) -> Tally:
        """Play the games that are left; `on_progress` is called after every pair. Pairs finished before an
        interruption are kept.
        """
        self.play(lambda: on_progress(self.tally) if on_progress else None)
        return self.tally

    def settings(self) -> JsonObject:
        return {
            "game": self.game,
            "first": self.first,
            "second": self.second,
        } | self.conditions()

    def try_players(self, runner: GameRunner) -> None:
        """Raise what is wrong with a player; external engines then get their own names, if these differ."""
        specs, own = (self.first, self.second), []
        for spec in specs:
            with naming(spec):
                own.append(runner.try_player(spec))
        first, second = display_names(specs, own)
        self.names = first, second

    def next_works(self) -> tuple[Iterator[Work[int]], int | None] | None:
        whole = None if self.games is None else self.games // 2
        numbers = count() if whole is None else iter(range(whole))
        left = None if whole is None else whole - len(self.done)
        specs = self.first, self.second
        works = (Work(n, specs, *self.place_of(n)) for n in numbers if n not in self.done)
        return (works, left) if left is None or left > 0 else None

    def is_over(self) -> bool:
        if self.games is not None and self.tally.games >= self.games:
            return True
        if self.sprt is None:
            return False
        nothing_new = self.tally.repeats_in_a_row >= (self.book.count or ENOUGH_REPEATS)
        return nothing_new or self.sprt.verdict(self.tally.pairs) is not None

    def count(self, key: int, pair: Pair) -> None:
        self.done.add(key)
        self.tally.add(pair)

    def forget(self) -> None:
        self.tally, self.done = Tally(), Numbers()

    def read_key(self, value: object) -> int:
        if type(value) is not int or value < 0:
            raise ValueError(f"pair is {value!r}, expected a number")
        return value

    def place_of(self, key: int) -> tuple[int, int]:
        return key, (self.seed << 32) + 2 * key

    def meets(self, key: int) -> Encounter:
        return Encounter(str(key + 1), Entrant(self.names[0], self.first), Entrant(self.names[1], self.second))
