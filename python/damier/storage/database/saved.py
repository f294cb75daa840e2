"""Games that people play, each a tree of moves: one row per move, and acknowledged changes are on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, RowMapping, Table, and_, delete, insert, or_, select, update

from damier.drawing.readable import readable
from damier.files import JsonObject, JsonView
from damier.storage.database.connect import DatabaseError, connected, insert_into, naming, writing
from damier.storage.database.models import SavedGameRow, SavedMoveRow, SettingRow

__all__ = ["SavedGame", "SavedGames", "SavedMove", "StaleGameError"]

GAMES, MOVES, SETTINGS = (cast(Table, row.__table__) for row in (SavedGameRow, SavedMoveRow, SettingRow))


@dataclass(frozen=True)
class SavedMove:
    """A move of the tree, as a row holds it; 0 is the start, which has no row."""

    id: int
    parent: int
    place: int
    move: str
    comment: str = ""
    before: str = ""
    nags: list[int] = field(default_factory=list)
    score: JsonObject | None = None
    seconds: float | None = None
    ending: JsonObject | None = None


@dataclass(frozen=True)
class SavedGame:
    """A game as a row holds it, without its moves; times are UTC, without a zone."""

    id: str
    revision: int
    variant: str
    fen: str | None
    title: str
    headers: dict[str, str]
    white: JsonObject
    black: JsonObject
    clock: JsonObject | None
    created: datetime
    updated: datetime
    current: int
    next_move: int
    plies: int
    result: str
    reason: str
    last_fen: str
    words: str


class StaleGameError(DatabaseError):
    """Another program has changed the game since it was read."""


class SavedGames:
    """The games of people in an SQLite file or PostgreSQL. What is written is on disk when a call returns.

    >>> from datetime import UTC
    >>> saved = SavedGames("sqlite://")
    >>> now = datetime(2030, 1, 1)
    >>> players = {"white": {"name": "Anne"}, "black": {"name": "Bob"}}
    >>> game = SavedGame("g1", 1, "loa", None, "", {}, **players, clock=None, created=now, updated=now, current=0,
    ...                  next_move=1, plies=0, result="*", reason="", last_fen="", words="anne bob")
    >>> saved.add(game, [])
    >>> saved.change(game.id, 1, {"revision": 2, "current": 1}, [SavedMove(1, 0, 0, "b1-b3")])
    >>> read, moves = saved.read("g1")
    >>> read.revision, [move.move for move in moves]
    (2, ['b1-b3'])
    """

    def __init__(self, url: str | Path, *, patience: float | None = None) -> None:
        self._engine, self.name = connected(url, durable=True, patience=patience)
        self._patience = patience
        self._puts: JsonObject = {}  # statements, by table

    def close(self) -> None:
        self._engine.dispose()

    def add(self, game: SavedGame, moves: Iterable[SavedMove]) -> None:
        """Write a new game, completely or not at all."""
        rows = [_columns(game.id, move) for move in moves]
        with self._writing() as connection:
            connection.execute(insert(GAMES), [asdict(game)])
            if rows:
                connection.execute(insert(MOVES), rows)

    def change(
        self,
        id: str,
        revision: int,
        changes: JsonView,
        moves: Iterable[SavedMove] = (),
        removed: Iterable[int] = (),
    ) -> None:
        """Change a game at a revision: columns of its row, new or changed moves, removed moves."""
        rows, gone = [_columns(id, move) for move in moves], list(removed)
        with self._writing() as connection:
            there = update(GAMES).where(GAMES.c.id == id, GAMES.c.revision == revision)
            if not connection.execute(there.values(**changes)).rowcount:
                raise StaleGameError(f"{self.name}: game {id} was changed or deleted by another program")
            for some in [gone[start : start + 500] for start in range(0, len(gone), 500)]:
                connection.execute(delete(MOVES).where(MOVES.c.game_id == id, MOVES.c.id.in_(some)))
            if rows:
                self._put(connection, MOVES, rows)

    def read(self, id: str) -> tuple[SavedGame, list[SavedMove]] | None:
        """A game and its moves, each after its parent and in order; None if there is none."""
        with self._reading() as connection:
            row = connection.execute(select(GAMES).where(GAMES.c.id == id)).first()
            if row is None:
                return None
            moves = connection.execute(select(MOVES).where(MOVES.c.game_id == id).order_by(MOVES.c.id)).all()
        return SavedGame(**row._mapping), [_move(each._mapping) for each in moves]

    def revision(self, id: str) -> int | None:
        """The revision of a game, None if there is none."""
        with self._reading() as connection:
            return cast(int | None, connection.execute(select(GAMES.c.revision).where(GAMES.c.id == id)).scalar())

    def delete(self, id: str) -> bool:
        """Delete a game; return whether it was there."""
        with self._writing() as connection:
            connection.execute(delete(MOVES).where(MOVES.c.game_id == id))
            return bool(connection.execute(delete(GAMES).where(GAMES.c.id == id)).rowcount)

    def page(
        self,
        *,
        search: str = "",
        variants: Iterable[str] | None = None,
        result: str | None = None,
        limit: int = 50,
        before: tuple[datetime, str] | None = None,
    ) -> list[SavedGame]:
        """Games without their moves, the latest first: those that have all words of a search, before a place."""
        asked = select(GAMES).order_by(GAMES.c.updated.desc(), GAMES.c.id.desc()).limit(limit)
        for word in search.lower().split():
            asked = asked.where(GAMES.c.words.contains(word, autoescape=True))
        if variants is not None:
            asked = asked.where(GAMES.c.variant.in_(list(variants)))
        if result is not None:
            asked = asked.where(GAMES.c.result == result)
        if before is not None:
            when, id = before
            earlier = or_(GAMES.c.updated < when, and_(GAMES.c.updated == when, GAMES.c.id < id))
            asked = asked.where(earlier)
        with self._reading() as connection:
            return [SavedGame(**row._mapping) for row in connection.execute(asked).all()]

    def setting(self, name: str) -> JsonObject | None:
        """A setting, None if it was never chosen."""
        with self._reading() as connection:
            asked = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
            return cast(JsonObject | None, connection.execute(asked).scalar())

    def choose(self, name: str, value: JsonView) -> None:
        """Save a setting."""
        with self._writing() as connection:
            self._put(connection, SETTINGS, [{"name": name, "value": dict(value)}])

    def _put(self, connection: Connection, table: Table, rows: list[JsonObject]) -> None:
        """Insert rows, or replace those of the same key."""
        if table.name not in self._puts:  # building it takes longer than running it
            asked = insert_into(connection, table)
            keys = [column.name for column in table.primary_key]
            other = {column.name: asked.excluded[column.name] for column in table.columns if column.name not in keys}
            self._puts[table.name] = asked.on_conflict_do_update(index_elements=keys, set_=other)
        connection.execute(self._puts[table.name], rows)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with naming(self.name, self._patience), writing(self._engine) as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with naming(self.name, self._patience), self._engine.connect() as connection:
                yield connection
        except (ValueError, TypeError, RecursionError) as error:
            if isinstance(error, DatabaseError):
                raise
            reason = f"a row is damaged ({readable(str(error))[:200]})"
            raise DatabaseError(f"{self.name}: {reason}", reason) from None


def _columns(id: str, move: SavedMove) -> JsonObject:
    return {"game_id": id, **asdict(move)}


def _move(row: RowMapping) -> SavedMove:
    return SavedMove(**{str(name): value for name, value in row.items() if name != "game_id"})
