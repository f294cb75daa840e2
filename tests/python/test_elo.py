"""What levels are worth: the tables that ladders write, and who plays by them."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sized
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from common import out, refusal

import damier
from damier.arena.ladder import keep_table, ladder
from damier.arena.stats.scores import Slot
from damier.cli.app import run
from damier.engine import LEVELS, Engine, elo_table
from damier.engine.elo import OURS, elo_range, general_table, read_table
from damier.engine.levels import strength_for_elo
from damier.protocols import UciServer
from damier.protocols.server import Connection
from damier.records import GameRecord
from damier.storage.database import Database
from damier.storage.pairs import PairsFile
from damier.storage.run import RunFolder

ANCHORS = {"random": 100.0}


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own tables."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("DAMIER_LADDERS", str(folder))
    return folder


def played(folder: Path | None = None, strength: Mapping[str, float] | None = None) -> Any:
    """A ladder of rennes in which the stronger wins three games of four; a level is as strong as its number says."""
    known = {"random": 0.0} | {f"level {level}": float(level) for level in LEVELS} | dict(strength or {})
    asked = ladder("rennes", games=4, anchors=ANCHORS, out=folder)
    file = None
    if folder:
        RunFolder(folder, "ladder", asked.settings()).close()
        file = PairsFile(folder, "rennes", Slot.read)
    while due := asked.due():
        for pairing in due:
            for number in range(2):
                slot = Slot(*pairing, number)
                first = known[slot.first] > known[slot.second]
                results = [first, first if number else not first]
                place, seed = asked.place_of(slot)
                opening = asked.book[place]
                one, other = (
                    GameRecord(
                        "rennes",
                        fen=opening.fen,
                        moves=opening.codes,
                        plies=len(opening.codes),
                        opening_plies=len(opening.codes),
                        result="1-0" if won == white else "0-1",
                        reason="time",
                        half=half + 1,
                        seed=seed + 1 - half,
                    )
                    for half, (white, won) in enumerate(zip((True, False), results, strict=True))
                )
                asked.scores.add(slot, (one, other))
                if file:
                    file.append(slot, (one, other))
    return asked


def table_text(elos: list[float]) -> str:
    rows = [{"name": f"level {n}", "level": n, "elo": elo, "error": 1, "games": 2} for n, elo in enumerate(elos, 1)]
    return json.dumps({"game": "x", "ladder": rows})


@pytest.mark.parametrize("file", sorted(OURS.glob("*.json")), ids=lambda file: file.stem)
def test_the_tables_of_the_package(file: Path) -> None:
    table = read_table(file)
    assert table.game == file.stem
    assert len(table.elos) == len(LEVELS)
    assert all(lower < upper for lower, upper in pairwise(table.elos))


def test_every_game_has_a_table() -> None:
    least, most = elo_range()
    for game in (*damier.GAMES, "loa6:olympiad"):
        table = elo_table(game)
        assert least <= table.elos[0] < table.elos[-1] <= most
        with Engine(game, level=3, hash=1) as engine:
            assert engine.elo == table.elos[2]
            engine.elo = table.elos[6]
            assert (engine.level, engine.elo) == (7, table.elos[6])
            engine.elo = None
            assert (engine.level, engine.elo) == (None, None)


def test_more_elo_sees_more_and_strays_less() -> None:
    table = elo_table("chess")
    found = [strength_for_elo(elo, table) for elo in range(table.elos[0], table.elos[-1] + 1)]
    sees = [(one.depth or 99, one.nodes or 10**9) for one in found]
    assert sees == sorted(sees)
    strays = [one.temperature for one in found]
    assert strays == sorted(strays, reverse=True)
    assert found[-1].is_full
    assert [strength_for_elo(elo, table) for elo in table.elos] == list(LEVELS.values())


def test_a_game_falls_back_on_its_family_and_then_on_the_general_table(own: Path) -> None:
    assert elo_table("chess960") == elo_table("chess")
    assert elo_table("loa5") == elo_table("loa")
    (own / "loa6-olympiad.json").write_text(table_text(list(range(10))))
    assert elo_table("loa6:olympiad").range == (0, 9)
    assert elo_table("loa6") == elo_table("loa")
    (own / "frisian.json").write_text(table_text(list(range(100, 110))))
    assert elo_table("frisian").range == (100, 109)


def test_a_ladder_sets_what_elo_means(capsys: pytest.CaptureFixture[str], own: Path, tmp_path: Path) -> None:
    asked = played(tmp_path / "run")
    run = str(tmp_path / "run")
    command = ["ladder", "rennes", "--games", "4", "--anchors", "random=100", "--out", run, "--resume"]
    file = tmp_path / "new" / "table.json"
    said = out(capsys, *command, "--use", "--write", str(file))
    assert said.endswith(f"written: {file}\nwritten: {own / 'rennes.json'}\n")
    table = elo_table("rennes")
    assert table == read_table(file)
    assert table.game == "rennes"
    assert next(rung.elo for rung in table.rungs if rung.name == "random") == 100
    held = json.loads(file.read_text())
    assert held["games"] == asked.scores.games
    assert held["fixed"] == ANCHORS
    assert held["level_10"] == "engine:level=10,nodes=600000"
    least, most = table.range
    with pytest.raises(damier.DamierError, match=f"elo is {most + 1}, expected {least} to {most}"):
        Engine("rennes", elo=most + 1)
    assert Engine("rennes", elo=most).level == 10


def test_a_database_that_fails_does_not_take_the_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(_: Database, __: Any, games: Sized) -> None:
        if len(games) == 2:
            raise damier.DamierError("games.db: disk is full")

    monkeypatch.setattr(Database, "keep", keep)
    played(tmp_path / "run")
    kept = tmp_path / "run" / "pairs.jsonl"
    file = tmp_path / "rennes.json"
    command = ["ladder", "rennes", "--games", "4", "--anchors", "random=100", "--out", str(tmp_path / "run")]
    command += ["--resume", "--database", str(tmp_path / "games.db"), "--write"]
    for target in (file, tmp_path / "rennes.json" / "no-folder.json"):
        kept.write_text("".join(kept.read_text().splitlines(keepends=True)[1:]))  # a pair is left to be played
        assert run([*command, str(target)]) == 1
        said = capsys.readouterr().err
        assert "games.db: disk is full (2 games not written" in said
        assert said.count("\n") == 1
        assert ("no-folder.json" in said) == (target != file)
    assert len(read_table(file).elos) == 10


def test_a_ladder_that_does_not_grow_is_refused(tmp_path: Path) -> None:
    with pytest.raises(damier.DamierError, match=r"was not written: level 5 has .* expected each above the one below"):
        keep_table(played(strength={"level 5": 3.5}), ANCHORS, tmp_path / "table.json")
    assert not list(tmp_path.iterdir())


def test_half_a_ladder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(damier.DamierError, match="not finished"):
        keep_table(ladder("rennes", games=4), {}, tmp_path / "table.json")


BAD = {
    "nonsense": "not a table of levels",
    "[]": "not a table of levels",
    '{"game": "loa"}': "not a table of levels",
    '{"game": "loa", "ladder": [{"level": "1"}]}': "not a table of levels",
    table_text([*range(1, 10), float("inf")]): "not a table of levels",
    table_text([1, 2, 3]): "level 4 is missing, expected levels 1 to 10",
    table_text([1, 2, 2, 4, 5, 6, 7, 8, 9, 10]): "level 3 has 2 Elo and level 2 2, expected each above the one below",
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_table_is_reported_in_one_line(capsys: pytest.CaptureFixture[str], own: Path, text: str) -> None:
    (own / "loa.json").write_text(text)
    said = refusal(capsys, "match", "loa", "engine:elo=900,nodes=10", "random", "--games", "2")
    assert f"{own / 'loa.json'}: {BAD[text]}" in said
    assert "\n" not in said.strip()


def test_a_table_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(damier.DamierError, match=r"nowhere.json: No such file"):
        read_table(tmp_path / "nowhere.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(damier.DamierError, match=r"table.json: "):
        keep_table(played(), ANCHORS, tmp_path / "file" / "table.json")


def dialogue(*lines: str) -> list[str]:
    sink = io.BytesIO()
    UciServer(Connection(io.BytesIO("\n".join([*lines, "quit", ""]).encode()), sink)).serve()
    return sink.getvalue().decode().splitlines()


def test_uci_elo_has_the_range_of_the_variant() -> None:
    ours = next(line for line in dialogue("uci") if line.startswith("option name UCI_Elo"))
    for game in ("chess", "loa", "international"):
        lower, upper = elo_table(game).range
        said = dialogue("uci", f"setoption name UCI_Variant value {game}")
        announced = [line for line in said if line.startswith("option name UCI_Elo")]
        line = f"option name UCI_Elo type spin default {elo_table(game).elos[4]} min {lower} max {upper}"
        assert announced == list(dict.fromkeys([ours, line]))
        for elo in (lower - 1, lower, upper, upper + 1):
            said = dialogue(f"setoption name UCI_Variant value {game}", f"setoption name UCI_Elo value {elo}")
            words = f"info string option UCI_Elo: '{elo}', expected {lower} to {upper}"
            assert (words in said) == (not lower <= elo <= upper)


def test_uci_elo_that_another_variant_does_not_reach() -> None:
    """It was set in chess; after the change the nearest of the new game is played, and said."""
    least = elo_table("chess").range[0]
    nearest = elo_table("loa").range[0]
    said = dialogue(
        f"setoption name UCI_Elo value {least}",
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Variant value loa",
    )
    assert least < nearest
    assert f"info string UCI_Elo {least} is out of reach in loa, playing at {nearest}" in said


@pytest.mark.parametrize("game", ["chess", "loa", "international", "english"])
def test_the_lowest_hundred_points_differ(game: str) -> None:
    table = elo_table(game)
    lowest = [strength_for_elo(elo, table) for elo in range(table.range[0], table.range[0] + 101)]
    assert len(set(lowest)) == 101
    server = UciServer(Connection(io.BytesIO(), io.BytesIO()))
    server.handle("setoption name UCI_LimitStrength value true")
    server.handle(f"setoption name UCI_Variant value {game}")
    for elo in range(table.range[0], table.range[0] + 101):
        server.handle(f"setoption name UCI_Elo value {elo}")
        assert server.engine.elo == elo


@pytest.mark.parametrize("game", ["chess", "loa"])
def test_a_broken_table_keeps_no_engine_from_starting(own: Path, game: str) -> None:
    (own / f"{game}.json").write_text("{}")
    said = dialogue("uci", f"setoption name UCI_Variant value {game}", "setoption name UCI_LimitStrength value true")
    assert "uciok" in said
    assert any(f"{game}.json: not a table of levels" in line for line in said)


def test_the_general_table_is_the_last_resort() -> None:
    assert general_table().range == (600, 2900)
