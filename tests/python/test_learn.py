"""Self-play and learning: games that survive interruptions, gradients that are right, weights that find themselves."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import refusal
from data_runs import play_until

import damier
from damier import loa
from damier.cli.app import run
from damier.cli.learn import classic, genetic, knn, knockout, mlp, nnue, patterns, td
from damier.cli.option_sets import with_option_sets
from damier.cli.selfplay import selfplay
from damier.lab import ClassicLearner, ClassicSettings, Loader, self_play
from damier.lab.blocks import Blocks
from damier.lab.genetic import GeneticSettings
from damier.lab.knn import KnnSettings
from damier.lab.knockout import KnockoutSettings
from damier.lab.mlp import MlpSettings
from damier.lab.nnue import NnueSettings
from damier.lab.patterns import PatternsSettings
from damier.lab.samples import load_samples
from damier.lab.td import TdSettings
from damier.lab.training import Matches, train
from damier.storage import read_columns, read_games, shards_of
from damier.weights import read_weights


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.lab.selfplay.SHARD_GAMES", 4)


def columns_of(folder: Path) -> list[tuple[bytes, bytes]]:
    return [(c["codes"].tobytes(), c["scores"].tobytes()) for _, c in map(read_columns, shards_of(folder))]


@pytest.mark.usefixtures("small_shards")
def test_self_play_is_the_same_however_it_is_cut(tmp_path: Path) -> None:
    whole = self_play("english", games=12, nodes=60, seed=3, threads=2, out=tmp_path / "whole")
    assert whole.games == 12
    assert sum(whole.results.values()) == 12
    self_play("english", games=12, nodes=60, seed=3, out=tmp_path / "cut")
    shards_of(tmp_path / "cut")[1].unlink()
    again = self_play("english", games=12, nodes=60, seed=3, out=tmp_path / "cut", resume=True)
    assert again.played == 4
    assert again.games == 12
    assert columns_of(tmp_path / "whole") == columns_of(tmp_path / "cut")
    with pytest.raises(damier.DamierError, match="this self-play run has nodes 60, not 70"):
        self_play("english", games=12, nodes=70, seed=3, out=tmp_path / "cut", resume=True)


@pytest.mark.usefixtures("small_shards")
def test_self_played_games_replay_with_a_score_a_ply(tmp_path: Path) -> None:
    self_play("loa", games=8, nodes=80, seed=1, out=tmp_path)
    for game in read_games(tmp_path):
        outcome = game.board().outcome(claim_draw=True)
        assert outcome is None or outcome.result == game.result
    about, columns = read_columns(shards_of(tmp_path)[0])
    assert about.variant == "loa"
    assert np.array_equal(np.diff(columns["score_ends"], prepend=0), np.diff(columns["ends"], prepend=0))


def test_gradient_is_the_slope_of_the_loss() -> None:
    board = loa.Board()
    evaluator = board.evaluator("classic")
    played = board.play_games(5, seed=1)
    none = np.zeros(0, np.int16), np.zeros(0, np.int32)
    samples = board.sample_games(evaluator, played["codes"], played["ends"], played["results"], *none)
    weights = board.weights(evaluator)
    loss, gradient = samples.loss(weights, 0.01, threads=3)
    values, results = samples.values(weights).astype(float), samples.results().astype(float)
    chances = 1 / (1 + np.exp(-0.01 * values))
    assert loss == pytest.approx(-(results * np.log(chances) + (1 - results) * np.log(1 - chances)).mean(), rel=1e-4)
    for at in (3, 14, 40, len(weights) - 1):
        for column in (0, 1):
            nudged = weights.copy()
            nudged[at, column] += 0.01
            slope = (samples.loss(nudged, 0.01)[0] - loss) / 0.01
            assert slope == pytest.approx(gradient[at, column], abs=1e-6)
    with pytest.raises(damier.DamierError, match="need as many rows of weights"):
        samples.loss(weights[:-1].copy(), 0.01)


@pytest.mark.usefixtures("small_shards")
def test_a_fit_explains_games_better(tmp_path: Path) -> None:
    self_play("rennes", games=120, nodes=40, seed=2, out=tmp_path / "games", threads=2)
    learner = ClassicLearner("rennes", tmp_path / "games", steps=4)
    training = train(learner, out=tmp_path / "run")
    learnt, held_out = load_samples("rennes", Blocks("rennes", tmp_path / "games"))
    assert learner.samples == len(learnt)
    assert learner.held_out == len(held_out)
    board = damier.board("rennes")
    before = learnt.loss(board.weights(board.evaluator("classic")), learner.slope)[0]
    assert learnt.loss(board.weights(board.evaluator(str(training.path))), learner.slope)[0] < before - 0.01
    fitting = [row["training_loss"] for row in training.metrics[1:]]
    assert fitting == sorted(fitting, reverse=True)


@pytest.mark.usefixtures("small_shards")
def test_learn_command_writes_weights_to_play_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, folder = tmp_path / "games", tmp_path / "no[" / "markup]"
    assert run(["selfplay", "rennes", "--games", "48", "--nodes", "40", "--out", str(games), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 48
    asked = ["learn", "classic", "rennes", "--games", str(games), "--steps", "2", "--iterations", "3"]
    assert run([*asked, "--out", str(folder), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    out = Path(report["out"])
    assert out == folder / "learnt.safetensors"
    file, first = read_weights(out), out.read_bytes()
    assert (file.game, file.kind, file.features) == ("rennes", "tapered", "classic")
    assert float(file.metadata["final_loss"]) == report["loss"] > 0
    assert report["positions"] > float(file.metadata["held_out"]) > 0
    assert float(file.metadata["first_step"]) == 0
    assert {"seed": "0", "steps": "2", "mix": "0.0", "method": "classic"}.items() <= file.metadata.items()
    assert len(file.metadata["data_sha256"]) == 64
    board = damier.board("rennes")
    tuned = board.evaluator(str(out))
    assert np.array_equal(board.weights(tuned), np.concatenate(list(file.tensors.values())))
    assert not np.array_equal(board.weights(tuned), board.weights(board.evaluator("classic")))
    assert " ".join(map(str, tuned.calibration)) == file.metadata["calibration"]
    assert run([*asked, "--out", str(tmp_path / "again")]) == 0
    assert f"\n{tmp_path / 'again' / 'learnt.safetensors'}\n" in capsys.readouterr().out
    assert (tmp_path / "again" / "learnt.safetensors").read_bytes() == first
    other = ["selfplay", "rennes", "--games", "4", "--nodes", "40", "--eval", str(out), "--out", str(games), "--resume"]
    assert "this self-play run has" in refusal(capsys, *other)


@pytest.mark.usefixtures("small_shards")
def test_what_an_interrupted_run_left_unfinished_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    games = tmp_path / "games"
    learn = ["learn", "classic", "rennes", "--games", str(games), "--steps", "1"]
    learn += ["--iterations", "2", "--mix", "0.5", "--out"]
    words = "left out; to complete them, run its `damier selfplay` command again with --resume"
    play_until(3, "rennes", games=60, nodes=40, seed=1, out=games)  # of the four of a shard
    assert run([*learn, str(tmp_path / "a")]) == 1
    assert capsys.readouterr().err == f"damier: {games}: 3 unfinished pieces, 3 games in all, {words}\n"
    play_until(43, "rennes", games=60, nodes=40, seed=1, out=games, resume=True)
    assert run([*learn, str(tmp_path / "a")]) == 0
    assert caplog.messages == [f"{games}: 3 unfinished pieces, 3 games in all, {words}"]
    caplog.clear()
    self_play("rennes", games=60, nodes=40, seed=1, out=games, resume=True)
    assert run([*learn, str(tmp_path / "b")]) == 0
    assert not caplog.messages


def test_weights_of_a_file_travel_without_it(tmp_path: Path) -> None:
    built_in = Path(__file__).parents[2] / "cpp" / "damier" / "games" / "draughts" / "classic_rennes.safetensors"
    file = tmp_path / "mine.safetensors"
    file.write_bytes(built_in.read_bytes())
    board = damier.board("rennes")
    evaluator = board.evaluator(str(file))
    file.unlink()
    self_play("rennes", games=4, nodes=60, eval=evaluator, out=tmp_path / "file")
    self_play("rennes", games=4, nodes=60, out=tmp_path / "built in")
    assert columns_of(tmp_path / "file") == columns_of(tmp_path / "built in")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["learn", "classic", "chess", "--games", "nowhere", "--out", "run"], "nowhere: No such file or directory"),
        (["learn", "classic", "chess", "--games", ".", "--out", "run"], "there is no games-*.parquet in this folder"),
        (["selfplay", "go", "--games", "1", "--out", "x"], "'go' is not a game"),
    ],
)
def test_bad_input_is_one_line(
    args: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(args) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_games_of_another_game_are_refused(tmp_path: Path) -> None:
    damier.simulate("rennes", games=3, out=tmp_path)
    with pytest.raises(damier.DataError, match="holds games of rennes, expected chess"):
        ClassicLearner("chess", tmp_path)


# Any sum of weighted terms


@pytest.fixture(scope="module")
def loa_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loa")
    self_play("loa6", games=100, nodes=60, random_plies=6, seed=3, out=folder)
    return folder


@pytest.fixture(scope="module")
def many_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As many as it takes to learn from rather than by heart."""
    folder = tmp_path_factory.mktemp("many")
    self_play("loa6", games=1500, nodes=60, random_plies=6, seed=4, out=folder)
    return folder


@pytest.mark.parametrize("features", ["", "bing", "quads"])
def test_every_sum_of_terms_learns(features: str, many_games: Path, tmp_path: Path) -> None:
    settings = ClassicSettings(features=features, iterations=5, skip=7)
    training = train(ClassicLearner("loa6", many_games, steps=6, settings=settings), out=tmp_path / "run")
    start, *rows = training.metrics
    assert start["step"] == 0
    assert training.last["training_loss"] < rows[0]["training_loss"] or len(rows) == 1
    assert training.last["loss"] < start["loss"]
    assert training.last["r2"] > start["r2"]
    assert training.path
    board = damier.board("loa6")
    assert damier.Engine("loa6", eval=training.path).play(board, damier.Limit(depth=2)).move in board.legal_moves
    again = ClassicSettings(start=str(training.path), iterations=5, skip=7)
    further = ClassicLearner("loa6", many_games, steps=6, settings=again)
    assert further.measure()["loss"] == pytest.approx(training.last["loss"], rel=0.05)  # but for the slope
    assert further.provenance()["parent_sha256"] == read_weights(training.path).metadata["sha256"]


def test_values_are_those_that_the_engine_sees(loa_games: Path) -> None:
    """The rows that are learnt from, weighed, are scores of the side to move."""
    learner = ClassicLearner("loa6", loa_games, settings=ClassicSettings(features="bing", skip=7))
    learner.step(0)
    weights, board = learner.state()["weights"], damier.board("loa6")
    evaluator = damier.eval.resolve(board, learner.learnt())  # type: ignore[arg-type]
    for move in list(board.legal_moves)[:8]:
        after = board.copy()
        after.push(move)
        for position in (board, after):
            row = learner._terms._seen_by_the_mover(position.features("bing")[None, :])  # type: ignore[attr-defined]
            assert float(row[0] @ weights) == pytest.approx(position.evaluate(evaluator), abs=1)


def test_it_learns_what_pieces_are_worth(tmp_path: Path) -> None:
    self_play("english", games=150, nodes=60, random_plies=8, seed=1, out=tmp_path)
    learner = ClassicLearner("english", tmp_path, settings=ClassicSettings(features="paris"))
    learner.step(0)
    own, enemy, *_ = learner.state()["weights"]
    assert own > 20
    assert enemy == pytest.approx(-own, rel=0.3)


def test_matches_against_the_start(loa_games: Path, tmp_path: Path) -> None:
    settings = ClassicSettings(features="quads", skip=7)
    learner = ClassicLearner("loa6", loa_games, steps=1, settings=settings)
    training = train(learner, out=tmp_path, matches=Matches(1, games=20, nodes=60))
    assert training.last.get("elo", training.last.get("elo_low", 0)) > 100


def test_held_out_games_are_a_tenth_of_their_own(loa_games: Path) -> None:
    blocks = Blocks("loa6", [loa_games, loa_games])
    parts = [[(block.first + blocks.numbers(block, part)).tolist() for block in blocks] for part in (True, False)]
    held_out, learnt = (set().union(*part) for part in parts)
    assert not held_out & learnt
    assert (len(held_out), len(held_out | learnt)) == (20, 200)
    loaders = [Loader("loa6", blocks, epochs=1, held_out=part) for part in (True, False, None)]
    assert [loader.games for loader in loaders] == [20, 180, 200]
    sizes = [sum(map(len, loader)) for loader in loaders]
    assert sizes[0] + sizes[1] == sizes[2]
    assert Blocks("loa6", loa_games).digest() != blocks.digest() == loaders[0].digest()


def test_the_games_of_a_database_are_named_by_its_address(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    assert run(["match", "loa5", "random", "random", "--games", "20", "--database", url]) == 0
    assert run(["learn", "classic", "loa5", "--games", url, "--features", "quads", "--out", str(tmp_path / "c")]) == 0
    assert (tmp_path / "c" / "learnt.safetensors").exists()


# Commands


def defaults_of(command: Callable[..., None]) -> dict[str, Any]:
    parameters = inspect.signature(with_option_sets(command)).parameters
    return {name: each.default for name, each in parameters.items()}


@pytest.mark.parametrize(
    ("command", "settings"),
    [
        (classic, ClassicSettings),
        (genetic, GeneticSettings),
        (knn, KnnSettings),
        (knockout, KnockoutSettings),
        (mlp, MlpSettings),
        (nnue, NnueSettings),
        (patterns, PatternsSettings),
        (td, TdSettings),
    ],
)
def test_a_command_learns_with_the_defaults_of_its_settings(command: Callable[..., None], settings: type) -> None:
    options = defaults_of(command)
    wanted = {field.name: field.default for field in fields(settings) if field.name in options}
    assert wanted
    for name, value in wanted.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else value
        assert options[name] == (None if text == "" and options[name] is None else text), name


def test_a_command_plays_itself_with_the_defaults_of_the_function() -> None:
    options, own = defaults_of(selfplay), inspect.signature(self_play).parameters
    for name in ("nodes", "random_plies", "seed", "eval", "player", "opponent", "fen"):
        assert options[name] == own[name].default, name
