"""Data that is damaged, foreign or cut off is refused in one line, and no half data set is ever seen."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from common import full_disk, out, refusal
from data_runs import every_form, many, play_until

import damier
from damier.arena.match import Match
from damier.lab import Loader, describe, export_games, import_games, merge, simulate
from damier.storage import read_games
from damier.storage.database import Database
from damier.storage.shards import METADATA_KEY

DAMIER = [sys.executable, "-m", "damier"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return every_form(tmp_path_factory.mktemp("runs"))


def broken_copy(source: Path, target: Path) -> Path:
    target.mkdir()
    for file in source.iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    return target


def edited(shard: Path) -> None:
    """Another result for the first game."""
    table = pq.read_table(shard)
    results = ["1/2-1/2", *table["result"].to_pylist()[1:]]
    place = table.column_names.index("result")
    pq.write_table(table.set_column(place, "result", [results]), shard)


def without_digest(shard: Path) -> None:
    """As shards of the first version."""
    table = pq.read_table(shard)
    held = json.loads(table.schema.metadata[METADATA_KEY])
    del held["digest"]
    pq.write_table(table.replace_schema_metadata({METADATA_KEY: json.dumps(held).encode()}), shard)


def cut(shard: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-100])


def swapped(shard: Path) -> None:
    """Whole shards in the wrong order."""
    other = shard.with_name("games-000001.parquet")
    content = shard.read_bytes()
    shard.write_bytes(other.read_bytes())
    other.write_bytes(content)


FAULTS = {
    "cut": (cut, "not a readable Parquet file"),
    "edited": (edited, "its games were changed after they were written"),
    "missing": (Path.unlink, "games-000000.parquet is missing; restore it, or make the data set again"),
    "swapped": (swapped, "its games are not those numbered 0 to 19"),
    "settings": (lambda shard: (shard.parent / "run.json").write_text("{"), "these are not the settings of a run"),
    "no sizes": (
        lambda shard: (shard.parent / "run.json").write_text('{"kind": "data", "game": "loa5"}'),
        "these are not the settings of a run of games",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_damaged_sets_are_refused_in_one_line(
    fault: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("damier.lab.data.SHARD_GAMES", 20)
    merge([runs / "random", runs / "engine"], tmp_path / "good")
    bad = broken_copy(tmp_path / "good", tmp_path / "bad")
    damage, message = FAULTS[fault]
    damage(bad / "games-000000.parquet")
    for asked in (
        ["merge", str(runs / "random"), str(bad), "--out", str(tmp_path / "new")],
        ["dedupe", str(bad), "--out", str(tmp_path / "new")],
        ["export", str(bad), str(tmp_path / "new.csv")],
        ["info", str(bad)],
    ):
        said = refusal(capsys, "data", *asked)
        assert message in said
        assert str(bad) in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad", "good"]


@pytest.mark.parametrize("column", ["result", "plies"])
def test_a_changed_shard_without_a_digest_is_refused_by_every_reader(column: str, tmp_path: Path) -> None:
    simulate("loa5", games=20, seed=1, out=tmp_path)
    (shard,) = tmp_path.glob("games-*.parquet")
    without_digest(shard)
    assert len(list(Loader("loa5", tmp_path, epochs=1))) == len(list(read_games(tmp_path))) // 20
    table = pq.read_table(shard)
    first = {"result": "1/2-1/2", "plies": 3}[column]
    place = table.column_names.index(column)
    pq.write_table(table.set_column(place, column, [[first, *table[column].to_pylist()[1:]]]), shard)
    for read in (describe, lambda run: list(Loader("loa5", run, epochs=1)), lambda run: list(read_games(run))):
        with pytest.raises(damier.DataError, match=r"games-000000.parquet: game 0: .* is not what its moves say"):
            read(tmp_path)


def test_a_shard_of_another_set_is_refused(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole, of the same game and number, but not what the set was made of."""
    for name in ("random", "engine"):
        made = merge(runs / name, tmp_path / name)
    simulate("loa5", games=made.games, seed=9, out=tmp_path / "other run")
    merge(tmp_path / "other run", tmp_path / "other")
    shard = "games-000000.parquet"
    (tmp_path / "engine" / shard).write_bytes((tmp_path / "other" / shard).read_bytes())
    said = refusal(capsys, "data", "merge", str(tmp_path / "engine"), "--out", str(tmp_path / "new"))
    assert "its shards are not the ones it was made from" in said
    assert not (tmp_path / "new").exists()


def test_games_of_another_game_are_refused(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate("loa6", games=3, out=tmp_path / "six")
    new = str(tmp_path / "new")
    said = refusal(capsys, "data", "merge", str(runs / "random"), str(tmp_path / "six"), "--out", new)
    assert f"{tmp_path / 'six'}: holds games of loa6, expected loa5" in said
    export_games(tmp_path / "six", tmp_path / "six.sgf")
    said = refusal(capsys, "data", "import", str(runs / "match"), str(tmp_path / "six.sgf"), "--out", new)
    assert "six.sgf: holds games of loa6, expected loa5 (game 1)" in said
    said = refusal(capsys, "data", "export", str(runs / "random"), str(tmp_path / "a.pgn"))
    assert "games of loa5 are written as .sgf, .csv or .npz, not as .pgn" in said
    with Database(tmp_path / "two.db") as database:
        for game in ("loa5", "loa6"):
            Match(game, "random", "random", games=2, database=database).run()
    said = refusal(capsys, "data", "import", str(tmp_path / "two.db"), "--out", new)
    assert "holds games of loa5 and of loa6; name one, with --game" in said
    assert not Path(new).exists()
    assert out(capsys, "data", "import", str(tmp_path / "two.db"), "--game", "loa6", "--out", new).startswith("2 games")


def test_broken_games_stop_an_import_or_are_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pgn"
    file.write_text('[White "A"]\n\n1. e4 1-0\n\n[White "B"]\n\n1. e5 1-0\n\n[White "C"]\n\n1. d4 0-1\n')
    asked = ["data", "import", str(file), "--out", str(tmp_path / "set")]
    assert "games.pgn:7: 'e5' is not a legal chess move here" in refusal(capsys, *asked)
    assert list(tmp_path.iterdir()) == [file]
    assert out(capsys, *asked, "--skip-errors").endswith("left out: 1 game broken\n")
    assert [game.white.name for game in read_games(tmp_path / "set")] == ["A", "C"]
    assert describe(file).broken == 1
    gz = tmp_path / "cut.pgn.gz"
    gz.write_bytes(gzip.compress(file.read_bytes())[:-20])
    assert "the compressed file is damaged" in refusal(
        capsys, "data", "import", str(gz), "--out", str(tmp_path / "new")
    )


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["info", "nowhere"], "nowhere: No such file or directory"),
        (["info", "notes.txt"], "notes.txt: cannot tell the format from the name"),
        (["info", ""], "is empty"),
        (["merge", "empty", "--out", "new"], "there is no games-*.parquet"),
        (["import", "none.pgn", "--out", "new"], "none.pgn: there are no finished games"),
        (["import", "one.pgn", "--out", "full"], "full: is there already"),
        (["import", "one.pgn", "--out", "one.pgn/x"], "one.pgn: is not a folder"),
        (["import", "one.pgn", "--game", "loa", "--out", "new"], "variant is 'loa'"),
        (["import", "one.pgn", "--game", "ludo", "--out", "new"], "'ludo' is not a game"),
        (["export", "one.pgn", "one.doc"], "one.doc: expected a name that ends with"),
        (["export", "one.pgn", "no/such.csv"], "no/such.csv"),
        (["export", "one.pgn", "no/such.npz"], "no/such.npz"),
        (["info", "foreign"], "expected the columns"),
        (["info", "endless.pgn"], "more than 16 MiB"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    asked: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello")
    Path("none.pgn").write_text("1. e4 *\n")
    Path("one.pgn").write_text("1. e4 1-0\n")
    Path("endless.pgn").symlink_to("/dev/zero")
    for name in ("empty", "full", "foreign"):
        Path(name).mkdir()
    Path("full/mine.txt").write_text("keep")
    pq.write_table(damier.storage.shards.pa.table({"a": [1]}), "foreign/games-000000.parquet")
    before = sorted(str(path) for path in Path().rglob("*"))
    assert message in refusal(capsys, "data", *asked)
    assert sorted(str(path) for path in Path().rglob("*")) == before


def test_an_interrupted_run_is_read_as_far_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 4)
    play_until(6, "loa5", games=12, nodes=20, out=tmp_path / "run")
    assert merge(tmp_path / "run", tmp_path / "set").games == 4
    assert "games-000001.parquet and 1 more are not there yet, left out" in caplog.text
    assert "`damier selfplay` command again with --resume" in caplog.text


def test_a_full_disk_leaves_nothing_behind(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    source = str(runs / "random")
    for asked in (["merge", source, "--out", "new"], ["export", source, "new.csv"], ["export", source, "new.npz"]):
        with full_disk(500):
            said = refusal(capsys, "data", *asked)
        assert "File too large" in said
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("name", ["full.csv", "full.sgf", "full.npz"])
def test_a_device_that_is_full(
    name: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).symlink_to("/dev/full")
    assert f"{name}: No space left on device; make room there and run the command again" in refusal(
        capsys, "data", "export", str(runs / "random"), name
    )


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games that take seconds to copy."""
    folder = tmp_path_factory.mktemp("long") / "run"
    simulate("rennes", games=300_000, seed=1, out=folder)
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_at_any_moment_no_half_set_is_seen(number: signal.Signals, long_run: Path, tmp_path: Path) -> None:
    child = subprocess.Popen([*DAMIER, "data", "merge", str(long_run), "--out", str(tmp_path / "set")])
    end = time.monotonic() + 300
    while not list(tmp_path.glob(".*.tmp/*.parquet")):
        assert time.monotonic() < end
        assert child.poll() is None
        time.sleep(0.01)
    child.send_signal(number)
    assert child.wait(60) in (-9, 130, 143)
    assert not (tmp_path / "set").exists()
    assert (number == signal.SIGKILL) == bool(list(tmp_path.glob(".*")))
    small = many(3, tmp_path / "small.pgn")
    assert import_games(small, tmp_path / "set").games == 3  # and what was left half done is removed
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set", "small.pgn"]
