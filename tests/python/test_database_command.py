"""`damier database`, and what `--database` refuses."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from common import out, refusal
from database_runs import match

from damier import records
from damier.arena.match import Match
from damier.storage.database import Database


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "the database has no name"),
        ("missing/games.db", "games.db: there is no folder"),
        ("folder", "folder: this is a folder"),
        ("notes.txt", "notes.txt: this is not a database"),
        ("other.db", "other.db: this is a database of something else, with a table birds"),
        ("later.db", "later.db: its tables are of version 7, but this damier knows 2"),
        ("mysql://root:secret@host/games", "mysql://... is not a database, expected a file"),
        ("nonsense://", "nonsense://... is not a database"),
        ("postgresql://me:secret@127.0.0.1:1/games", "postgresql+psycopg://me:***@127.0.0.1:1/games: "),
    ],
)
def test_what_cannot_be_a_database(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "postgresql" in name:
        pytest.importorskip("psycopg")
    (tmp_path / "folder").mkdir()
    (tmp_path / "notes.txt").write_text("The birds were early this year.\n" * 100)
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    Database(tmp_path / "later.db").close()
    with sqlite3.connect(tmp_path / "later.db") as later:
        later.execute("UPDATE damier_schema SET version = 7")
    later.close()
    monkeypatch.chdir(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    args = ("match", "loa5", "random", "random", "--games", "2", "--out", "run", "--database", name)
    for said in (refusal(capsys, *args), refusal(capsys, "database", name) if name != "missing/games.db" else words):
        assert words in said
        assert "secret" not in said
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()} == before
    assert not (tmp_path / "run").exists()


def test_nothing_is_made_where_games_are_looked_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "games.db: there is no such file" in refusal(capsys, "database", str(tmp_path / "games.db"))
    (tmp_path / "games.db").touch()
    assert "there are no games in it" in refusal(capsys, "database", str(tmp_path / "games.db"))
    assert (tmp_path / "games.db").stat().st_size == 0


def test_an_empty_file_that_may_not_be_written_to(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.db").touch()
    args = ("match", "loa5", "random", "random", "--games", "2", "--database")
    said = refusal(capsys, *args, "sqlite:///file:games.db?mode=ro&uri=true")  # even root may not
    assert "games.db: it may not be written to" in said


def test_without_a_driver_one_line_says_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert 'pip install "damier[postgres]"' in refusal(capsys, "database", "postgresql://host/games")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only here")
def test_a_folder_that_may_not_be_written_to(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir()
    match(tmp_path / "run", 2, database=Database(tmp_path / "closed" / "games.db")).run()
    (tmp_path / "closed").chmod(0o500)
    for name in ("games.db", "other.db"):
        args = ("match", "loa5", "random", "random", "--games", "2", "--database", str(tmp_path / "closed" / name))
        assert f"{name}: " in refusal(capsys, *args)
    assert "2 games" in out(capsys, "database", str(tmp_path / "closed" / "games.db"))


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A database with a match of each family."""
    file = str(tmp_path / "games.db")
    with Database(file) as database:
        for game in ("loa6", "chess960", "russian"):
            Match(game, "engine:nodes=5", "random", games=4, database=database).run()
    monkeypatch.setenv("DAMIER_DATABASE", file)
    return file


def test_listing(capsys: pytest.CaptureFixture[str], three: str) -> None:
    shown = out(capsys, "database", three)
    assert "games.db: 12 games" in shown
    assert "chess960" in shown
    report = json.loads(out(capsys, "database", "--json"))
    assert [(event["game"], event["games"]) for event in report["events"]] == [
        ("loa6", 4),
        ("chess960", 4),
        ("russian", 4),
    ]
    one = json.loads(out(capsys, "database", "--game", "russian", "--player", "random", "--result", "1-0", "--json"))
    with Database(three) as database:
        won = list(database.games(game="russian", result="1-0"))
    assert one["games"] == len(won)
    assert json.loads(out(capsys, "database", "--event", "2", "--json"))["events"][0]["game"] == "chess960"
    assert json.loads(out(capsys, "database", "--player", "nobody", "--json"))["games"] == 0
    assert "'2-0'" in refusal(capsys, "database", "--result", "2-0")
    assert "'go' is not a game" in refusal(capsys, "database", "--game", "go")


def test_the_variable_is_enough_to_keep_games(capsys: pytest.CaptureFixture[str], three: str) -> None:
    out(capsys, "match", "loa5", "random", "random", "--games", "2")
    assert "14 games" in out(capsys, "database", three)


@pytest.mark.parametrize(("format", "game"), [("pgn", "chess960"), ("pdn", "russian"), ("sgf", "loa6")])
def test_export(capsys: pytest.CaptureFixture[str], tmp_path: Path, three: str, format: str, game: str) -> None:
    target = tmp_path / f"games.{format}"
    shown = out(capsys, "database", three, "--export", str(target))
    assert f"4 games written to {target}; 8 cannot be stored in this format" in shown
    with Database(three) as database:
        stored = list(database.games(game=game))
    sheets = list(records.read(target))
    assert sheets == [game.to_game() for game in stored]
    for sheet, row in zip(sheets, stored, strict=True):
        comments = [node.comment for node in sheet.mainline()]
        assert comments[: row.opening_plies] == [""] * row.opening_plies
        assert all(comment.endswith("s") for comment in comments[row.opening_plies :])
    report = json.loads(out(capsys, "database", three, "--game", game, "--export", str(target), "--json"))
    assert (report["games"], report["exported"]) == (4, 4)
    assert "expected .pgn, .pdn or .sgf" in refusal(capsys, "database", three, "--export", str(tmp_path / "games.doc"))


def test_commands_start_without_what_is_slow_to_load() -> None:
    """None loads what only some need, and one that needs no numbers not even numpy."""
    code = """import sys
from damier.cli.app import root, run
run(["perft", "loa", "1"])
assert "numpy" not in sys.modules
assert root().commands
print(sorted({"sqlalchemy", "optuna", "pyarrow", "scipy", "ray"} & set(sys.modules)))"""
    started = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert started.stdout.endswith("[]\n")


def test_control_characters_of_a_row_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    database = tmp_path / "games.db"
    with Database(database) as opened:
        match(tmp_path / "match", 2, database=opened).run()
    with sqlite3.connect(database) as changed:
        changed.execute("UPDATE events SET kind = ?, game = ?", ("\x1b[31mred", "[bold]\x07loa"))
    changed.close()
    said = out(capsys, "database", str(database))
    assert "?[31mred" in said
    assert "[bold]?loa" in said
    assert "\x1b" not in said
