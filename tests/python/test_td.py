"""Temporal differences: the sums are right, every variant learns, and a training can be cut off anywhere."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import flip_bit, out, refusal
from threadpoolctl import threadpool_info, threadpool_limits

from damier import Engine, Limit, games
from damier._core import DamierError
from damier.eval import Linear, Network, resolve
from damier.lab import self_play
from damier.lab.dense import Dense
from damier.lab.sequences import Sequences, lines_of_games, mirror_of
from damier.lab.td import TdLearner, TdSettings, lambda_errors
from damier.lab.training import CHECKPOINT, LEARNT, Matches, Training, train
from damier.storage import read_games
from damier.weights import read_weights


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of one evaluation that knows the game a little."""
    folder = tmp_path_factory.mktemp("base")
    self_play("loa6", games=300, nodes=80, eval="bing-linear", random_plies=6, seed=3, out=folder)
    return folder


def slow_errors(values: list[float], end: float, decay: float) -> list[float]:
    """The definition: differences to come, each weighing `decay` times the one before."""
    line = [*values, end]
    steps = [after - before for before, after in pairwise(line)]
    return [sum(decay ** (j - t) * steps[j] for j in range(t, len(steps))) for t in range(len(steps))]


def test_errors_are_what_the_definition_says() -> None:
    rng = np.random.default_rng(5)
    lengths = np.array([1, 7, 3, 12])
    values, ends = rng.normal(size=lengths.sum()), np.array([1.0, -1.0, 0.0, 1.0])
    found = lambda_errors(values, lengths, ends, 0.7)
    first = 0
    for length, end in zip(lengths, ends, strict=True):
        expected = slow_errors(values[first : first + length].tolist(), float(end), 0.7)
        np.testing.assert_allclose(found[first : first + length], expected)
        first += length


@pytest.mark.parametrize("hidden", [[], [2], [4, 3]])
def test_gradients_agree_with_differences(hidden: list[int]) -> None:
    rng = np.random.default_rng(1)
    net, features, upstream = Dense(5, hidden, rng), rng.normal(size=(20, 5)), rng.normal(size=20)
    net.rescale(features)
    net.weights += rng.normal(0, 0.1, net.weights.shape)
    if not hidden:
        net.weights[-1] = 0  # a sum of features has no bias
    gradient = net.gradient(features, upstream)
    for index in range(net.weights.size - (not hidden)):
        change = np.zeros_like(net.weights)
        change[index] = 1e-6
        net.weights += change
        above = (upstream * net.outputs(features)).sum()
        net.weights -= 2 * change
        below = (upstream * net.outputs(features)).sum()
        net.weights += change
        assert gradient[index] == pytest.approx((above - below) / 2e-6, abs=1e-6)


@pytest.mark.parametrize("hidden", [[], [2]])
def test_the_sides_of_a_mirrored_network_are_alike(hidden: list[int]) -> None:
    rng = np.random.default_rng(4)
    net, features = Dense(14, hidden, rng, mirror=mirror_of("loa", "bing")), rng.normal(2, 3, size=(30, 14))
    assert net.mirror
    net.rescale(features)
    net.weights += rng.normal(0, 0.3, net.weights.shape)
    np.testing.assert_allclose(net.outputs(features), -net.outputs(net.mirror(features)))
    upstream = rng.normal(size=30)
    gradient, change = net.gradient(features, upstream), rng.normal(0, 1e-6, net.weights.shape)
    before = (upstream * net.outputs(features)).sum()
    net.weights += change
    assert (upstream * net.outputs(features)).sum() - before == pytest.approx((gradient * change).sum(), rel=0.01)
    made = net.evaluation("bing", "mine", 300.0, (0.0, 150.0))
    board, image = games.board("loa"), games.board("loa", games.board("loa").fen().translate(str.maketrans("xo", "ox")))
    assert board.evaluate(resolve(board, made)) == image.evaluate(resolve(image, made))


@pytest.mark.parametrize("hidden", [[], [3]])
def test_the_core_plays_what_was_trained(hidden: list[int]) -> None:
    rng = np.random.default_rng(2)
    board = games.board("loa")
    net = Dense(14, hidden, rng)
    net.rescale(rng.normal(3, 2, size=(50, 14)))
    net.weights += rng.normal(0, 0.3, net.weights.shape)
    if not hidden:
        net.weights[-1] = 0
    evaluator = resolve(board, net.evaluation("bing", "mine", 300.0, (0.0, 150.0)))
    for move in list(board.legal_moves)[:10]:
        after = board.copy()
        after.push(move)  # White is to move
        output = net.outputs(after.features("bing").astype(np.float64)[None, :])[0]
        assert after.evaluate(evaluator) == pytest.approx(300 * output, abs=1)


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        (TdSettings(), 60),
        (TdSettings(variant="td", optimiser="backprop"), 20),
        (TdSettings(hidden=0), 60),
        (TdSettings(variant="leaf", optimiser="backprop", games_per_step=12), 12),
    ],
    ids=["directed", "backprop", "linear", "leaf"],
)
def test_every_variant_learns(base: Path, tmp_path: Path, settings: TdSettings, steps: int) -> None:
    learner = TdLearner("loa6", [base], steps=steps, settings=replace(settings, features="bing"))
    training = train(learner, out=tmp_path / "run")
    assert training.path
    assert training.last["loss"] < training.metrics[0]["loss"]
    found: Linear | Network = (Network if settings.hidden else Linear).load(training.path)
    assert found.features == "bing"
    held = read_weights(training.path).metadata
    assert (held["method"], held["variant"], held["seed"]) == ("td", settings.variant, "0")
    assert len(held["data_sha256"]) == 64
    board = games.board("loa6")
    assert Engine("loa6", eval=training.path).play(board, Limit(depth=2)).move in board.legal_moves


def test_numpy_adds_in_one_thread_while_it_learns(base: Path, tmp_path: Path) -> None:
    """Several would wait for each other, and the order in which they add would depend on the machine."""
    seen: list[int] = []

    def look(_: Training) -> None:
        seen.extend(library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas")

    with threadpool_limits(2, user_api="blas"):
        train(TdLearner("loa6", base, steps=1), out=tmp_path / "run", on_step=look)
    assert set(seen) == {1}


def test_treestrap_learns(base: Path, tmp_path: Path) -> None:
    """It aims at what searches find, not at results, so that its loss on those need not fall: it plays better."""
    settings = TdSettings(variant="treestrap", features="bing", hidden=0, rate=0.02, games_per_step=6)
    learner = TdLearner("loa6", [base], steps=12, settings=settings)
    training = train(learner, out=tmp_path / "run", matches=Matches(12, games=60, nodes=60))
    assert training.last.get("elo", training.last.get("elo_low", 0)) > 100
    assert training.path
    assert read_weights(training.path).metadata["variant"] == "treestrap"


def test_it_learns_from_games_of_its_own(tmp_path: Path) -> None:
    settings = TdSettings(variant="td", features="quads", hidden=0, games_per_step=20, random_plies=6)
    training = train(
        TdLearner("loa5", steps=15, settings=settings), out=tmp_path / "run", matches=Matches(15, games=60, nodes=60)
    )
    assert training.last.get("elo", training.last.get("elo_low", 0)) > 100


def test_positions_are_those_in_which_a_move_was_chosen(base: Path) -> None:
    lines = lines_of_games("loa6", [base])
    assert len(lines) == 300
    assert {line.first for line in lines} == {6, 7}
    rows = Sequences.of_games("loa6", lines[:3], "bing")
    board = games.board("loa6")
    board.replay(lines[0].codes[: lines[0].first])
    np.testing.assert_array_equal(rows.features[0], board.features("bing"))
    assert rows.ends.tolist() == np.cumsum([len(line.codes) - line.first for line in lines[:3]]).tolist()


def test_captures_with_two_codes_have_one_score(tmp_path: Path) -> None:
    self_play("turkish", games=60, nodes=4, random_plies=6, seed=1, out=tmp_path)
    lines = lines_of_games("turkish", [tmp_path])
    played = list(read_games(tmp_path))
    assert any(len(line.codes) > game.plies for line, game in zip(lines, played, strict=True))
    assert [line.first for line in lines] == [game.opening_plies for game in played]


def test_it_starts_from_the_weights_of_another_training(base: Path, tmp_path: Path) -> None:
    settings = TdSettings(features="bing")
    first = train(TdLearner("loa6", [base], steps=40, settings=settings), out=tmp_path / "first")
    checkpoint = str(tmp_path / "first" / CHECKPOINT)
    again = replace(settings, variant="leaf", games_per_step=5, start=checkpoint)
    second = train(TdLearner("loa6", [base], steps=2, settings=again), out=tmp_path / "second")
    assert second.metrics[0]["loss"] == pytest.approx(first.last["loss"], rel=0.05)
    with pytest.raises(DamierError, match=r"it has \d+ weights, expected"):
        TdLearner("loa6", [base], settings=replace(again, features="quads"))
    with pytest.raises(DamierError, match=r"is not the checkpoint\.safetensors .*; a learnt file lacks the scale"):
        TdLearner("loa6", [base], settings=replace(again, start=str(tmp_path / "first" / LEARNT)))
    (tmp_path / "first" / CHECKPOINT).write_bytes((tmp_path / "second" / CHECKPOINT).read_bytes())
    with pytest.raises(DamierError, match="the evaluation it starts from has changed"):
        train(TdLearner("loa6", [base], steps=2, settings=again), out=tmp_path / "second", resume=True)


def test_one_seed_gives_one_file(base: Path, tmp_path: Path) -> None:
    def learn(folder: str, seed: int) -> bytes:
        settings = TdSettings(features="bing", optimiser="backprop", seed=seed)
        return train(TdLearner("loa6", [base], steps=3, settings=settings), out=tmp_path / folder).path.read_bytes()  # type: ignore[union-attr]

    assert learn("a", 1) == learn("b", 1) != learn("c", 2)


def test_it_resumes_as_if_nothing_had_happened(base: Path, tmp_path: Path) -> None:
    def learner() -> TdLearner:
        return TdLearner("loa6", [base], steps=12, settings=TdSettings(features="bing", games_per_step=30))

    def stop(after: int) -> Callable[[Any], None]:
        def on_step(training: Any) -> None:
            if training.steps == after:
                raise KeyboardInterrupt

        return on_step

    whole = train(learner(), out=tmp_path / "whole")
    for after in (3, 7):
        with pytest.raises(KeyboardInterrupt):
            train(learner(), out=tmp_path / "cut", resume=after > 3, on_step=stop(after))
    again = train(learner(), out=tmp_path / "cut", resume=True)
    assert again.metrics == whole.metrics
    assert (tmp_path / "cut" / LEARNT).read_bytes() == (tmp_path / "whole" / LEARNT).read_bytes()
    with pytest.raises(DamierError, match="resume"):
        train(learner(), out=tmp_path / "cut")


def test_commands(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "run")
    asked = ["learn", "td", "loa6", "--games", str(base), "--features", "bing", "--steps", "5", "--out", folder]
    printed = out(capsys, *asked)
    assert f"damier play loa6 --black engine:eval={folder}/learnt.safetensors" in printed
    assert "loss" in printed
    report = json.loads(out(capsys, *asked, "--resume", "--json"))
    assert (report["method"], report["steps"]) == ("td", 5)
    for spec in (f"engine:eval={report['out']},nodes=50", f"learnt:{report['out']},nodes=50"):
        assert "4 of 4" in out(capsys, "match", "loa6", spec, "random", "--games", "4")
        said = refusal(capsys, "match", "chess", spec, "random", "--games", "2")
        assert "learnt.safetensors" in said
        assert "loa" in said
    assert "nothing: no such file" in refusal(capsys, "match", "loa6", "learnt:nothing", "random", "--games", "2")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (["--variant", "none"], "'none' is not a TD variant, expected one of td, directed, leaf, treestrap"),
        (["--optimiser", "adam"], "'adam' is not an optimiser, expected one of rprop, backprop"),
        (["--features", "wings"], "wings"),
        (["--games", "nowhere"], "nowhere: No such file or directory"),
        (["--rate", "-1"], "rate is -1"),
    ],
)
def test_what_cannot_be_learnt_is_said(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: list[str], said: str
) -> None:
    asked = ["learn", "td", "loa6", "--games", str(base), "--steps", "300", "--out", str(tmp_path / "run"), *changed]
    assert said in refusal(capsys, *asked)


def test_a_damaged_checkpoint_is_refused(base: Path, tmp_path: Path) -> None:
    settings = TdSettings(features="bing")
    train(TdLearner("loa6", [base], steps=2, settings=settings), out=tmp_path)
    path = tmp_path / CHECKPOINT
    flip_bit(path)
    with pytest.raises(DamierError, match=r"checkpoint\.safetensors"):
        train(TdLearner("loa6", [base], steps=2, settings=settings), out=tmp_path, resume=True)
    os.truncate(path, 40)
    with pytest.raises(DamierError, match=r"checkpoint\.safetensors"):
        train(TdLearner("loa6", [base], steps=2, settings=settings), out=tmp_path, resume=True)


class Diverges(TdLearner):
    """Its third step measures nothing."""

    def step(self, number: int) -> dict[str, float]:
        return super().step(number) | ({"loss": float("nan")} if number == 2 else {})


def test_a_loss_that_is_not_a_number_ends_it(base: Path, tmp_path: Path) -> None:
    learner = Diverges("loa6", [base], steps=5, settings=TdSettings(features="bing"))
    with pytest.raises(DamierError, match="td: loss is nan after step 3, expected a number; try a smaller --rate"):
        train(learner, out=tmp_path)
    assert read_weights(tmp_path / CHECKPOINT).metadata["steps"] == "2"


def test_a_checkpoint_is_not_an_evaluation(base: Path, tmp_path: Path) -> None:
    train(TdLearner("loa6", [base], steps=2, settings=TdSettings(features="bing")), out=tmp_path)
    with pytest.raises(DamierError, match=r"it is the checkpoint of a training, expected an evaluation"):
        Engine("loa6", eval=tmp_path / CHECKPOINT)
