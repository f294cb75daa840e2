"""Data sets: the same games whatever they pass through, in bounded memory, whole or not at all, faults in one line."""

from __future__ import annotations

import csv
import gzip
import json
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from common import out, refusal

import damier
from damier import records
from damier.arena.match import Match
from damier.lab import dedupe, describe, export_games, fit_classic, import_games, merge, self_play, simulate
from damier.lab.sources import Source
from damier.records import GameRecord
from damier.storage import read_games
from damier.storage.batches import Packer, digests
from damier.storage.database import Database

DAMIER = [sys.executable, "-m", "damier"]


def games_of(*sources: Path | str) -> list[tuple[Any, ...]]:
    """What data sets keep of games."""
    return [
        (game.variant, game.fen, game.moves, game.result, game.reason, game.scores)
        for source in sources
        for game in read_games(source)
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders `random`, `engine`, `pair` and `match`, a file games.sgf and a database games.db, all of loa5."""
    folder = tmp_path_factory.mktemp("runs")
    simulate("loa5", games=30, seed=1, out=folder / "random")
    self_play("loa5", games=10, nodes=50, seed=1, out=folder / "engine")
    self_play("loa5", games=10, player="mtdf:depth=1", opponent="random", seed=1, out=folder / "pair")
    with Database(folder / "games.db") as database:
        Match("loa5", "engine:nodes=20", "random", games=6, out=folder / "match", database=database).run()
    return folder


# What is kept.


def test_merged_games_are_those_of_the_runs(runs: Path, tmp_path: Path) -> None:
    names = [runs / name for name in ("random", "engine", "pair")]
    made = merge(names, tmp_path / "all")
    assert (made.game, made.games) == ("loa5", 50)
    assert games_of(tmp_path / "all") == games_of(*names)
    players = [(game.white.name, game.black.name) for game in read_games(tmp_path / "all")]
    assert set(players[:30]) == {("random", "random")}
    assert set(players[30:40]) == {("engine:nodes=50,eval=classic",) * 2}
    assert players[40:42] == [("mtdf:depth=1", "random"), ("random", "mtdf:depth=1")]
    openings = [game.opening_plies for game in read_games(tmp_path / "all")]
    assert openings[30:] == [game.opening_plies for name in names[1:] for game in read_games(name)]


def test_shards_have_one_size_whatever_the_runs_had(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.lab.data.SHARD_GAMES", 7)
    names = [runs / name for name in ("random", "engine", "pair")]
    merge(names, tmp_path / "all")
    shards = sorted((tmp_path / "all").glob("*.parquet"))
    assert [pq.read_table(shard).num_rows for shard in shards] == [7] * 7 + [1]
    assert [number for shard in shards for number in pq.read_table(shard)["number"].to_pylist()] == list(range(50))
    assert games_of(tmp_path / "all") == games_of(*names)


def test_a_match_its_record_and_its_rows_give_the_same_games(runs: Path, tmp_path: Path) -> None:
    for name in ("match", "match/games.sgf", "games.db"):
        import_games(runs / name, tmp_path / name.replace("/", "-"))
    folder, record, rows = (sorted(games_of(tmp_path / n)) for n in ("match", "match-games.sgf", "games.db"))
    assert folder == rows
    assert [game[:5] for game in folder] == [game[:5] for game in record]
    assert len(folder) == 6
    assert any(score is not None for game in folder for score in game[5])


@pytest.mark.parametrize("game", ["chess", "international", "loa", "rennes"])
def test_a_set_comes_back_from_every_format(game: str, tmp_path: Path) -> None:
    simulate(game, games=5, seed=2, out=tmp_path / "run")
    format = damier.games.info(game).record_format
    for name in (f"games.{format}", f"more.{format}.gz"):
        assert export_games(tmp_path / "run", tmp_path / name) == 5
        import_games(tmp_path / name, tmp_path / f"from {name}")
        assert games_of(tmp_path / f"from {name}") == games_of(tmp_path / "run")


def test_other_starts_are_kept(tmp_path: Path) -> None:
    fens = ["4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", "4k3/8/8/8/8/8/4PPPP/4K3 w - - 0 1"]
    for number, fen in enumerate(fens):
        simulate("chess", games=20, seed=1, fen=fen, out=tmp_path / str(number))
    simulate("chess", games=20, seed=1, out=tmp_path / "usual")
    names = [tmp_path / name for name in ("0", "1", "usual")]
    merge(names, tmp_path / "all")
    assert games_of(tmp_path / "all") == games_of(*names)
    assert {game.fen for game in read_games(tmp_path / "all")} == {*fens, None}
    assert all(game.board().ply == game.plies for game in read_games(tmp_path / "all"))
    assert describe(tmp_path / "all").other_starts == 40
    assert fit_classic("chess", tmp_path / "all", steps=1).samples > 0


def test_learning_reads_what_was_imported(runs: Path, tmp_path: Path) -> None:
    merge([runs / "random", runs / "random"], tmp_path / "set")
    one, other = (fit_classic("loa5", source, steps=2, skip=0) for source in (tmp_path / "set", runs / "random"))
    assert one.samples + one.held_out == 2 * (other.samples + other.held_out)


def test_results_and_endings_of_other_programs(tmp_path: Path) -> None:
    endings = ["Normal", "Time forfeit", "rules infraction", "resignation"]
    text = [f'[Result "1-0"]\n[Termination "{ending}"]\n\n1. e4 e5 1-0\n' for ending in endings]
    text += ["1. f3 e5 2. g4 Qh4# 0-1\n", "1. e4 *\n"]
    (tmp_path / "a.pgn").write_text("\n".join(text))
    made = import_games(tmp_path / "a.pgn", tmp_path / "set")
    assert [part.unfinished for part in made.sources] == [1]
    reasons = [game.reason for game in read_games(tmp_path / "set")]
    assert reasons == ["unknown", "time", "unknown", "resignation", "checkmate"]


# Repeats.


def test_repeats_are_dropped_and_the_first_stays(runs: Path, tmp_path: Path) -> None:
    made = dedupe([runs / "engine", runs / "random", runs / "engine"], tmp_path / "set")
    assert (made.games, made.dropped) == (40, 10)
    assert games_of(tmp_path / "set") == games_of(runs / "engine", runs / "random")
    assert describe(tmp_path / "set").repeats == 0


def test_the_same_moves_from_another_start_are_another_game(tmp_path: Path) -> None:
    one = '[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"]\n[Result "1-0"]\n\n1. d4 1-0\n'
    (tmp_path / "a.pgn").write_text('[Result "1-0"]\n\n1. d4 1-0\n\n' + one + "\n" + one)
    assert dedupe(tmp_path / "a.pgn", tmp_path / "set").games == 2


def test_one_game_per_opening(tmp_path: Path) -> None:
    simulate("english", games=300, seed=3, out=tmp_path / "run")
    made = dedupe(tmp_path / "run", tmp_path / "set", plies=3)
    openings = [tuple(game.texts()[:3]) for game in read_games(tmp_path / "run")]
    assert made.games == len(set(openings)) < 300
    assert [tuple(game.texts()[:3]) for game in read_games(tmp_path / "set")] == list(dict.fromkeys(openings))


def test_captures_of_two_codes_are_one_ply(tmp_path: Path) -> None:
    simulate("frisian", games=200, seed=1, out=tmp_path)
    played = [game for game in read_games(tmp_path) if len(game.moves) != game.plies]
    assert played
    for game in played:
        board: Any = game.board()
        board.pop()
        for plies in range(game.plies - 1, 0, -1):
            whole, first = Packer(), Packer()
            whole.add(game)
            first.add(GameRecord("frisian", None, tuple(board.codes().tolist()), plies, game.result))
            assert (digests("frisian", whole.columns(), plies) == digests("frisian", first.columns())).all()
            board.pop()


# What is told.


def test_info_counts_what_is_there(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    played = list(read_games(runs / "pair"))
    report = json.loads(out(capsys, "data", "info", str(runs / "pair"), "--json"))
    assert (report["kind"], report["game"], report["games"], report["seed"]) == ("selfplay", "loa5", 10, 1)
    assert report["plies"] == sum(game.plies for game in played)
    assert report["mean_plies"] == round(report["plies"] / 10, 2)
    assert sum(report["results"].values()) == sum(report["reasons"].values()) == 10
    assert report["scored"] == sum(any(score is not None for score in game.scores) for game in played)
    assert report["players"] == {"mtdf:depth=1": 10, "random": 10}
    assert report["settings"]["opponent"] == "random"
    assert report["repeats"] == len(played) - len({game.moves for game in played})
    for name in ("random", "match", "match/games.sgf", "games.db"):
        shown = out(capsys, "data", "info", str(runs / name))
        assert "loa5" in shown
        assert "random" in shown


def test_info_of_several_is_a_line_each(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [str(runs / "random"), str(runs / "match" / "games.sgf")]
    lines = out(capsys, "data", "info", *names, "--json", "--no-duplicates").splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["simulation", "sgf"]
    assert [json.loads(line)["repeats"] for line in lines] == [None, None]


def test_the_manifest_names_the_sources_and_their_hashes(runs: Path, tmp_path: Path) -> None:
    file = runs / "match" / "games.sgf"
    import_games([file, runs / "random"], tmp_path / "set")
    held = json.loads((tmp_path / "set" / "run.json").read_text())
    assert (held["kind"], held["game"], held["games"], held["command"]) == ("data", "loa5", 36, "import")
    printed = subprocess.run(["sha256sum", str(file)], capture_output=True, text=True, check=True).stdout
    assert [source["source"] for source in held["sources"]] == [str(file), str(runs / "random")]
    assert [source["games"] for source in held["sources"]] == [6, 30]
    assert held["sources"][0]["sha256"] == printed.split()[0]
    assert len(held["sources"][1]["sha256"]) == 64


# Export.


def test_arrays_hold_every_move_and_score(runs: Path, tmp_path: Path) -> None:
    merge([runs / "random", runs / "pair"], tmp_path / "set")
    assert export_games(tmp_path / "set", tmp_path / "games.npz") == 40
    with np.load(tmp_path / "games.npz", allow_pickle=False) as held:
        arrays = {name: held[name] for name in held}
    assert str(arrays["game"]) == "loa5"
    starts = np.concatenate(([0], arrays["ends"][:-1]))
    for row, game in enumerate(read_games(tmp_path / "set")):
        assert tuple(arrays["codes"][starts[row] : arrays["ends"][row]].tolist()) == game.moves
        assert arrays["result_names"][arrays["results"][row]] == game.result
        assert arrays["reason_names"][arrays["reasons"][row]] == game.reason
        assert arrays["whites"][row] == game.white.name
    assert arrays["ends"].dtype == np.int64
    assert (arrays["scores"] != -32768).sum() == describe(tmp_path / "set").scored_plies


@pytest.mark.parametrize("name", ["games.csv", "games.csv.gz"])
def test_tables_have_a_row_per_game(runs: Path, tmp_path: Path, name: str) -> None:
    assert export_games(runs / "engine", tmp_path / name) == 10
    content = (tmp_path / name).read_bytes()
    text = gzip.decompress(content) if name.endswith("gz") else content
    rows = list(csv.DictReader(text.decode().splitlines()))
    for row, game in zip(rows, read_games(runs / "engine"), strict=True):
        assert row["moves"].split() == game.texts()
        assert (row["result"], int(row["plies"])) == (game.result, game.plies)
        assert row["scores"] == ";".join("" if score is None else str(score) for score in game.scores)


def test_commands_of_the_circle(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, three = (str(tmp_path / name) for name in ("one", "two", "three"))
    assert out(capsys, "data", "import", str(runs / "match"), str(runs / "games.db"), "--out", one).startswith(
        "12 games"
    )
    assert out(capsys, "data", "merge", one, str(runs / "random"), "--out", two) == f"42 games of loa5 in {two}\n"
    assert out(capsys, "data", "dedupe", two, "--out", three).endswith(f"in {three}; left out: 6 games repeated\n")
    report = json.loads(out(capsys, "data", "export", three, f"{three}.sgf", "--json"))
    assert report["games"] == 36
    assert len(list(records.read(f"{three}.sgf"))) == 36


# Memory.


def many(count: int, path: Path) -> Path:
    """A file of short games."""
    with path.open("w") as file:
        for number in range(count):
            file.write(f'[Result "1-0"]\n[White "{number % 7}"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n')
    return path


def test_memory_does_not_grow_with_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.data.SHARD_GAMES", 200)
    monkeypatch.setattr("damier.lab.sources.BATCH_GAMES", 100)
    peaks = {}
    for count in (600, 2400):
        file, place = many(count, tmp_path / f"{count}.pgn"), tmp_path / str(count)
        import_games(file, place / "warm")  # what is loaded once
        export_games(place / "warm", place / "warm.npz")
        tracemalloc.start()
        import_games(file, place / "set")
        merge([place / "set", place / "set"], place / "twice")
        dedupe(place / "twice", place / "once")
        for name in ("games.pgn", "games.csv", "games.npz"):
            export_games(place / "twice", place / name)
        describe(place / "twice")
        peaks[count] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert json.loads((place / "once" / "run.json").read_text())["dropped"] == 2 * count - 1
    assert peaks[2400] < 1.3 * peaks[600]


# Faults.


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
    "swapped": (swapped, "belongs to another run"),
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


def test_a_shard_of_another_set_is_refused(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole, of the same game and number, but not what the set was made of."""
    for name in ("random", "engine"):
        made = merge(runs / name, tmp_path / name)
    simulate("loa5", games=made.games, seed=9, out=tmp_path / "other run")
    merge(tmp_path / "other run", tmp_path / "other")
    shard = "games-000000.parquet"
    (tmp_path / "engine" / shard).write_bytes((tmp_path / "other" / shard).read_bytes())
    said = refusal(capsys, "data", "merge", str(tmp_path / "engine"), "--out", str(tmp_path / "new"))
    assert "its shards are not those that it was made of" in said
    assert not (tmp_path / "new").exists()


def test_games_of_another_game_are_refused(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulate("loa6", games=3, out=tmp_path / "six")
    new = str(tmp_path / "new")
    said = refusal(capsys, "data", "merge", str(runs / "random"), str(tmp_path / "six"), "--out", new)
    assert f"{tmp_path / 'six'}: holds games of loa6, expected loa5" in said
    export_games(tmp_path / "six", tmp_path / "six.sgf")
    said = refusal(capsys, "data", "import", str(runs / "match"), str(tmp_path / "six.sgf"), "--out", new)
    assert "game 1 is of loa6, expected loa5" in said
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
    monkeypatch.setattr("damier.lab.simulation.SECONDS_HERE", 1e-9)  # a game a piece

    def stop(done: int) -> None:
        if done == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        self_play("loa5", games=12, nodes=20, out=tmp_path / "run", on_progress=stop)
    assert merge(tmp_path / "run", tmp_path / "set").games == 4
    assert "games-000001.parquet and 1 more are not there yet, left out" in caplog.text
    assert "`damier selfplay` command again with --resume" in caplog.text


def test_a_full_disk_leaves_nothing_behind(runs: Path, tmp_path: Path) -> None:
    """A file may have no more than a few bytes, as on a disk that is full."""
    resource = pytest.importorskip("resource")
    source = str(runs / "random")
    for asked in (["merge", source, "--out", "new"], ["export", source, "new.csv"], ["export", source, "new.npz"]):
        done = subprocess.run(
            [*DAMIER, "data", *asked],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.count("\n") == 1
        assert "File too large" in done.stderr
        assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("name", ["full.csv", "full.sgf", "full.npz"])
def test_a_device_that_is_full(
    name: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).symlink_to("/dev/full")
    assert f"{name}: No space left on device" in refusal(capsys, "data", "export", str(runs / "random"), name)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_killed_at_any_moment_no_half_set_is_seen(number: signal.Signals, tmp_path: Path) -> None:
    file = many(50_000, tmp_path / "games.pgn")
    child = subprocess.Popen([*DAMIER, "data", "import", str(file), "--out", str(tmp_path / "set")])
    end = time.monotonic() + 120
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
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.pgn", "set", "small.pgn"]


def test_names_may_be_anything(tmp_path: Path) -> None:
    names = ["Élodie", "x" * 3000, "a,b;\"c'", "日本"]
    games = [GameRecord("loa5", None, (), 0, "1-0", white=records.Entrant(name)) for name in names]
    board: Any = damier.board("loa5")
    board.play_at_random(4, seed=1)
    moves = tuple(board.codes().tolist())
    file = tmp_path / "games.sgf"
    records.write([GameRecord("loa5", None, moves, 4, "1-0", white=game.white) for game in games], file)
    import_games(file, tmp_path / "set")
    assert [game.white.name for game in read_games(tmp_path / "set")] == names
    export_games(tmp_path / "set", tmp_path / "games.npz")
    with np.load(tmp_path / "games.npz") as held:
        assert held["whites"].tolist() == names


def batches_of(source: Source) -> Iterator[int]:
    return (len(columns["ends"]) for columns in source.batches())


def test_a_source_counts_what_it_gave(tmp_path: Path) -> None:
    source = Source(many(5000, tmp_path / "games.pgn"))
    assert list(batches_of(source)) == [2000, 2000, 1000]
    assert (source.games, source.game, source.kind) == (5000, "chess", "pgn")
