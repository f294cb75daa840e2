"""Data sets: the same games whatever they pass through, in memory that does not grow with them."""

from __future__ import annotations

import csv
import gzip
import json
import subprocess
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from common import out, refusal
from data_runs import every_form, many

import damier
from damier import records
from damier.lab import ClassicLearner, ClassicSettings, dedupe, describe, export_games, import_games, merge, simulate
from damier.lab.sources import Source
from damier.records import GameRecord
from damier.storage import read_games
from damier.storage.batches import Packer, digests


def games_of(*sources: Path | str) -> list[tuple[Any, ...]]:
    """What data sets keep of games."""
    return [
        (game.variant, game.fen, game.moves, game.result, game.reason, game.scores)
        for source in sources
        for game in read_games(source)
    ]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return every_form(tmp_path_factory.mktemp("runs"))


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


def test_games_of_the_arena_say_who_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out(capsys, "match", "loa5", "mtdf:depth=1", "random", "--games", "4", "--out", str(tmp_path / "match"))
    cup = tmp_path / "cup.toml"
    cup.write_text('game = "loa5"\ngames = 2\n[players]\nAnne = "mtdf:depth=1"\nBob = "random"\n', encoding="utf-8")
    out(capsys, "tournament", str(cup), "--out", str(tmp_path / "cup"))
    for folder, names in (("match", ("mtdf:depth=1", "random")), ("cup", ("Anne", "Bob"))):
        import_games(tmp_path / folder, tmp_path / f"{folder}-set")
        players = [(game.white.name, game.black.name) for game in read_games(tmp_path / f"{folder}-set")]
        assert players[:2] == [names, names[::-1]]
        shown = out(capsys, "data", "info", str(tmp_path / folder))
        assert f"{names[0]} (" in shown
        assert "None" not in shown
        assert "{" not in shown


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
    assert ClassicLearner("chess", tmp_path / "all").samples > 0


def test_learning_reads_what_was_imported(runs: Path, tmp_path: Path) -> None:
    merge([runs / "random", runs / "random"], tmp_path / "set")
    one, other = (
        ClassicLearner("loa5", source, settings=ClassicSettings(skip=0))
        for source in (tmp_path / "set", runs / "random")
    )
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
    said = refusal(capsys, "data", "export", one, f"{three}.sgf")
    assert said == f"damier: {three}.sgf: is there already, expected the name of a new file\n"
    assert len(list(records.read(f"{three}.sgf"))) == 36


# Memory.


def test_memory_does_not_grow_with_the_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.data.SHARD_GAMES", 100)
    monkeypatch.setattr("damier.lab.sources.BATCH_GAMES", 50)
    peaks = {}
    for count in (200, 600):
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
    assert peaks[600] < 1.3 * peaks[200]


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
