"""Games as rows: whatever is played comes back the same, once, whoever else writes and whatever was cut off."""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from common import EVERY_GAME, out, refusal, walk
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

import damier
from damier import records
from damier.arena.ladder import ladder
from damier.arena.match import Match
from damier.arena.tournament import Tournament
from damier.cli.app import run
from damier.records import Entrant, GameRecord
from damier.storage.database import Database, DatabaseError, connect
from damier.storage.pairs import PairsFile
from damier.storage.run import RunInfo
from damier.storage.writer import UnwrittenError

DAMIER = [sys.executable, "-m", "damier"]
POSTGRES = os.environ.get("DAMIER_TEST_POSTGRES")  # the URL of a database whose tables may be dropped


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a fresh database may be made."""
    if request.param == "sqlite":
        yield str(tmp_path / "games.db")
        return
    if not POSTGRES:
        pytest.skip("DAMIER_TEST_POSTGRES names no database")
    with Database(POSTGRES) as database:
        connect.Base.metadata.drop_all(database._engine)
    yield POSTGRES


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for a database that is locked."""
    monkeypatch.setattr(connect, "PATIENCE", 0.1)


def match(place: Path, games: int = 8, **more: Any) -> Match:
    return Match("loa5", "engine:nodes=20", "random", games=games, seed=2, out=place, **more)


def kept(folder: Path) -> list[tuple[int, GameRecord]]:
    """The games in the folder of a match, each with the number of its pair."""
    game = json.loads((folder / "match.json").read_text())["game"]
    pairs = dict(PairsFile(folder, game, int).read())
    return [(number, game) for number in sorted(pairs) for game in pairs[number]]


def the_same(database: Database, folder: Path) -> bool:
    """Whether rows and folder hold the same games, each once."""
    rows = sorted(database.games(), key=lambda game: (int(game.pair), game.half))
    games = kept(folder)
    assert [(int(row.pair), row.half) for row in rows] == [(number, game.half) for number, game in games]
    about = ("white", "black", "event", "round", "date", "run", "pair")
    return all(
        replace(row, seconds=(), seed=played.seed)
        == replace(played, seconds=(), **{name: getattr(row, name) for name in about})
        and row.seconds == pytest.approx(played.seconds, abs=1e-6)
        for row, (_, played) in zip(rows, games, strict=True)
    )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_games_of_a_match_come_back_as_they_were_played(game: str, tmp_path: Path) -> None:
    with Database(tmp_path / "games.db") as database:
        asked = Match(game, "engine:nodes=5", "random", games=2, seed=4, out=tmp_path / "run", database=database)
        asked.run()
        assert the_same(database, tmp_path / "run")
        (event,) = database.events()
        for row, (_, played) in zip(database.games(), kept(tmp_path / "run"), strict=True):
            first, second = (Entrant(spec, spec) for spec in (asked.first, asked.second))
            assert (row.white, row.black) == ((first, second) if played.half == 1 else (second, first))
            assert (row.event, row.round, row.run) == ("damier match", f"1.{played.half}", event.event.run)
            assert row.opening_plies == played.opening_plies == 6
        sheets = list(records.read(next((tmp_path / "run").glob("games.*")), variant=game))
        assert sheets == [row.to_game() for row in database.games()]


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)
runs = st.builds(
    RunInfo,
    run=st.uuids().map(str),
    kind=st.sampled_from(["match", "tournament", "ladder", "selfplay"]),
    game=st.sampled_from(EVERY_GAME),
    settings=st.dictionaries(texts, plain, max_size=3),
    started=st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),
)
entrants = st.builds(Entrant, texts, texts)
COLUMNS = {
    "scores": st.integers(-32000, 32000),
    "depths": st.integers(0, 200),
    "nodes": st.integers(0, 2**60),
    "seconds": st.floats(0, 1e6, allow_nan=False),
}


def columns(data: st.DataObject, length: int) -> dict[str, tuple[Any, ...]]:
    """What is known of so many moves: all, nothing, or something of each."""
    drawn = {}
    for name, values in COLUMNS.items():
        few = tuple(data.draw(st.none() | values) for _ in range(min(length, 3)))
        column = few + (7,) * (length - len(few))
        drawn[name] = column if data.draw(st.booleans()) and set(column) != {None} else ()
    return drawn


@settings(max_examples=60, deadline=None)
@given(data=st.data(), run=runs, seed=st.integers(0, 2**32))
def test_whatever_is_stored_comes_back_the_same(data: st.DataObject, run: RunInfo, seed: int) -> None:
    dice = random.Random(seed)
    start = damier.board(run.game)
    for _ in walk(start, seed, plies=dice.choice([0, 0, 12])):
        pass
    board = damier.board(run.game, start.fen())
    for _ in walk(board, seed + 1, plies=dice.randrange(80)):
        pass
    opening = dice.randrange(board.ply + 1)
    game = GameRecord.from_board(
        board,
        pair=data.draw(texts),
        half=dice.randrange(1, 3),
        round=data.draw(texts),
        white=data.draw(entrants),
        black=data.draw(entrants),
        opening_plies=opening,
        result=dice.choice(records.RESULTS),
        reason=data.draw(texts),
        note=data.draw(texts),
        opening=data.draw(texts),
        run=run.run,
        event=f"damier {run.kind}",
        date=run.started.strftime("%Y.%m.%d"),
        **columns(data, board.ply - opening),
    )
    with Database("sqlite://") as database:
        assert database.add(run, [game]) == 1
        assert database.add(run, [game]) == 0
        (again,) = database.games(game=run.game, player=game.white.name, result=game.result, event=run.run)
        assert again == game
        assert again.board().moves == board.moves
        assert again.board().fen() == board.fen()


def test_a_resumed_match_writes_every_game_once(place: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Database(place) as database:
        match(folder, 6, database=database).run()
        assert the_same(database, folder)
        match(folder, 10, resume=True).run()  # without the database: two pairs are missing in it
        match(folder, 14, resume=True, database=database).run()
        assert the_same(database, folder)
        with database._writing() as connection:  # a crash between the file and the rows
            connection.execute(text("DELETE FROM games WHERE pair IN ('0', '3', '6')"))
        match(folder, 14, resume=True, database=database).run()
        assert the_same(database, folder)
        (event,) = database.events()
        assert (event.event.kind, event.event.game, event.games) == ("match", "loa5", 14)
        assert event.event.settings == match(folder).settings()
        assert event.players == ("engine:nodes=20", "random")


def test_a_run_of_before_is_brought_in(tmp_path: Path) -> None:
    match(tmp_path / "run").run()
    about = tmp_path / "run" / "match.json"
    held = json.loads(about.read_text())
    del held["run"], held["started"]
    about.write_text(json.dumps(held))
    os.utime(about, (86400 * 365, 86400 * 365))
    with Database(tmp_path / "games.db") as database:
        for _ in range(2):
            match(tmp_path / "run", resume=True, database=database).run()
            assert the_same(database, tmp_path / "run")
        (event,) = database.events()
        assert event.event.started == datetime(1971, 1, 1, tzinfo=UTC)


def test_matches_without_a_folder_are_events_of_their_own(place: str) -> None:
    with Database(place) as database:
        asked = Match("loa5", "random", "random", games=2, database=database)
        asked.run()
        asked.run()
        assert [event.games for event in database.events()] == [2, 2]
        assert len({event.event.run for event in database.events()}) == 2


def test_tournaments_and_ladders(place: str, tmp_path: Path) -> None:
    players = {"deep": "engine:nodes=20", "dice": "random", "luck": "random"}
    with Database(place) as database:
        for rounds in (1, 2):
            more: Any = {"out": tmp_path / "cup", "resume": rounds > 1, "database": database}
            Tournament("loa5", players, games=2, rounds=rounds, **more).run()
        steps = ladder("rennes", games=2, anchors={"random": None}, levels=[1, 2])
        steps.database = database
        steps.run()
        cup, rated = database.events()
        assert (cup.event.kind, cup.games, cup.players) == ("tournament", 12, ("deep", "dice", "luck"))
        assert (rated.event.kind, rated.games) == ("ladder", steps.scores.games)
        found = list(database.games(player="deep"))
        assert len(found) == 8
        assert all(Entrant("deep", "engine:nodes=20") in (game.white, game.black) for game in found)
        assert {game.white.name for game in database.games(player="random", event=cup.id)} == set(players)
        assert sorted(game.round for game in database.games(event=cup.id))[::11] == ["1.1.1", "6.1.2"]
        assert [len(list(database.games(result=result, event=cup.id))) for result in cup.results] == list(
            cup.results.values()
        )


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

        def told(tally: Any) -> None:
            if tally.games == 2:
                others.append(locked(file))
            if tally.games == 6 and until == "before the end":
                others[0].close()

        asked = match(folder, database=database)
        if until == "the end":
            with pytest.raises(UnwrittenError, match=r"another program .* \(6 games not written; --resume with .*run"):
                asked.run(told)
            others[0].close()
            assert (asked.tally.games, len(list(database.games()))) == (8, 2)
            match(folder, resume=True, database=database).run()
        else:
            asked.run(told)
        assert the_same(database, folder)


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), damier.DamierError("the lamp went out")])
def test_what_is_missing_is_told_even_when_a_match_is_cut_off(
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
def test_what_a_match_came_to_is_told_even_so(
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
    ("name", "words"),
    [
        ("", "the database has no name"),
        ("missing/games.db", "games.db: there is no folder"),
        ("folder", "folder: this is a folder"),
        ("notes.txt", "notes.txt: this is not a database"),
        ("other.db", "other.db: this is a database of something else, with a table birds"),
        ("later.db", "later.db: its tables are of version 7, but this damier knows 1"),
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


def test_a_database_for_reading_is_not_written_to(tmp_path: Path) -> None:
    with Database(tmp_path / "games.db") as database:
        match(tmp_path / "run", 2, database=database).run()
        games = list(database.games())
    with Database(tmp_path / "games.db", read_only=True) as database:
        with pytest.raises(DatabaseError, match="it may not be written to"):
            database.add(database.events()[0].event, [games[0]])
        assert list(database.games()) == games


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


def test_games_are_read_as_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.storage.database.database.PAGE", 3)
    with Database(tmp_path / "games.db") as database:
        match(tmp_path / "run", 8, database=database).run()
        reading = database.games()
        first = next(reading)
        match(tmp_path / "run", 10, resume=True, database=database).run()  # nothing stands in its way
        assert len([first, *reading]) == 10


def test_commands_start_without_what_is_slow_to_load() -> None:
    code = "import sys, damier.cli.app; print(sorted({'sqlalchemy', 'optuna', 'pyarrow'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
