"""From a file name or a URL to a database that holds our tables, or to an error in one line."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, inspect, make_url, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError, SQLAlchemyError

from damier._core import DamierError
from damier.storage.database.models import VERSION, Base, SchemaRow

__all__ = ["DatabaseError", "connected", "naming", "writing"]

PATIENCE = 30.0  # seconds to wait for another program that is writing
DIALECTS = ("sqlite", "postgresql")
OURS = set(Base.metadata.tables)


class DatabaseError(DamierError):
    """A database that cannot be opened, read or written; `reason` is the message without the name of the database."""

    def __init__(self, message: str, reason: str | None = None) -> None:
        super().__init__(message)
        self.reason = message if reason is None else reason


def url_of(text: str | Path) -> URL:
    """The URL that a text is, or that of an SQLite file.

    >>> url_of("games.db").database, url_of("postgresql://me:secret@host/games").drivername
    ('games.db', 'postgresql+psycopg')
    """
    if isinstance(text, Path) or "://" not in text:
        if not str(text).strip():
            raise DatabaseError("the database has no name, expected a file or a URL")
        return URL.create("sqlite", database=os.fspath(text))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        url = None
    if url is None or url.get_backend_name() not in DIALECTS:
        shown = text.partition("://")[0]  # what follows may be a password
        raise DatabaseError(
            f"{shown}://... is not a database, expected a file, sqlite:///FILE or postgresql://HOST/NAME"
        )
    return url.set(drivername="postgresql+psycopg") if url.drivername == "postgresql" else url


def shown(url: URL) -> str:
    """A file by its name, anything else by its URL without the password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "sqlite://"
    return url.render_as_string(hide_password=True)


def connected(
    text: str | Path, *, read_only: bool = False, durable: bool = False, patience: float | None = None
) -> tuple[Engine, str]:
    """An SQLAlchemy engine on our tables, which are created or upgraded first, and its name for messages.

    With `durable` a power cut loses nothing that was written; `patience` is how long to wait for another program.
    """
    patience = PATIENCE if patience is None else patience
    url = url_of(text)
    name = shown(url)
    if url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:"):
        file = Path(str(url.database))
        _check_file(file, read_only)
        if read_only and not os.access(file.parent, os.W_OK) and not file.with_name(f"{file.name}-wal").exists():
            # No log can be made beside it, even to read: it is taken as it is.
            url = URL.create("sqlite", database=f"{file.absolute().as_uri()}?immutable=1", query={"uri": "true"})
    guard = {"options": "-c default_transaction_read_only=on"} if read_only and name.startswith("postgresql") else {}
    try:
        engine = create_engine(url, connect_args=guard)
    except (ModuleNotFoundError, NoSuchModuleError):
        raise DatabaseError(f'{name}: there is no driver for it; pip install "damier[postgres]"') from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", partial(_set_up, durable=durable, patience=patience))
        event.listen(engine, "begin", _begin)
        if read_only:
            event.listen(engine, "connect", lambda raw, _: raw.execute("PRAGMA query_only = ON"))
    try:
        with naming(name, patience):
            _check_tables(engine, name, read_only)
    except BaseException:
        engine.dispose()
        raise
    return engine, name


def _check_file(path: Path, read_only: bool) -> None:
    if path.is_dir():
        raise DatabaseError(f"{path}: this is a folder, expected a file")
    if read_only and not path.exists():
        raise DatabaseError(f"{path}: there is no such file")
    if not path.parent.is_dir():
        raise DatabaseError(f"{path}: there is no folder {path.parent}")


def insert_into(connection: Connection, table: Table | type[Base]) -> sqlite.Insert | postgresql.Insert:
    """The beginning of an INSERT that can say what to do with rows that are there."""
    return sqlite.insert(table) if connection.dialect.name == "sqlite" else postgresql.insert(table)


def _set_up(connection: sqlite3.Connection, _: object, *, durable: bool, patience: float) -> None:
    connection.isolation_level = None  # transactions begin where we say so, not where the driver guesses
    connection.execute(f"PRAGMA busy_timeout = {int(1000 * patience)}")
    connection.execute("PRAGMA foreign_keys = ON")
    # In WAL mode a power cut takes the last rows with NORMAL, nothing more.
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")


def _begin(connection: Connection) -> None:
    """Announce writing at once: a reader that turns writer cannot wait for another one."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def _check_tables(engine: Engine, name: str, read_only: bool) -> None:
    """Refuse foreign tables and those of a later damier before anything is changed; create or upgrade ours."""
    with engine.connect() as connection:
        version = _version(connection, name)
        if version == VERSION or (version and read_only):  # games are the same in all of them
            return
    if read_only:
        raise DatabaseError(f"{name}: there are no games in it, nor the tables for them")
    if engine.dialect.name == "sqlite":
        _keep_a_log(engine)
    from damier.storage.database.migrations import upgrade  # noqa: PLC0415  (slow to load, and seldom needed)

    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":  # where two could make the same table at once
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('damier'))")
        version = _version(connection, name)
        if version != VERSION:  # another program may have been quicker
            upgrade(connection, version)


def _version(connection: Connection, name: str) -> int:
    """The version of our tables, 0 where there is none."""
    there = set(inspect(connection).get_table_names())
    if SchemaRow.__tablename__ in there:
        version = connection.execute(select(SchemaRow.version)).scalar()
        if not isinstance(version, int) or not 1 <= version <= VERSION:
            raise DatabaseError(f"{name}: its tables are of version {version}, but this damier knows {VERSION}")
        return version
    if there and (connection.dialect.name == "sqlite" or there & OURS):
        raise DatabaseError(f"{name}: this is a database of something else, with a table {min(there)}")
    return 0


def _keep_a_log(engine: Engine) -> None:
    """Write-ahead logging: readers do not wait for writers."""
    raw = engine.raw_connection()
    try:
        raw.cursor().execute("PRAGMA journal_mode = WAL")
    except Exception as error:  # another program is about to do the same
        if "locked" not in str(error):
            raise
    finally:
        raw.close()


@contextmanager
def naming(name: str, patience: float | None = None) -> Iterator[None]:
    """Report a database error in one line, and how long another program was waited for."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:  # the latter where a connection is used as it is
        reason = _words(error, PATIENCE if patience is None else patience)
        raise DatabaseError(f"{name}: {reason}", reason) from None


def _words(error: Exception, patience: float) -> str:
    said = str(error.orig if isinstance(error, DBAPIError) and error.orig else error).strip()
    said = " ".join(said.split("\n", 1)[0].split())
    if isinstance(error, OperationalError) and "locked" in said:
        return f"another program has been writing to it for {patience:g} s"
    if "not a database" in said:
        return "this is not a database"
    if "readonly database" in said:
        return "it may not be written to"
    return said
