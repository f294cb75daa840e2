"""Saves the games of a run where they are wanted: in its folder, the source of truth, and as rows of a database.

Games go to the folder first. Missing rows, whatever the reason, are written when the run is resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import ClassVar, Generic, NamedTuple, Protocol, Self

from damier import games, records
from damier._core import DamierError
from damier.records import Entrant, GameRecord
from damier.storage.pairs import Check, Key, Pair, PairsFile
from damier.storage.run import RunFolder, RunInfo

__all__ = ["Destination", "Encounter", "PairWriter", "Rows", "RunWriter", "UnwrittenError", "key_text"]

BATCH = 400  # games written at once when many are missing
PAUSE = 0.25  # seconds between two writings: games that end faster share one, which costs as much as a quick game


class UnwrittenError(DamierError):
    """Games that were played, but could not be written to the database."""


class Rows(Protocol):
    """Where games are saved as rows: a `damier.storage.database.Database`."""

    def begin(self, run: RunInfo, games: int) -> set[str]:
        """Enter a run unless it is there, and return the `pair` of all pairs that have this many games."""

    def keep(self, run: RunInfo, records: Sequence[GameRecord]) -> None:
        """Write games, all of them or none, unless they are there."""


class Destination(NamedTuple):
    """Where the games of a run are saved: in a folder, as rows of a database, or nowhere."""

    folder: Path | None = None
    rows: Rows | None = None
    resume: bool = False  # whether the folder may hold part of the run already


class RunWriter:
    """Writes the rows of a run, in batches; leaving the context raises UnwrittenError if rows are missing, or adds a
    note about them to the current exception. Writers that also keep games in a folder build on it.
    """

    games_per_pair = 1
    growing: ClassVar[Sequence[str]] = ()  # settings that may be larger when the run is resumed

    def __init__(self, to: Destination, kind: str, settings: Mapping[str, object]) -> None:
        folder = to.folder
        self.folder = RunFolder(folder, kind, settings, resume=to.resume, growing=self.growing) if folder else None
        self.rows = to.rows
        self.info = self.folder.info if self.folder else RunInfo.new(kind, settings)
        self._pending: list[GameRecord] = []
        self._wrote = float("-inf")  # when
        self._failed = False  # then the rest waits for the end: games do not stop for their rows

    def write_missing(self, kept: Iterable[Sequence[GameRecord]]) -> None:
        """Write rows for the games that are only in the folder."""
        if self.rows:
            there = self.rows.begin(self.info, self.games_per_pair)
            missing = (game for some in kept for game in some if game.pair not in there)
            while batch := list(islice(missing, BATCH)):
                self.rows.keep(self.info, batch)

    def write_rows(self, some: Iterable[GameRecord]) -> None:
        """Write rows soon; if that fails, when the run has ended."""
        if not self.rows:
            return
        self._pending += some
        if not self._failed and monotonic() - self._wrote >= PAUSE:
            try:
                self._write()
            except DamierError:
                self._failed = True

    def _write(self) -> None:
        assert self.rows
        self.rows.keep(self.info, self._pending)
        self._pending.clear()
        self._wrote = monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, raised: BaseException | None, __: TracebackType | None) -> None:
        try:
            if self._pending:
                self._write()
        except DamierError as error:
            where = f"; --resume with {self.folder.folder} writes them" if self.folder else ""
            unwritten = UnwrittenError(f"{error} ({len(self._pending)} games not written{where})")
            if raised is None:
                raise unwritten from None
            raised.add_note(str(unwritten))
        finally:
            if self.folder:
                self.folder.close()


class Encounter(NamedTuple):
    """Who plays a pair, in which round."""

    round: str
    first: Entrant
    second: Entrant


class PairWriter(RunWriter, Generic[Key]):
    """Saves pairs of games; `meets` says who played the pair of a key, and `check` what is wrong with a stored game.

    >>> dice = Entrant("dice", "random")
    >>> how = {"read_key": int, "meets": lambda key: Encounter("1", dice, dice)}
    >>> with PairWriter(Destination(), "match", {"game": "loa"}, **how) as writer:
    ...     list(writer.kept())
    []
    """

    games_per_pair = 2

    def __init__(
        self,
        to: Destination,
        kind: str,
        settings: Mapping[str, object],
        *,
        read_key: Callable[[object], Key],
        meets: Callable[[Key], Encounter],
        check: Check[Key] | None = None,
    ) -> None:
        super().__init__(to, kind, settings)
        self._meets = meets
        try:
            self._pairs = PairsFile(self.folder.folder, self.info.game, read_key) if self.folder else None
            if self._pairs:
                self._pairs.mend(check)
            self.write_missing(self._named(key, pair) for key, pair in self.kept())
        except BaseException:
            if self.folder:
                self.folder.close()
            raise

    def kept(self) -> Iterator[tuple[Key, Pair]]:
        """The pairs in the folder."""
        return self._pairs.read() if self._pairs else iter(())

    def keep_all(
        self,
        finished: Generator[tuple[Key, Pair], None, None],
        count: Callable[[Key, Pair], None],
        recount: Callable[[], None],
        should_continue: Callable[[], bool],
    ) -> None:
        """Save and count pairs as they end, until told to stop; `recount` is for an interruption between the two."""
        is_counted = True
        try:
            with closing(finished):
                for key, pair in finished:
                    is_counted = False
                    self.append(key, pair)
                    count(key, pair)
                    is_counted = True
                    if not should_continue():
                        break
        finally:
            if not is_counted and self._pairs:
                recount()

    def append(self, key: Key, pair: Pair) -> None:
        """Save a pair; it is on disk when this returns, if there is a folder."""
        if self._pairs:
            self._pairs.append(key, pair)
        if self.rows:
            self.write_rows(self._named(key, pair))

    def write_records(self, order: Callable[[Key], object]) -> None:
        """Write games.pgn, .pdn or .sgf for people, in an order, if there is a folder."""
        if self.folder and self._pairs:
            name = f"games.{games.info(self.info.game).record_format}"
            kept = self._pairs.sorted(order)
            records.write((game for key, pair in kept for game in self._named(key, pair)), self.folder.folder / name)

    def _named(self, key: Key, pair: Pair) -> Pair:
        """The same games with their players and event."""
        met = self._meets(key)
        one, other = (
            replace(
                game,
                white=white,
                black=black,
                event=f"damier {self.info.kind}",
                round=f"{met.round}.{half}",
                date=self.info.started.strftime("%Y.%m.%d"),
                run=self.info.run,
                pair=key_text(key),
                half=half,
            )
            for half, (game, white, black) in enumerate(
                ((pair[0], met.first, met.second), (pair[1], met.second, met.first)), 1
            )
        )
        return one, other


def key_text(key: object) -> str:
    """The key of a pair, as a text.

    >>> key_text(4), key_text(("Anne", "Bob", 1, 0, 2))
    ('4', '["Anne","Bob",1,0,2]')
    """
    return json.dumps(key, separators=(",", ":"), ensure_ascii=False)
