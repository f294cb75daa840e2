"""Self-play of any players: the same games however they are cut, scores where there are some, failures in a line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from common import out, refusal
from data_runs import play_until

import damier
from damier.arena.play.referee import Adjudication
from damier.lab import ClassicLearner, self_play
from damier.storage import read_games, shards_of
from damier.storage.database import Database
from damier.storage.shard_writer import unfinished_pieces

BAD_ENGINE = Path(__file__).with_name("bad_engine.py")
PAIR = {"player": "mtdf:depth=2", "opponent": "random"}


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 4)


def shards(folder: Path) -> list[bytes]:
    return [shard.read_bytes() for shard in shards_of(folder)]


def test_the_same_seed_plays_the_same_games_on_any_number_of_threads(tmp_path: Path) -> None:
    for name, threads in (("one", 1), ("three", 3)):
        done = self_play("loa5", games=11, seed=3, threads=threads, out=tmp_path / name, **PAIR)
        assert done.games == done.played == sum(done.results.values()) == 11
    self_play("loa5", games=11, seed=4, out=tmp_path / "other", **PAIR)
    assert shards(tmp_path / "one") == shards(tmp_path / "three") != shards(tmp_path / "other")


def test_a_run_cut_off_anywhere_is_completed(tmp_path: Path) -> None:
    self_play("loa5", games=10, seed=3, out=tmp_path / "whole", **PAIR)
    for last in (1, 6):
        play_until(last, "loa5", games=10, seed=3, out=tmp_path / "cut", resume=True, **PAIR)
        assert sum(piece.games for piece in unfinished_pieces(tmp_path / "cut")) == last % 4
    assert self_play("loa5", games=10, seed=3, out=tmp_path / "cut", resume=True, **PAIR).played == 4
    assert shards(tmp_path / "whole") == shards(tmp_path / "cut")


def test_a_killed_run_is_completed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # shards as a command has them
    asked = ["selfplay", "loa5", "--games", "60", "--player", "mtdf:depth=3", "--opponent", "mcts:nodes=200", "--out"]
    program = [sys.executable, "-m", "damier"]
    child = subprocess.Popen([*program, *asked, str(tmp_path / "cut")], stdout=subprocess.DEVNULL)
    end = time.monotonic() + 120
    while not list((tmp_path / "cut").glob("*.parquet")):
        assert time.monotonic() < end
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait(30)
    assert unfinished_pieces(tmp_path / "cut")
    for name, more in (("cut", ["--resume"]), ("whole", [])):
        out(capsys, *asked, str(tmp_path / name), *more)
    assert shards(tmp_path / "cut") == shards(tmp_path / "whole")
    assert sorted(path.name for path in (tmp_path / "cut").iterdir()) == ["games-000000.parquet", "run.json"]


def test_the_engine_against_itself_is_the_same_by_its_spec(tmp_path: Path) -> None:
    self_play("loa5", games=6, nodes=80, seed=1, out=tmp_path / "options")
    self_play("loa5", games=6, player="engine:nodes=80", seed=1, out=tmp_path / "spec")
    self_play("loa5", games=6, player="engine", opponent="engine", nodes=80, seed=1, out=tmp_path / "both")
    assert shards(tmp_path / "options") == shards(tmp_path / "spec") == shards(tmp_path / "both")
    done = self_play("loa5", games=6, player="engine:nodes=80", seed=1, out=tmp_path / "options", resume=True)
    assert done.played == 0  # one and the same run


def test_each_opening_is_played_with_both_colours(tmp_path: Path) -> None:
    self_play("loa", games=6, seed=2, random_plies=5, out=tmp_path, **PAIR)
    played = list(read_games(tmp_path))
    assert [game.white.name for game in played] == ["mtdf:depth=2", "random"] * 3
    assert [game.opening_plies for game in played] == [5, 5, 6, 6, 5, 5]
    for one, other in zip(played[::2], played[1::2], strict=True):
        assert one.moves[: one.opening_plies] == other.moves[: one.opening_plies]


def test_scores_are_kept_where_players_give_them(tmp_path: Path) -> None:
    self_play("loa", games=4, seed=2, out=tmp_path, **PAIR)
    for game in read_games(tmp_path):
        assert len(game.scores) == game.plies - game.opening_plies
        ours = game.board().copy()
        while ours.ply > game.opening_plies:
            ours.pop()
        first_is_white = ours.turn == damier.Side.WHITE
        for ply, score in enumerate(game.scores):
            mover = game.white if (ply % 2 == 0) == first_is_white else game.black
            assert (score is None) == (mover.name == "random")
        outcome = game.board().outcome(claim_draw=True)
        assert outcome
        assert (outcome.result, outcome.reason) == (game.result, game.reason)


@pytest.mark.parametrize(
    "player",
    ["random", "oneply:games=2", "mcts:nodes=20", "minimax:depth=1", "engine:level=1", "engine:nodes=20,hash=1"],
)
def test_every_kind_of_player_plays(player: str, tmp_path: Path) -> None:
    one, other = (self_play("loa5", games=3, player=player, seed=5, out=tmp_path / name) for name in "ab")
    assert one.games == other.games == 3
    assert shards(tmp_path / "a") == shards(tmp_path / "b")
    assert {game.white.name for game in read_games(tmp_path / "a")} == {player}


@pytest.mark.parametrize("protocol", ["uci", "hub"])
def test_external_engines_play(protocol: str, tmp_path: Path) -> None:
    game = "chess" if protocol == "uci" else "international"
    spec = f"{protocol}:{sys.executable} -m damier {protocol},nodes=30"
    done = self_play(game, games=2, player=spec, opponent="random", seed=1, out=tmp_path)
    assert done.games == 2
    assert all(any(score is not None for score in played.scores) for played in read_games(tmp_path))


def test_games_may_start_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 250)
    fen = "4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1"
    self_play("chess", games=2, player="random", fen=fen, random_plies=0, out=tmp_path / "fen")
    assert [game.fen for game in read_games(tmp_path / "fen")] == [fen, fen]
    self_play("chess960", games=30, player="engine:nodes=60,hash=1", out=tmp_path / "960")
    played = list(read_games(tmp_path / "960"))
    assert len({game.fen for game in played}) > 25
    assert all(game.board().ply == game.plies for game in played)
    assert ClassicLearner("chess960", tmp_path / "960").samples > 100


@pytest.mark.parametrize("player", [None, "engine:nodes=60,hash=1"])
def test_games_that_are_decided_may_be_adjudicated(tmp_path: Path, player: str | None) -> None:
    asked = {"games": 24, "nodes": 60, "seed": 2, "player": player}
    self_play("english", **asked, out=tmp_path / "whole")
    rules = Adjudication(resign=300, draw=40, draw_from=10)
    done = self_play("english", **asked, adjudication=rules, out=tmp_path / "short")
    assert {"resignation", "agreement"} <= set(done.reasons)
    for whole, short in zip(read_games(tmp_path / "whole"), read_games(tmp_path / "short"), strict=True):
        assert short.moves == whole.moves[: len(short.moves)]
        if short.reason == "resignation":
            assert abs(short.scores[-1]) >= 300
            white_moved_last = short.board().turn == damier.Side.BLACK
            assert (short.scores[-1] > 0) == (white_moved_last == (short.result == "1-0"))
    assert self_play("english", **asked, adjudication=rules, out=tmp_path / "short", resume=True).played == 0
    with pytest.raises(damier.DamierError, match="adjudication"):
        self_play("english", **asked, out=tmp_path / "short", resume=True)


def test_games_that_were_too_long_are_known_again(tmp_path: Path) -> None:
    done = self_play("turkish", games=40, nodes=1, seed=1, out=tmp_path)
    assert done.reasons["adjudication"] >= 1
    assert {game.plies for game in read_games(tmp_path) if game.reason == "adjudication"} == {400}
    assert self_play("turkish", games=40, nodes=1, seed=1, out=tmp_path, resume=True).played == 0


def test_rows_name_the_players(tmp_path: Path) -> None:
    with Database(tmp_path / "games.db") as database:
        self_play("loa5", games=4, out=tmp_path / "run", database=database, **PAIR)
        rows = list(database.games(player="mtdf:depth=2"))
        assert [row.white.spec for row in rows] == ["mtdf:depth=2", "random"] * 2
        assert [row.moves for row in rows] == [game.moves for game in read_games(tmp_path / "run")]
    with Database(tmp_path / "later.db") as database:  # earlier games become rows of another one
        assert self_play("loa5", games=4, out=tmp_path / "run", database=database, resume=True, **PAIR).played == 0
        assert list(database.games()) == rows


def test_the_command_says_who_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = [
        "selfplay",
        "loa5",
        "--games",
        "4",
        "--player",
        "mtdf:depth=2",
        "--opponent",
        "random",
        "--concurrency",
        "2",
    ]
    report = json.loads(out(capsys, *asked, "--out", str(tmp_path), "--json"))
    assert (report["games"], report["player"], report["opponent"]) == (4, "mtdf:depth=2", "random")
    said = refusal(capsys, *asked[:4], "--player", "random", "--out", str(tmp_path), "--resume")
    assert "this self-play run has player 'mtdf:depth=2', not 'random'" in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--player", "nobody"], "'nobody' is not a kind of player"),
        (["--player", "mtdf:depth=x"], "depth is 'x'"),
        (["--player", "uci:/no/such engine"], "engine command not found"),
        (["--player", "random", "--eval", "classic"], "expected it in their specs"),
        (["--opponent", "engine:level=99"], "level"),
    ],
)
def test_what_cannot_play_is_refused_before_any_game(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert message in refusal(capsys, "selfplay", "loa5", "--games", "2", *options, "--out", str(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_an_engine_that_fails_ends_the_run_and_loses_no_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spec = f"uci:{sys.executable} {BAD_ENGINE} uci 'illegal move',name=bad"
    asked = ["selfplay", "chess", "--games", "4", "--player", spec, "--opponent", "random", "--out", str(tmp_path)]
    said = refusal(capsys, *asked)
    assert "illegal move (bad: " in said
    assert "game " in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json"]
