"""Self-play and learning: games that survive interruptions, gradients that are right, weights that find themselves."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import damier
from damier import loa
from damier.cli.app import run
from damier.lab import fit_classic, self_play
from damier.lab.samples import load_samples
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
    again = self_play("english", games=12, nodes=60, seed=3, out=tmp_path / "cut")
    assert again.played == 4
    assert again.games == 12
    assert columns_of(tmp_path / "whole") == columns_of(tmp_path / "cut")
    with pytest.raises(damier.DamierError, match="this self-play run has nodes 60, not 70"):
        self_play("english", games=12, nodes=70, seed=3, out=tmp_path / "cut")


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
    seen = []
    fit = fit_classic("rennes", tmp_path / "games", steps=40, on_progress=lambda *said: seen.append(said))
    learnt, held_out = load_samples("rennes", tmp_path / "games")
    assert fit.samples == len(learnt)
    assert fit.held_out == len(held_out)
    board = damier.board("rennes")
    before = learnt.loss(board.weights(board.evaluator("classic")), fit.slope)[0]
    assert learnt.loss(fit.weights, fit.slope)[0] < before - 0.01
    fitting = [value for stage, _, value in seen if stage == "fitting"]
    assert fitting == sorted(fitting, reverse=True)


@pytest.mark.usefixtures("small_shards")
def test_learn_command_writes_weights_to_play_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games, out = tmp_path / "games", tmp_path / "no[" / "markup].safetensors"
    out.parent.mkdir()
    assert run(["selfplay", "rennes", "--games", "48", "--nodes", "40", "--out", str(games), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 48
    assert run(["learn", "classic", "rennes", "--games", str(games), "--out", str(out), "--steps", "5", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["loss_after"] > 0
    assert report["samples"] > report["held_out"] > 0
    file, first = read_weights(out), out.read_bytes()
    assert (file.game, file.kind, file.features) == ("rennes", "tapered", "classic")
    assert float(file.metadata["loss_after"]) == report["loss_after"]
    assert {"seed": "0", "steps": "5", "mix": "0.0"}.items() <= file.metadata.items()
    assert len(file.metadata["data_sha256"]) == 64
    board = damier.board("rennes")
    tuned = board.evaluator(str(out))
    assert np.array_equal(board.weights(tuned), np.concatenate(list(file.tensors.values())))
    assert not np.array_equal(board.weights(tuned), board.weights(board.evaluator("classic")))
    assert tuned.calibration == (report["margin"], report["spread"])
    assert run(["learn", "classic", "rennes", "--games", str(games), "--out", str(out), "--steps", "5"]) == 0
    assert capsys.readouterr().out.endswith(f"{out}\n")
    assert out.read_bytes() == first
    assert run(["selfplay", "rennes", "--games", "4", "--nodes", "40", "--eval", str(out), "--out", str(games)]) == 1
    assert "this self-play run has" in capsys.readouterr().err


@pytest.mark.usefixtures("small_shards")
def test_what_an_interrupted_run_left_unfinished_is_reported(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("damier.lab.simulation.SECONDS_HERE", 1e-9)  # a game a piece
    games = tmp_path / "games"
    learn = ["learn", "classic", "rennes", "--games", str(games), "--out", str(tmp_path / "w.safetensors")]
    learn += ["--steps", "2", "--mix", "0.5"]

    def play_until(last: int) -> None:
        def on_progress(done: int) -> None:
            if done == last:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            self_play("rennes", games=60, nodes=40, seed=1, out=games, on_progress=on_progress)

    words = "left out; to complete them, run its `damier selfplay` command again with --resume"
    play_until(3)  # of the four of a shard
    assert run(learn) == 1
    assert capsys.readouterr().err == f"damier: {games}: 3 unfinished pieces, 3 games in all, {words}\n"
    play_until(43)
    assert run(learn) == 0
    assert caplog.messages == [f"{games}: 3 unfinished pieces, 3 games in all, {words}"]
    caplog.clear()
    self_play("rennes", games=60, nodes=40, seed=1, out=games)
    assert run(learn) == 0
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
        (["learn", "classic", "chess", "--games", "nowhere", "--out", "w.safetensors"], "nowhere"),
        (["learn", "classic", "chess", "--games", ".", "--out", "no/such/w.safetensors"], "no such folder"),
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
        fit_classic("chess", tmp_path)
