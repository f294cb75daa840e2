"""Games that people play, as rows: what was written is there, and old databases are brought up to date."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from common import ROOT

from damier.storage.database import Database, DatabaseError
from damier.storage.database.connect import connected
from damier.storage.database.migrations import VERSION_TABLE
from damier.storage.database.models import Base
from damier.storage.database.saved import SavedGame, SavedGames, SavedMove, StaleGameError

POSTGRES = os.environ.get("DAMIER_TEST_POSTGRES")  # the URL of a database whose tables may be dropped
NOON = datetime(2030, 1, 1, 12)
GAME = SavedGame(
    id="one",
    revision=1,
    variant="loa",
    fen=None,
    title="",
    headers={},
    white={"name": "Anne"},
    black={"name": "Bob"},
    clock=None,
    created=NOON,
    updated=NOON,
    current=0,
    next_move=1,
    plies=0,
    result="*",
    reason="",
    last_fen="",
    words="anne bob",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def saved(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SavedGames]:
    if request.param == "postgresql" and not POSTGRES:
        pytest.skip("DAMIER_TEST_POSTGRES names no database")
    place = POSTGRES if request.param == "postgresql" else str(tmp_path / "games.db")
    assert place
    if POSTGRES and place == POSTGRES:
        with Database(POSTGRES) as database:
            Base.metadata.drop_all(database._engine)
    found = SavedGames(place)
    yield found
    found.close()


def old_database(file: Path) -> None:
    """A database as the first damier made it, with two games."""
    connection = sqlite3.connect(file)
    connection.executescript((ROOT / "tests" / "golden" / "database-v1.sql").read_text(encoding="utf-8"))
    connection.close()


def test_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    old_database(tmp_path / "old.db")
    for name in ("new.db", "old.db"):
        engine, _ = connected(tmp_path / name)
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
            assert compare_metadata(context, Base.metadata) == []
        engine.dispose()


def test_games_of_an_old_database_are_kept(tmp_path: Path) -> None:
    old_database(tmp_path / "old.db")
    with Database(tmp_path / "old.db", read_only=True) as database:
        before = list(database.games())
    with closing(sqlite3.connect(tmp_path / "old.db")) as raw:
        assert raw.execute("SELECT version FROM damier_schema").fetchall() == [(1,)]
    saved = SavedGames(tmp_path / "old.db")
    saved.add(GAME, [])
    with Database(tmp_path / "old.db") as database:
        assert list(database.games()) == before
        assert len(before) == 2
    assert saved.read("one") == (GAME, [])


def test_a_game_comes_back_as_it_was_written(saved: SavedGames) -> None:
    moves = [
        SavedMove(1, 0, 0, "b1-b3", comment="solid", nags=[1], seconds=0.5),
        SavedMove(2, 0, 1, "c1-c3", before="or", score={"cp": 12}, ending={"result": "1-0"}),
    ]
    saved.add(GAME, moves)
    assert saved.read("one") == (GAME, moves)
    assert saved.read("two") is None


def test_moves_are_added_changed_and_removed_together(saved: SavedGames) -> None:
    saved.add(GAME, [SavedMove(1, 0, 0, "b1-b3"), SavedMove(2, 1, 0, "a2-c2")])
    saved.change("one", 1, {"revision": 2, "current": 3}, [SavedMove(1, 0, 0, "b1-b3", comment="!")], removed=[2])
    found = saved.read("one")
    assert found
    assert (found[0].revision, found[0].current) == (2, 3)
    assert found[1] == [SavedMove(1, 0, 0, "b1-b3", comment="!")]


def test_a_change_of_another_program_is_seen(saved: SavedGames) -> None:
    saved.add(GAME, [])
    saved.change("one", 1, {"revision": 2})
    with pytest.raises(StaleGameError, match="changed or deleted by another program"):
        saved.change("one", 1, {"revision": 2}, [SavedMove(1, 0, 0, "b1-b3")])
    found = saved.read("one")
    assert found
    assert found[1] == []


def test_deleted_games_are_gone(saved: SavedGames) -> None:
    saved.add(GAME, [SavedMove(1, 0, 0, "b1-b3")])
    assert saved.delete("one")
    assert not saved.delete("one")
    assert saved.read("one") is None


def test_pages_are_in_order_and_searched(saved: SavedGames) -> None:
    for number in range(7):
        when = NOON + timedelta(minutes=number // 2)  # some at the same time
        words = "anne carl" if number % 2 else "anne bob 100%"
        variant = "chess" if number < 3 else "loa"
        saved.add(replace(GAME, id=f"g{number}", updated=when, words=words, variant=variant), [])
    seen, before = [], None
    while page := saved.page(limit=2, before=before):
        seen += [game.id for game in page]
        before = page[-1].updated, page[-1].id
    assert seen == [f"g{number}" for number in range(6, -1, -1)]
    assert [game.id for game in saved.page(search="CARL anne")] == ["g5", "g3", "g1"]
    assert [game.id for game in saved.page(search="100%")] == ["g6", "g4", "g2", "g0"]
    assert saved.page(search="100_") == []
    assert [game.id for game in saved.page(variants=["chess"])] == ["g2", "g1", "g0"]
    assert saved.page(result="1-0") == []


def test_settings_are_replaced(saved: SavedGames) -> None:
    assert saved.setting("page") is None
    saved.choose("page", {"theme": "dark"})
    saved.choose("page", {"theme": "light"})
    assert saved.setting("page") == {"theme": "light"}


def test_a_locked_database_is_reported(tmp_path: Path) -> None:
    saved = SavedGames(tmp_path / "games.db", patience=0.05)
    other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(DatabaseError, match="another program has been writing"):
        saved.add(GAME, [])
    other.execute("ROLLBACK")
    other.close()
    saved.add(GAME, [])


def test_a_full_disk_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    saved = SavedGames(tmp_path / "games.db")
    saved.add(GAME, [])
    with saved._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 1")
    with pytest.raises(DatabaseError, match="full"):
        saved.change("one", 1, {"revision": 2}, [SavedMove(1, 0, 0, "b1-b3", comment="x" * 100_000)])
    assert saved.read("one") == (GAME, [])
