"""Rows missing because of a lock, a full disk, Ctrl-C or a crash are reported, and written on resume."""

from __future__ import annotations

import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from common import out, refusal
from database_runs import match, the_same
from sqlalchemy import text

import damier
from damier.arena.match import Match
from damier.cli.app import run
from damier.storage.database import Database, DatabaseError, connect
from damier.storage.writer import UnwrittenError

DAMIER = [sys.executable, "-m", "damier"]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a database that is locked."""
    monkeypatch.setattr(connect, "PATIENCE", 0.1)


def test_two_programs_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    args = ["match", "loa5", "engine:nodes=20", "random", "--games", "30", "--database", str(file)]
    programs = [
        subprocess.Popen([*DAMIER, *args, "--seed", str(n)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for n in range(2)
    ]
    for program in programs:
        assert program.communicate(timeout=120)[1] == b""
    with Database(file, read_only=True) as database:
        assert [event.games for event in database.events()] == [30, 30]


def test_a_match_that_was_killed_is_whole_once_resumed(tmp_path: Path) -> None:
    folder, file = tmp_path / "run", tmp_path / "games.db"
    args = ["match", "loa", "engine:nodes=200", "random", "--out", str(folder), "--database", str(file)]
    program = subprocess.Popen([*DAMIER, *args, "--games", "4000"], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (folder / "pairs.jsonl").exists() or (folder / "pairs.jsonl").read_bytes().count(b"\n") < 5:
        assert time.monotonic() < end
        time.sleep(0.02)
    program.send_signal(signal.SIGKILL)
    program.wait(30)
    games = 2 * ((folder / "pairs.jsonl").read_bytes().count(b"\n") + 3)
    assert run([*args, "--games", str(games), "--resume", "--json"]) == 0
    with Database(file) as database:
        assert the_same(database, folder)
        assert database.events()[0].games == games


def locked(file: Path) -> sqlite3.Connection:
    """Another program that does not end its writing."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other


@pytest.mark.usefixtures("quick")
def test_a_database_that_is_locked_before_the_first_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    Database(tmp_path / "games.db").close()
    other = locked(tmp_path / "games.db")
    args = ("match", "loa5", "random", "random", "--games", "4", "--out", str(tmp_path / "run"))
    said = refusal(capsys, *args, "--database", str(tmp_path / "games.db"))
    assert "games.db: another program has been writing to it for 0.1 s" in said
    assert not (tmp_path / "run" / "pairs.jsonl").exists()
    other.close()
    out(capsys, *args, "--database", str(tmp_path / "games.db"), "--resume")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("until", ["the end", "before the end"])
def test_a_database_that_is_locked_during_a_match(tmp_path: Path, until: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.storage.writer.PAUSE", 0.0)
    file, folder = tmp_path / "games.db", tmp_path / "run"
    with Database(file) as database:
        others = []

        def on_pair(tally: Any) -> None:
            if tally.games == 2:
                others.append(locked(file))
            if tally.games == 6 and until == "before the end":
                others[0].close()

        asked = match(folder, database=database)
        if until == "the end":
            with pytest.raises(UnwrittenError, match=r"another program .* \(6 games not written; --resume with .*run"):
                asked.run(on_pair)
            others[0].close()
            assert (asked.tally.games, len(list(database.games()))) == (8, 2)
            match(folder, resume=True, database=database).run()
        else:
            asked.run(on_pair)
        assert the_same(database, folder)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), damier.DamierError("the lamp went out")])
def test_what_is_missing_is_reported_even_when_a_match_is_cut_off(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: BaseException
) -> None:
    def fail(*_: Any) -> None:
        raise DatabaseError("games.db: disk is full")

    @contextmanager
    def shown(_: Match) -> Iterator[Any]:
        def show(tally: Any) -> None:
            if tally.games == 4:
                raise stop

        yield show

    monkeypatch.setattr(Database, "keep", fail)
    monkeypatch.setattr("damier.cli.match.shown", shown)
    folder = tmp_path / "run"
    args = ["match", "loa5", "random", "random", "--games", "8", "--out", str(folder)]
    missing = f"games.db: disk is full (4 games not written; --resume with {folder} writes them)\n"
    if isinstance(stop, KeyboardInterrupt):
        args += ["--database", str(tmp_path / "games.db")]
        assert run(args) == 130
        again = shlex.join(["damier", *args, "--resume"])
        assert capsys.readouterr().err == f"{missing}interrupted; resume with `{again}`\n"
    else:
        assert refusal(capsys, *args, "--database", str(tmp_path / "games.db")) == f"damier: {stop}; {missing}"


@pytest.mark.usefixtures("quick")
def test_the_result_of_a_match_is_shown_even_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise DatabaseError("games.db: disk is full")

    monkeypatch.setattr(Database, "keep", fail)
    assert run(["match", "loa5", "random", "random", "--games", "4", "--database", str(tmp_path / "games.db")]) == 1
    printed = capsys.readouterr()
    assert "4 of 4" in printed.out
    assert printed.err == "damier: games.db: disk is full (4 games not written)\n"


def test_an_interrupted_match_stays_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(tally: Any) -> None:
        if tally.games == 4:
            raise KeyboardInterrupt

    with Database(tmp_path / "games.db") as database:
        with pytest.raises(KeyboardInterrupt):
            match(tmp_path / "run", database=database).run(stop)
        assert the_same(database, tmp_path / "run")
        assert len(list(database.games())) == 4


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE games SET moves = '9-13 nonsense' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET result = 'x' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET turns = '[1, 2]' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET turns = '{' WHERE id = 2", "a row is damaged"),
        ("UPDATE games SET opening_plies = 999 WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET game = 'ludo' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET note = x'00ff' WHERE id = 2", "game 2 is damaged"),
        ("UPDATE games SET plies = 'x', half = 'y' WHERE id = 2", "damaged"),
        ("UPDATE events SET started = 'once'", "a row is damaged"),
        ("UPDATE events SET settings = 'x'", "a row is damaged"),
        ("UPDATE events SET settings = '[]'", "event 1 is damaged"),
        ("UPDATE events SET kind = x'00ff'", "event 1 is damaged"),
        ("UPDATE events SET run = x'00ff'", "event 1 is damaged"),
        ("UPDATE events SET game = x'00ff'", "event 1 is damaged"),
    ],
)
def test_damaged_rows_are_one_line(tmp_path: Path, statement: str, words: str) -> None:
    with Database(tmp_path / "games.db") as database:
        Match("rennes", "random", "random", games=4, database=database).run()
        with database._writing() as connection:
            connection.execute(text(statement))
    with Database(tmp_path / "games.db") as database, pytest.raises(DatabaseError, match=words) as raised:
        list(database.games())
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("column", ["game", "fen", "moves"])
def test_bytes_instead_of_texts_are_named(tmp_path: Path, column: str) -> None:
    with Database(tmp_path / "games.db") as database:
        Match("rennes", "random", "random", games=4, database=database).run()
        with database._writing() as connection:
            connection.execute(text(f"UPDATE games SET {column} = x'00ff' WHERE id = 2"))
        with pytest.raises(DatabaseError, match=rf"game 2 is damaged \(its {column} is not a text\)"):
            list(database.games())


@pytest.mark.parametrize(("column", "what"), [("event_id", "event"), ("white_id", "player"), ("black_id", "player")])
def test_rows_that_name_others_that_do_not_exist(tmp_path: Path, column: str, what: str) -> None:
    with Database(tmp_path / "games.db") as database:
        Match("rennes", "random", "random", games=4, database=database).run()
    rows = sqlite3.connect(tmp_path / "games.db")
    rows.execute(f"UPDATE games SET {column} = 999 WHERE id = 2")
    rows.commit()
    rows.close()
    with Database(tmp_path / "games.db") as database:
        for read in (database.events, lambda: list(database.games())):
            with pytest.raises(DatabaseError, match=f"game 2 names {what} 999, which does not exist"):
                read()


@pytest.mark.parametrize("statement", ["UPDATE players SET name = x'00ff'", "UPDATE games SET result = x'00ff'"])
def test_damaged_rows_are_not_counted(tmp_path: Path, statement: str) -> None:
    with Database(tmp_path / "games.db") as database:
        Match("rennes", "random", "random", games=4, database=database).run()
        with database._writing() as connection:
            connection.execute(text(statement))
        with pytest.raises(DatabaseError, match="event 1 has a damaged row") as raised:
            database.events()
    assert str(raised.value).isprintable()
