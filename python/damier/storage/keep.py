"""Where the pairs of an event are kept: in its folder, which is the truth, and as rows of a database beside it.

A pair goes to the folder first. Rows that are missing, whatever the reason, are written when the event is resumed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Generic, NamedTuple, Protocol
from uuid import uuid4

from damier._core import DamierError
from damier.storage.store import Number, Pair, Store

__all__ = ["Encounter", "Entrant", "EventInfo", "Keeper", "Rows", "UnwrittenError"]

BATCH = 200  # pairs written at once when many are missing
PAUSE = 0.25  # seconds between two writings: pairs that come faster share one, which would else cost as much as they


class UnwrittenError(DamierError):
    """Games that were played, but could not be written to the database."""


@dataclass(frozen=True)
class EventInfo:
    """An event as others know it: `run` is the same whenever it is resumed, and no other event has it."""

    run: str
    kind: str  # match, tournament or ladder
    game: str
    settings: Mapping[str, Any] = field(hash=False)
    started: datetime


class Entrant(NamedTuple):
    """A player of an event."""

    name: str
    spec: str


class Encounter(NamedTuple):
    """Who plays a pair, in which round; `key` is what the pair is known by in its event."""

    key: str
    round: str
    first: Entrant
    second: Entrant


class Rows(Protocol):
    """Where games are kept as rows: a `damier.storage.database.Database`."""

    def begin(self, event: EventInfo) -> set[str]:
        """Enter an event unless it is there, and return the keys of its pairs that are."""

    def keep(self, event: EventInfo, pairs: Sequence[tuple[Encounter, Pair]]) -> None:
        """Write pairs, each of them whole or not at all, unless they are there."""


class Keeper(Generic[Number]):
    """Keeps the pairs of an event wherever it wants them; leaving it raises UnwrittenError if rows are missing, or
    tells of them in a note to what is raised already.

    >>> dice = Entrant("dice", "random")
    >>> with Keeper(None, None, {"game": "loa"}, int, lambda number: Encounter("", "1", dice, dice)) as keeper:
    ...     list(keeper.pairs())
    []
    """

    def __init__(
        self,
        folder: Path | None,
        rows: Rows | None,
        settings: Mapping[str, Any],
        number: Callable[[Any], Number],
        encounter: Callable[[Number], Encounter],
        *,
        resume: bool = False,
        kind: str = "match",
        file: str | None = None,
    ) -> None:
        self.store = Store(folder, settings, number, resume=resume, kind=file or kind) if folder else None
        self._rows, self._encounter = rows, encounter
        run, started = self.store.run if self.store else (uuid4().hex, datetime.now(UTC))
        self._event = EventInfo(run, kind, settings["game"], settings, started)
        self._pending: list[tuple[Encounter, Pair]] = []
        self._wrote = float("-inf")  # when
        self._failed = False  # then the rest waits for the end: a match does not stop for its rows
        try:
            self._write_missing()
        except BaseException:
            self._close()
            raise

    def _write_missing(self) -> None:
        """What is in the folder alone becomes rows."""
        if self._rows:
            there = self._rows.begin(self._event)
            met = ((self._encounter(number), pair) for number, pair in self.pairs())
            missing = (each for each in met if each[0].key not in there)
            while batch := list(islice(missing, BATCH)):
                self._rows.keep(self._event, batch)

    def _close(self) -> None:
        if self.store:
            self.store.close()

    def pairs(self) -> Iterable[tuple[Number, Pair]]:
        """What was kept in the folder."""
        return self.store.pairs() if self.store else ()

    def append(self, number: Number, pair: Pair) -> None:
        """Keep a pair; it is on the disk when this returns, where there is a folder."""
        if self.store:
            self.store.append(number, pair)
        if self._rows:
            self._pending.append((self._encounter(number), pair))
            if not self._failed and monotonic() - self._wrote >= PAUSE:
                try:
                    self._write()
                except DamierError:
                    self._failed = True

    def _write(self) -> None:
        if self._rows and self._pending:
            self._rows.keep(self._event, self._pending)
            self._pending.clear()
            self._wrote = monotonic()

    def __enter__(self) -> Keeper[Number]:
        return self

    def __exit__(self, _: type[BaseException] | None, raised: BaseException | None, __: TracebackType | None) -> None:
        try:
            self._write()
        except DamierError as error:
            where = f"; --resume with {self.store.folder} writes them" if self.store else ""
            unwritten = UnwrittenError(f"{error} ({2 * len(self._pending)} games not written{where})")
            if raised is None:
                raise unwritten from None
            raised.add_note(str(unwritten))
        finally:
            self._close()


def key_of(number: Any) -> str:
    """What a pair is known by, as a text.

    >>> key_of(4), key_of(("Anne", "Bob", 1, 0, 2))
    ('4', '["Anne","Bob",1,0,2]')
    """
    return json.dumps(number, separators=(",", ":"), ensure_ascii=False)
