"""A database of games: events and their games go in, and come out by what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import aliased

from damier import games as known_games
from damier._core import DamierError
from damier.arena.play.referee import Turn
from damier.records import RESULTS
from damier.storage.database.connect import connected, naming, writing
from damier.storage.database.models import EventRow, GameRow, PlayerRow
from damier.storage.database.stored import StoredGame
from damier.storage.keep import Encounter, Entrant, EventInfo
from damier.storage.store import Pair

__all__ = ["Database", "EventCount"]

PAGE = 200  # games read at once

White, Black = aliased(PlayerRow), aliased(PlayerRow)
SIDES = ("white", White.name, White.spec), ("black", Black.name, Black.spec)


@dataclass(frozen=True)
class EventCount:
    """An event, who played in it, and how its games ended: White's wins, draws, Black's wins, others."""

    id: int
    event: EventInfo
    players: tuple[str, ...]
    results: Mapping[str, int] = field(hash=False)

    @property
    def games(self) -> int:
        return sum(self.results.values())


class Database:
    """Games in an SQLite file, or in any database that a URL names; where there is nothing yet it is made.

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

    def begin(self, event: EventInfo) -> set[str]:
        """Enter an event unless it is there, and return the keys of its pairs that are there whole."""
        with self._writing() as connection:
            of_event = GameRow.event_id == self._event_id(connection, event)
            whole = select(GameRow.pair).where(of_event).group_by(GameRow.pair).having(func.count() == 2)
            return set(connection.scalars(whole))

    def keep(self, event: EventInfo, pairs: Sequence[tuple[Encounter, Pair]]) -> None:
        """Write pairs of the arena, unless they are there."""
        self.add(StoredGame.of(event, met, half, played) for met, pair in pairs for half, played in enumerate(pair, 1))

    def add(self, games: Iterable[StoredGame]) -> int:
        """Write games, all or none of them, and return how many were not there yet."""
        games = list(games)
        with self._writing() as connection:
            if not games:
                return 0
            rows = [self._row(connection, game) for game in games]
            return self._inserted(connection, GameRow, rows)

    def _row(self, connection: Connection, game: StoredGame) -> dict[str, Any]:
        return {
            "event_id": self._event_id(connection, game.event),
            "pair": game.pair,
            "half": game.half,
            "round": game.round,
            "white_id": self._player_id(connection, game.white),
            "black_id": self._player_id(connection, game.black),
            "game": game.game,
            "fen": game.fen,
            "opening": game.opening,
            "opening_plies": game.opening_plies,
            "result": game.result,
            "ending": game.ending,
            "note": game.note,
            "plies": len(game.moves),
            "moves": " ".join(game.moves),
            "turns": [list(turn) for turn in game.turns],
        }

    def games(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        result: str | None = None,
        event: int | str | None = None,
    ) -> Iterator[StoredGame]:
        """Games in the order they were written, read as they are asked for.

        `player` is a name or a spec, on either side; `event` the number of an event here, or its run.
        """
        which = _which(game, player, result, event)
        return self._games(which)

    def _games(self, which: list[ColumnElement[bool]]) -> Iterator[StoredGame]:
        names = [column.label(f"{side}_{column.key}") for side, *columns in SIDES for column in columns]
        asked = _joined(select(GameRow.__table__, *names)).where(*which).order_by(GameRow.id).limit(PAGE)
        events: dict[int, EventInfo] = {}
        last = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(asked.where(GameRow.id > last)).all()
                for id in {row.event_id for row in rows} - set(events):
                    row = connection.execute(select(EventRow.__table__).where(EventRow.id == id)).one()
                    events[id] = _info(row)
            for row in rows:
                yield _stored(row, events[row.event_id])
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
    ) -> list[EventCount]:
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
        return [
            EventCount(row.id, _info(row), tuple(players.get(row.id, ())), results.get(row.id, {}))
            for row in rows
            if row.id in results or not which
        ]

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with naming(self.name), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        try:
            with naming(self.name), writing(self._engine) as connection:
                yield connection
        except BaseException:
            self._events.clear()  # rows of them may have been taken back
            self._players.clear()
            raise

    def _event_id(self, connection: Connection, event: EventInfo) -> int:
        if event.run not in self._events:
            started = event.started.astimezone(UTC).replace(tzinfo=None)
            row = {"run": event.run, "kind": event.kind, "game": event.game, "started": started}
            self._inserted(connection, EventRow, [row | {"settings": dict(event.settings)}])
            self._events[event.run] = connection.scalars(select(EventRow.id).where(EventRow.run == event.run)).one()
        return self._events[event.run]

    def _player_id(self, connection: Connection, player: Entrant) -> int:
        if player not in self._players:
            self._inserted(connection, PlayerRow, [player._asdict()])
            same = PlayerRow.name == player.name, PlayerRow.spec == player.spec
            self._players[player] = connection.scalars(select(PlayerRow.id).where(*same)).one()
        return self._players[player]

    def _inserted(self, connection: Connection, table: type[EventRow | PlayerRow | GameRow], rows: list[Any]) -> int:
        """Insert rows unless they are there, and return how many were not."""
        insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[connection.dialect.name](table)
        return len(connection.scalars(insert.on_conflict_do_nothing().returning(table.id), rows).all())


def _joined(asked: Any) -> Any:
    """Games with those who played them."""
    return asked.join(White, GameRow.white_id == White.id).join(Black, GameRow.black_id == Black.id)


def _which(
    game: str | None, player: str | None, result: str | None, event: int | str | None
) -> list[ColumnElement[bool]]:
    """What games must fulfil."""
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


def _info(row: Any) -> EventInfo:
    return EventInfo(row.run, row.kind, row.game, row.settings, row.started.replace(tzinfo=UTC))


def _stored(row: Any, event: EventInfo) -> StoredGame:
    return StoredGame(
        event=event,
        pair=row.pair,
        half=row.half,
        round=row.round,
        white=Entrant(row.white_name, row.white_spec),
        black=Entrant(row.black_name, row.black_spec),
        game=row.game,
        fen=row.fen,
        moves=tuple(row.moves.split()),
        turns=tuple(Turn(*turn) for turn in row.turns),
        result=row.result,
        ending=row.ending,
        note=row.note,
        opening=row.opening,
    )
