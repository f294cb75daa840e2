"""What matches, tournaments, ladders and tuning share: how games are played, where they are stored, one loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypedDict

from damier._core import DamierError
from damier.arena.play.book import Openings, RandomOpenings, openings
from damier.arena.play.check import what_is_wrong
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication
from damier.arena.play.runner import GameRunner, Work
from damier.files import JsonObject
from damier.records import GameRecord
from damier.storage.pairs import Key, Pair
from damier.storage.writer import Destination, Encounter, PairWriter, Rows, key_text

__all__ = ["OPENINGS", "Event", "Where"]

OPENINGS = "random:6"  # where games start, if nothing else is said


class Where(TypedDict, total=False):
    """Where an event is played and kept: what does not change its games."""

    concurrency: int | None
    cluster: str | None
    out: Path | None
    resume: bool
    database: Rows | None


@dataclass(kw_only=True)
class Event(ABC, Generic[Key]):
    """Pairs of games played under the same conditions.

    With `out` every pair is saved there as it ends, and `resume` continues such a run. With `database`, a
    `damier.storage.database.Database`, games are also saved as rows, including earlier ones in `out`. Each kind of
    event says which pairs can be played, and counts them.
    """

    control: Control = field(default_factory=Control)
    openings: str = OPENINGS
    adjudication: Adjudication = field(default_factory=Adjudication)
    seed: int = 0
    concurrency: int | None = None  # games at once: 1 by default, on a cluster 1 per core
    cluster: str | None = None  # "auto" or the address of a Ray cluster, whose machines play
    out: Path | None = None
    resume: bool = False
    database: Rows | None = None

    game: str = field(init=False)  # where each kind has it among its arguments

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= 2**31:
            raise DamierError(f"seed is {self.seed}, expected 0 to {2**31}")
        if self.concurrency is not None and not 1 <= self.concurrency <= 1024:
            raise DamierError(f"concurrency is {self.concurrency}, expected 1 to 1024")

    @cached_property
    def book(self) -> Openings:
        """Where its games start."""
        return openings(self.openings, self.game, self.seed)

    def conditions(self) -> dict[str, object]:
        """What the games of every event depend on, as plain values."""
        return {
            "control": asdict(self.control),
            "openings": self.openings,
            "adjudication": asdict(self.adjudication),
            "seed": self.seed,
        }

    # What a kind of event says.

    kind = "match"  # one of `damier.storage.run.MANIFESTS`
    writes_records = True  # for people, in the end

    @abstractmethod
    def settings(self) -> JsonObject:
        """What the games depend on, as plain values."""

    @abstractmethod
    def try_players(self, runner: GameRunner) -> None:
        """Raise what is wrong with a player, before any game."""

    @abstractmethod
    def next_works(self) -> tuple[Iterator[Work[Key]], int | None] | None:
        """The pairs that can be played now, made lazily, and how many there are if that is known; None at the end."""

    @abstractmethod
    def count(self, key: Key, pair: Pair) -> None:
        """Count a pair that was played."""

    @abstractmethod
    def forget(self) -> None:
        """Forget all results, as if nothing had been played."""

    @abstractmethod
    def read_key(self, value: object) -> Key:
        """The key of a pair, from JSON."""

    @abstractmethod
    def meets(self, key: Key) -> Encounter:
        """Who plays a pair."""

    @abstractmethod
    def place_of(self, key: Key) -> tuple[int, int]:
        """The number of the opening of a pair, and its seed."""

    def begin(self) -> None:
        """Take possession of the folder, if there is one."""

    def check_kept(self) -> None:
        """Raise if the folder holds pairs that this event would not play."""

    def order(self, key: Key) -> Any:
        """The position of a pair among the records."""
        return key

    def is_over(self) -> bool:
        """Whether nothing more has to be played, even if more could be."""
        return False

    # The loop.

    def play(self, on_progress: Callable[[], None]) -> None:
        """Play the pairs that are left; those finished before an interruption are kept and counted."""
        with ExitStack() as stack:
            runner = GameRunner(
                self.game,
                self.book,
                self.control,
                self.adjudication,
                self.writes_records and bool(self.out or self.database),
                threads=self.concurrency,
                cluster=self.cluster,
            )
            stack.callback(runner.close)
            self.try_players(runner)
            rows = self.database if self.writes_records else None
            writer = stack.enter_context(
                PairWriter(
                    Destination(self.out, rows, self.resume),
                    self.kind,
                    self.settings(),
                    read_key=self.read_key,
                    meets=self.meets,
                    check=self._what_is_wrong,
                )
            )
            self.begin()
            self._recount(writer)
            try:
                self.check_kept()
            except DamierError as error:
                raise DamierError(f"{self.out}: {error}") from None
            on_progress()
            try:
                self._play(runner, writer, on_progress)
            finally:
                if self.writes_records:
                    writer.write_records(self.order)

    def _play(self, runner: GameRunner, writer: PairWriter[Key], on_progress: Callable[[], None]) -> None:
        def should_continue() -> bool:
            on_progress()
            return not self.is_over()

        if self.is_over() or (works := self.next_works()) is None:
            return
        with runner:
            while works is not None:
                finished = runner.played(*works)
                writer.keep_all(finished, self.count, lambda: self._recount(writer), should_continue)
                works = None if self.is_over() else self.next_works()

    def _what_is_wrong(self, key: Key, game: GameRecord) -> str | None:
        """What contradicts the rules, or the number of the pair, which decides its seed and its random opening."""
        if wrong := what_is_wrong(game, self.adjudication):
            return wrong
        number, seed = self.place_of(key)
        seed += game.half == 1
        if game.seed not in (None, seed):
            return f"seed {game.seed}, expected {seed} in pair {key_text(key)}"
        # Files may have got more openings since, and the engine that judges others may have changed.
        if isinstance(self.book, RandomOpenings) and not self.book.balanced:
            opening = self.book[number]
            if (game.fen, game.moves[: len(opening.codes)]) != (opening.fen, opening.codes):
                return f"its opening is not that of pair {key_text(key)}"
        return None

    def _recount(self, writer: PairWriter[Key]) -> None:
        """Count the stored pairs again."""
        self.forget()
        for key, pair in writer.kept():
            self.count(key, pair)
