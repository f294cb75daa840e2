"""Two players against each other, pair after pair, until the games are played or the question is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from damier import games, jobs
from damier._core import DamierError, StopFlag
from damier.arena.book import Openings, openings
from damier.arena.control import Control
from damier.arena.referee import Adjudication, play_game
from damier.arena.scoresheet import write_records
from damier.arena.sprt import Sprt
from damier.arena.store import Pair, Store
from damier.arena.tally import Tally
from damier.players import Player, player

__all__ = ["Match"]

SECONDS_A_PIECE = 20.0  # on a machine of a cluster: long beside the milliseconds that a piece costs, soon played again


@dataclass
class Match:
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
    control: Control = field(default_factory=Control)
    openings: str = "random:6"
    adjudication: Adjudication = field(default_factory=Adjudication)
    seed: int = 0
    concurrency: int = 1
    cluster: str | None = None  # "auto" or the address of a Ray cluster, all of whose cores then play
    out: Path | None = None
    resume: bool = False
    tally: Tally = field(default_factory=Tally, init=False)  # what is known so far, whatever becomes of the match

    def __post_init__(self) -> None:
        games.info(self.game)
        if self.games is None and self.sprt is None:
            raise DamierError("a match needs a number of games or a test to end by")
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise DamierError(f"games is {self.games}, expected an even number: each opening is played twice")
        if not 1 <= self.concurrency <= 1024:
            raise DamierError(f"concurrency is {self.concurrency}, expected 1 to 1024")

    def settings(self) -> dict[str, Any]:
        """What the games depend on, as plain values."""
        return {
            "game": self.game,
            "first": self.first,
            "second": self.second,
            "control": asdict(self.control),
            "openings": self.openings,
            "adjudication": asdict(self.adjudication),
            "seed": self.seed,
        }

    def run(self, told: Callable[[Tally], None] | None = None) -> Tally:
        """Play what is left to play; `told` hears of every pair. What was finished before an interruption is kept."""
        book = openings(self.openings, self.game, self.seed)
        store = Store(self.out, self.settings(), resume=self.resume) if self.out else None
        self._try_players(book)
        done = self._recount(store)
        if told:
            told(self.tally)
        if self._is_over():
            return self.tally
        try:
            for number, pair in self._played(book, done):
                if store:
                    store.append(number, pair)
                self.tally.add(pair)
                if told:
                    told(self.tally)
                if self._is_over():
                    break
        finally:
            if store:
                self._recount(store)  # an interruption may have come between keeping a pair and counting it
                write_records(store.folder, self.game, store.pairs(), self.first, self.second)
        return self.tally

    def _recount(self, store: Store | None) -> set[int]:
        """Counts what is kept, and returns the numbers of those pairs."""
        self.tally = Tally()
        done = set()
        for number, pair in store.pairs() if store else ():
            self.tally.add(pair)
            done.add(number)
        return done

    def _is_over(self) -> bool:
        if self.games is not None and self.tally.games >= self.games:
            return True
        return self.sprt is not None and self.sprt.verdict(self.tally.pairs) is not None

    def _try_players(self, book: Openings) -> None:
        """What is wrong with a player is said before any game."""
        for spec in (self.first, self.second):
            tried = player(spec)
            try:
                tried.new_game(book[0].board(self.game), 0)
            finally:
                tried.close()

    def _played(self, book: Openings, done: set[int]) -> Iterator[tuple[int, Pair]]:
        """Pairs as they end."""
        work = _Play(self.game, (self.first, self.second), book, self.control, self.adjudication, self.seed)
        pace = _Pace(SECONDS_A_PIECE if self.cluster else 0.0)
        left = (number for number in (count() if self.games is None else range(self.games // 2)) if number not in done)
        total = None if self.games is None else self.games // 2 - len(done)
        for played in jobs.run(work, pace.pieces(left, total), threads=self.concurrency, cluster=self.cluster):
            for number, pair in played:
                pace.add(pair)
                yield number, pair


@dataclass
class _Play:
    """Plays pairs by their numbers. Each thread of each machine has players of its own, so the rest can be pickled."""

    game: str
    specs: tuple[str, str]
    book: Openings
    control: Control
    adjudication: Adjudication
    seed: int

    def __post_init__(self) -> None:
        self._own = threading.local()
        self._everybody: list[Player] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return _Play, (self.game, self.specs, self.book, self.control, self.adjudication, self.seed)

    def __call__(self, numbers: Sequence[int], stop: StopFlag) -> list[tuple[int, Pair]]:
        """The pairs of these numbers; only the finished ones when stopped."""
        pairs = ((number, self._pair(number, stop)) for number in numbers if not stop.is_set())
        return [(number, pair) for number, pair in pairs if pair is not None]

    def close(self) -> None:
        for each in self._everybody:
            each.close()

    def _pair(self, number: int, stop: StopFlag) -> Pair | None:
        if not hasattr(self._own, "players"):
            self._own.players = player(self.specs[0]), player(self.specs[1])
            self._everybody.extend(self._own.players)
        finished = []
        for first_is_white in (True, False):
            played = play_game(
                self.game,
                self.book[number],
                self._own.players,
                first_is_white=first_is_white,
                control=self.control,
                adjudication=self.adjudication,
                seed=(self.seed << 32) + 2 * number + first_is_white,
                stop=stop,
            )
            if played is None:
                return None
            finished.append(played)
        return finished[0], finished[1]


@dataclass
class _Pace:
    """Cuts a match into pieces of about so many seconds, by the pairs that were played so far; of one pair for 0."""

    seconds: float
    pairs: int = 0
    spent: float = 0.0

    def add(self, pair: Pair) -> None:
        self.pairs += 1
        self.spent += sum(turn.seconds for played in pair for turn in played.turns)

    def pieces(self, numbers: Iterator[int], total: int | None) -> Iterator[tuple[int, ...]]:
        """Pieces smaller towards the end, so that all machines end at about the same time."""
        while piece := tuple(islice(numbers, self._size(total))):
            if total is not None:
                total -= len(piece)
            yield piece

    def _size(self, left: int | None) -> int:
        size = int(self.seconds * self.pairs / self.spent) if self.spent else 1
        return max(1, size if left is None else min(size, left // 8))
