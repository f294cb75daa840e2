"""Two players against each other, pair after pair, until the games are played or the question is answered."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from damier import games
from damier._core import DamierError
from damier.arena.event import Event
from damier.arena.play.book import Openings, openings
from damier.arena.play.scoresheet import sheets, write_records
from damier.arena.play.seats import Work, try_player
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import Tally
from damier.storage.keep import Encounter, Entrant, Keeper, key_of
from damier.storage.store import Pair, Store

__all__ = ["Match"]


ENOUGH_REPEATS = 1000  # pairs in a row: a test that learns nothing any more would never end


@dataclass
class Match(Event):
    """A match to be played: `games` of them, or until `sprt` knows. Every opening is played with both colours.

    Pair number n depends on the settings, the seed and n alone as far as the players do: with a limit of nodes or
    depth the same match gives the same games. With `out` every pair is kept there as it ends, and `resume` goes on.

    >>> Match("rennes", "engine:depth=3", "random", games=4).run().wins
    4
    """

    game: str
    first: str
    second: str
    games: int | None = None
    sprt: Sprt | None = None
    tally: Tally = field(default_factory=Tally, init=False)  # what is known so far, whatever becomes of the match

    def __post_init__(self) -> None:
        super().__post_init__()
        self.names = self.first, self.second  # in tables and records
        games.info(self.game)
        if self.games is None and self.sprt is None:
            raise DamierError("a match needs a number of games or a test to end by")
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise DamierError(f"games is {self.games}, expected an even number: each opening is played twice")

    def settings(self) -> dict[str, Any]:
        """What the games depend on, as plain values."""
        return {
            "game": self.game,
            "first": self.first,
            "second": self.second,
        } | self.conditions()

    def run(self, told: Callable[[Tally], None] | None = None) -> Tally:
        """Play what is left to play; `told` hears of every pair. What was finished before an interruption is kept."""
        book = openings(self.openings, self.game, self.seed)
        self._try_players(book)
        with Keeper(self.out, self.database, self.settings(), int, self._encounter, resume=self.resume) as keeper:
            done = self._recount(keeper.store)
            if told:
                told(self.tally)
            if self._is_over(book):
                return self.tally
            try:
                with closing(self._played(book, done)) as played:
                    for number, pair in played:
                        keeper.append(number, pair)
                        self.tally.add(pair)
                        if told:
                            told(self.tally)
                        if self._is_over(book):
                            break
            finally:
                if keeper.store:
                    self._recount(keeper.store)  # an interruption may have come between keeping a pair and counting it
                    self._write_records(keeper.store)
        return self.tally

    def _encounter(self, number: int) -> Encounter:
        first, second = Entrant(self.names[0], self.first), Entrant(self.names[1], self.second)
        return Encounter(key_of(number), str(number + 1), first, second)

    def _recount(self, store: Store[int] | None) -> set[int]:
        """Counts what is kept, and returns the numbers of those pairs."""
        self.tally = Tally()
        done = set()
        for number, pair in store.pairs() if store else ():
            self.tally.add(pair)
            done.add(number)
        return done

    def _write_records(self, store: Store[int]) -> None:
        kept = sorted(store.pairs(), key=lambda numbered: numbered[0])
        _, started = store.run
        games = (
            sheet
            for number, pair in kept
            for sheet in sheets(self.game, pair, *self.names, str(number + 1), started=started)
        )
        write_records(store.folder, self.game, games)

    def _is_over(self, book: Openings) -> bool:
        if self.games is not None and self.tally.games >= self.games:
            return True
        if self.sprt is None:
            return False
        nothing_new = self.tally.repeats_in_a_row >= (book.count or ENOUGH_REPEATS)
        return nothing_new or self.sprt.verdict(self.tally.pairs) is not None

    def _try_players(self, book: Openings) -> None:
        """Raise what is wrong with a player; external engines then go by their own names, unless these are the same."""
        first, second = (try_player(spec, book[0].board(self.game)) for spec in (self.first, self.second))
        if first != second:
            self.names = first, second

    def _played(self, book: Openings, done: set[int]) -> Generator[tuple[int, Pair], None, None]:
        """Pairs as they end."""
        numbers = count() if self.games is None else range(self.games // 2)
        specs = self.first, self.second
        left = (Work(n, specs, n, (self.seed << 32) + 2 * n) for n in numbers if n not in done)
        with self.seats(self.game, book) as seats:
            yield from seats.played(left, None if self.games is None else self.games // 2 - len(done))
