"""A database of games: write events and their games, and find them again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import TypeVarTuple

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select
from sqlalchemy.orm import aliased

from damier import games as known_games
from damier._core import DamierError
from damier.drawing.readable import readable
from damier.files import JsonObject
from damier.records import RESULTS, Entrant, GameRecord
from damier.storage.database.connect import DatabaseError, connected, insert_into, naming, writing
from damier.storage.database.models import EventRow, GameRow, PlayerRow
from damier.storage.database.rows import info_of, record_of, row_of, storable
from damier.storage.run import RunInfo

__all__ = ["Database", "RunCount"]

PAGE = 200  # games read at once

Columns = TypeVarTuple("Columns")
White, Black = aliased(PlayerRow), aliased(PlayerRow)
SIDES = ("white", White.name, White.spec), ("black", Black.name, Black.spec)


@dataclass(frozen=True)
class RunCount:
    """A run, who played in it, and how its games ended: White's wins, draws, Black's wins, others."""

    id: int
    event: RunInfo
    players: tuple[str, ...]
    results: Mapping[str, int] = field(hash=False)

    @property
    def games(self) -> int:
        return sum(self.results.values())


class Database:
    """Games in an SQLite file, or in any database given by a URL; it is created if there is none yet.

    Several programs may write to one at the same time. What is written is there when a call returns.

    >>> from damier.arena.match import Match
    >>> with Database("sqlite://") as database:
    ...     _ = Match("rennes", "engine:depth=3", "random", games=4, database=database).run()
    ...     won = list(database.games(game="rennes", player="random", result="1-0"))
    >>> len(won), won[0].white.name, won[0].board().outcome().result
    (2, 'engine:depth=3', '1-0')
    """

    def __init__(self, url: str | Path, *, read_only: bool = False) -> None:
        self._engine, self.name = connected(url, read_only=read_only)
        self._events: dict[str, int] = {}  # ids of rows that are there
        self._players: dict[Entrant, int] = {}

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._engine.dispose()

    def begin(self, run: RunInfo, games: int = 2) -> set[str]:
        """Enter a run unless it is there, and return the `pair` of all pairs that have this many games."""
        with self._writing() as connection:
            of_run = GameRow.event_id == self._event_id(connection, run)
            whole = select(GameRow.pair).where(of_run).group_by(GameRow.pair).having(func.count() == games)
            return set(connection.scalars(whole))

    def keep(self, run: RunInfo, records: Iterable[GameRecord]) -> None:
        """Write games of a run, unless they are there."""
        self.add(run, records)

    def add(self, run: RunInfo, records: Iterable[GameRecord]) -> int:
        """Write games of a run, all or none of them, and return how many were new.

        A game is identified by its run, its `pair` and its `half`.
        """
        some = list(records)
        with self._writing() as connection:
            if not some:
                return 0
            event = self._event_id(connection, run)
            rows = [
                row_of(game)
                | {
                    "event_id": event,
                    "white_id": self._player_id(connection, game.white),
                    "black_id": self._player_id(connection, game.black),
                }
                for game in some
            ]
            return self._inserted(connection, GameRow, rows)

    def games(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        result: str | None = None,
        event: int | str | None = None,
    ) -> Iterator[GameRecord]:
        """Games in the order they were written, read lazily.

        `player` is a name or a spec, on either side; `event` the number of an event here, or its run.
        """
        which = _which(game, player, result, event)
        return self._games(which)

    def _games(self, which: list[ColumnElement[bool]]) -> Iterator[GameRecord]:
        names = [column.label(f"{side}_{column.key}") for side, *columns in SIDES for column in columns]
        asked = _joined(select(GameRow.__table__, *names)).where(*which).order_by(GameRow.id).limit(PAGE)
        runs: dict[int, RunInfo] = {}
        last = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(asked.where(GameRow.id > last)).all()
                for id in {row.event_id for row in rows} - set(runs):
                    row = connection.execute(select(EventRow.__table__).where(EventRow.id == id)).one_or_none()
                    if row:
                        runs[id] = info_of(row, self.name)
            for row in rows:
                if row.event_id not in runs or None in (row.white_name, row.black_name):
                    self._refuse_strangers()
                yield record_of(row, runs[row.event_id], self.name)
            if len(rows) < PAGE:
                return
            last = rows[-1].id

    def events(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        result: str | None = None,
        event: int | str | None = None,
    ) -> list[RunCount]:
        """Events that have such games, with how many, in the order they were entered; all when nothing is asked."""
        which = _which(game, player, result, event)
        counts = _joined(select(GameRow.event_id, GameRow.result, func.count())).where(*which)
        counts = counts.group_by(GameRow.event_id, GameRow.result)
        names = _joined(select(GameRow.event_id, White.name, Black.name)).where(*which).distinct()
        results: dict[int, dict[str, int]] = {}
        players: dict[int, dict[str, None]] = {}
        with self._reading() as connection:
            for id, ended, count in connection.execute(counts):
                results.setdefault(id, {})[ended] = count
            for id, white, black in connection.execute(names.order_by(GameRow.event_id, White.name, Black.name)):
                players.setdefault(id, {}).update({white: None, black: None})
            rows = connection.execute(select(EventRow.__table__).order_by(EventRow.id)).all()
        if results.keys() - {row.id for row in rows} or any(None in names for names in players.values()):
            self._refuse_strangers()
        for id, counted in results.items():
            if not all(isinstance(text, str) for text in (*counted, *players[id])):
                raise DatabaseError(f"{self.name}: event {id} has a damaged row, with bytes where a text should be")
        return [
            RunCount(row.id, info_of(row, self.name), tuple(players.get(row.id, ())), results.get(row.id, {}))
            for row in rows
            if row.id in results or not which
        ]

    def _refuse_strangers(self) -> None:
        """Refuse a game whose event or player is not there: other programs may write such rows to SQLite."""
        with self._reading() as connection:
            for what, column, known in (
                ("event", GameRow.event_id, EventRow.id),
                ("player", GameRow.white_id, PlayerRow.id),
                ("player", GameRow.black_id, PlayerRow.id),
            ):
                strange = select(GameRow.id, column).where(column.not_in(select(known))).order_by(GameRow.id)
                if found := connection.execute(strange.limit(1)).first():
                    raise DatabaseError(f"{self.name}: game {found[0]} names {what} {found[1]}, which does not exist")

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with naming(self.name), self._engine.connect() as connection:
                yield connection
        except DamierError:
            raise
        except (ValueError, TypeError, RecursionError) as error:  # of columns that cannot be read as what they are
            words = readable(str(error))[:200]
            raise DatabaseError(f"{self.name}: a row is damaged ({words})") from None

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with naming(self.name), writing(self._engine) as connection:
                yield connection
        except BaseException:
            self._events.clear()  # rows of them may have been taken back
            self._players.clear()
            raise

    def _event_id(self, connection: Connection, run: RunInfo) -> int:
        if run.run not in self._events:
            started = run.started.astimezone(UTC).replace(tzinfo=None)
            row = {"run": run.run, "kind": run.kind, "game": run.game, "started": started}
            self._inserted(connection, EventRow, [row | {"settings": dict(run.settings)}])
            self._events[run.run] = connection.scalars(select(EventRow.id).where(EventRow.run == run.run)).one()
        return self._events[run.run]

    def _player_id(self, connection: Connection, player: Entrant) -> int:
        if player not in self._players:
            name, spec = map(storable, player)
            self._inserted(connection, PlayerRow, [{"name": name, "spec": spec}])
            same = PlayerRow.name == name, PlayerRow.spec == spec
            self._players[player] = connection.scalars(select(PlayerRow.id).where(*same)).one()
        return self._players[player]

    def _inserted(
        self, connection: Connection, table: type[EventRow | PlayerRow | GameRow], rows: list[JsonObject]
    ) -> int:
        """Insert rows unless they are there, and return how many were not."""
        insert = insert_into(connection, table)
        return len(connection.scalars(insert.on_conflict_do_nothing().returning(table.id), rows).all())


def _joined(asked: Select[*Columns]) -> Select[*Columns]:
    """Games with those who played them, None where there is no such player."""
    return asked.outerjoin(White, GameRow.white_id == White.id).outerjoin(Black, GameRow.black_id == Black.id)


def _which(
    game: str | None, player: str | None, result: str | None, event: int | str | None
) -> list[ColumnElement[bool]]:
    """The conditions that games must meet."""
    which: list[ColumnElement[bool]] = []
    if game is not None:
        known_games.info(game)
        which.append(GameRow.game == game)
    if player is not None:
        which.append(or_(*(column == player for _, *columns in SIDES for column in columns)))
    if result is not None:
        if result not in RESULTS:
            raise DamierError(f"result is {result!r}, expected one of {', '.join(RESULTS)}")
        which.append(GameRow.result == result)
    if isinstance(event, str):
        which.append(GameRow.event_id.in_(select(EventRow.id).where(EventRow.run == event)))
    elif event is not None:
        which.append(GameRow.event_id == event)
    return which
