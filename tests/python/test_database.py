"""Games as rows: whatever is played comes back the same, and once."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from common import EVERY_GAME, walk
from database_runs import kept, match, the_same
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

import damier
from damier import records
from damier.arena.ladder import ladder
from damier.arena.match import Match
from damier.arena.tournament import Tournament
from damier.records import Entrant, GameRecord
from damier.storage.database import Database, DatabaseError, connect
from damier.storage.run import RunInfo

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


def test_a_database_for_reading_is_not_written_to(tmp_path: Path) -> None:
    with Database(tmp_path / "games.db") as database:
        match(tmp_path / "run", 2, database=database).run()
        games = list(database.games())
    with Database(tmp_path / "games.db", read_only=True) as database:
        with pytest.raises(DatabaseError, match="it may not be written to"):
            database.add(database.events()[0].event, [games[0]])
        assert list(database.games()) == games


def test_games_are_read_as_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.storage.database.database.PAGE", 3)
    with Database(tmp_path / "games.db") as database:
        match(tmp_path / "run", 8, database=database).run()
        reading = database.games()
        first = next(reading)
        match(tmp_path / "run", 10, resume=True, database=database).run()  # nothing stands in its way
        assert len([first, *reading]) == 10
