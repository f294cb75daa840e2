"""Tables over regions of squares: the engine computes what the trainer computes, and training makes them better."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from common import refusal
from data_runs import self_played
from learners import check_cut_off, check_refusals, share_against_start
from parity import check_parity, random_positions

import damier
from damier import DamierError, Engine, Limit
from damier.eval import resolve
from damier.lab import PatternsLearner, PatternsSettings
from damier.lab.loader import Loader
from damier.lab.training import Training, train
from damier.patterns import FEATURES, ONE, Patterns, phase_shares, pieces_of, state_count
from damier.weights import Weights, read_weights

GAME = "english"
QUICK = PatternsSettings(windows="4x4/2x2", phases=2, least=2, epochs=5, batch_size=512, skip=0)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return self_played(GAME, tmp_path_factory, games=200, nodes=60, threads=2, eval="classic")


@pytest.fixture(scope="module")
def trained(base: Path, tmp_path_factory: pytest.TempPathFactory) -> Training:
    """A training that nothing disturbed."""
    return train(PatternsLearner(GAME, base, settings=QUICK), out=tmp_path_factory.mktemp("trained") / "run")


def random_tables(game: str, *, phases: int = 3, windows: str = "") -> Patterns:
    rng = np.random.default_rng(phases)
    states = rng.uniform(-0.3, 0.3, (state_count(damier.board(game), windows), phases))
    return Patterns.quantised(states, rng.uniform(-1, 1, phases), scale=150, windows=windows)


# The same numbers


@pytest.mark.parametrize(
    ("game", "windows"),
    [
        ("loa", ""),
        ("chess", ""),
        ("english", ""),
        ("international", ""),
        ("turkish", ""),
        ("frisian", "4x4/2x2,6x2/4x2"),
    ],
)
def test_the_engine_computes_what_the_trainer_computes(game: str, windows: str) -> None:
    boards, states = random_positions(game, 15, f"{FEATURES}:{windows}" if windows else FEATURES)
    assert len(boards) == len(states) > 500
    for phases in (1, 3):
        check_parity(random_tables(game, phases=phases, windows=windows), game, boards, states, distinct=50)


def test_pieces_in_no_region_count_too() -> None:
    """Some rows have windows: men on the others are worth what they are by their squares."""
    windows = "1x8/3x1"
    boards, states = random_positions("turkish", 5, f"{FEATURES}:{windows}")
    check_parity(random_tables("turkish", windows=windows), "turkish", boards, states, distinct=50)


def test_sides_are_alike_and_pieces_are_counted() -> None:
    board = damier.board(GAME, "W:W21,22,K30:B1,K5,12")
    turned = damier.board(GAME, "B:B12,11,K3:W32,K28,21")
    tables = random_tables(GAME)
    assert board.evaluate(tables.evaluator(board)) == turned.evaluate(tables.evaluator(board)) != 0
    assert pieces_of(board, random_positions(GAME, 5, FEATURES)[1])[0] == 24


def test_trained_tables_are_the_same_in_the_engine(base: Path, trained: Training) -> None:
    """The file, NumPy and the engine agree exactly, and the training within what rounding to whole numbers costs."""
    assert trained.path
    tables, board = Patterns.load(trained.path), damier.board(GAME)
    features = f"{FEATURES}:{QUICK.windows}"
    check_parity(tables, GAME, *random_positions(GAME, 20, features), distinct=50)
    (batch,) = Loader(
        GAME, base, features=features, epochs=1, held_out=True, in_check=False, tactical=False, max_score=2000
    )
    expected = 1 / (1 + np.exp(-tables.scores(board, batch.features) / tables.scale))
    searched = 1 / (1 + np.exp(-batch.score / tables.scale))
    aimed = np.where(np.isnan(batch.score), batch.result, 0.7 * searched + 0.3 * batch.result)
    assert float(((expected - aimed) ** 2).mean()) == pytest.approx(trained.last["mse"], rel=0.01)


def test_tables_are_saved_and_read(tmp_path: Path) -> None:
    board, path = damier.board("loa"), tmp_path / "tables.safetensors"
    tables = random_tables("loa", windows="2x4/2x2")
    tables.states[100:70_000:2] = 0  # are not in the file
    tables.save(path, "loa", provenance={"method": "by lot"})
    again = Patterns.load(path)
    assert np.array_equal(again.states, tables.states)
    assert (again.scale, again.calibration, again.windows) == (150, (0.0, 150.0), "2x4/2x2")
    for given in (again, path):
        assert board.evaluate(resolve(board, given)) == board.evaluate(resolve(board, tables))
    assert read_weights(path).metadata["method"] == "by lot"
    with Engine("loa", eval=path) as engine:
        assert engine.play(board, Limit(depth=3)).move in board.legal_moves


def test_phases_share_a_position() -> None:
    shares = phase_shares(np.arange(41), 4, 40)
    assert (shares.sum(axis=1) == 40).all()
    assert shares[0].tolist() == [40, 0, 0, 0]
    assert shares[20].tolist() == [0, 20, 20, 0]
    assert phase_shares(np.array([45]), 2, 40).tolist() == [[0, 40]]  # more than at the start


def test_terms_say_what_each_region_gives() -> None:
    board = damier.board(GAME, "W:W21,22,K30:B1,K5,12")
    evaluator = random_tables(GAME).evaluator(board)
    terms = {name: (white, black, total) for name, white, black, total in board.explain(evaluator)}
    assert {"man", "king", "counts of king", "turn"} < set(terms)
    assert sum(name.startswith("man on") for name in terms) == 13
    assert sum(total for *_, total in terms.values()) == pytest.approx(board.evaluate(evaluator), abs=1.01)


# Training


def test_training_makes_it_better(trained: Training) -> None:
    first, last = trained.metrics[0], trained.last
    assert last["loss"] < first["loss"]
    assert last["mse"] < 0.75 * first["mse"]
    assert last["r2"] > max(first["r2"], 0.1)
    assert share_against_start(trained, GAME, 40) > 0.6


def test_a_training_that_was_cut_off_ends_in_the_same_file(base: Path, trained: Training, tmp_path: Path) -> None:
    check_cut_off(trained, lambda: PatternsLearner(GAME, base, settings=QUICK), tmp_path / "run", 3)


def test_states_that_are_seldom_seen_weigh_nothing(base: Path) -> None:
    often, all_of_them = (
        PatternsLearner(GAME, base, settings=PatternsSettings(least=least, epochs=1)) for least in (100, 1)
    )
    assert often.measure()["states"] < 0.1 * all_of_them.measure()["states"]
    often.step(0)
    assert np.count_nonzero(often.learnt().states.any(axis=1)) <= often.measure()["states"]


# What is refused


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (PatternsSettings(phases=9), "phases is 9, expected 1 to 8"),
        (PatternsSettings(mix=1.5), "mix is 1.5, expected 0 to 1"),
        (PatternsSettings(windows="4x6"), "windows are '4x6', expected rows, columns and steps such as 4x6/2x2"),
        (PatternsSettings(windows="4x6/0x2"), "windows are '4x6/0x2', expected"),
        (PatternsSettings(windows=",".join(["3x3/1x1"] * 65)), "there are more than 64 windows"),
        (PatternsSettings(windows="8x4/1x1"), "have up to 16 squares, expected at most 12"),
        (PatternsSettings(windows="12x2/1x1"), "no window of '12x2/1x1' lies on the board"),
    ],
)
def test_settings_that_make_no_sense(settings: PatternsSettings, said: str, base: Path) -> None:
    with pytest.raises(DamierError, match=said):
        PatternsLearner(GAME, base, settings=settings)


def test_tables_that_do_not_fit(tmp_path: Path) -> None:
    board = damier.board("loa")
    with pytest.raises(DamierError, match="is not a finite number"):
        Patterns.quantised(np.full((16, 2), np.nan), np.zeros(2))
    with pytest.raises(DamierError, match="the tables have 32 numbers, expected"):
        Patterns.quantised(np.zeros((16, 2)), np.zeros(2)).evaluator(board)
    with pytest.raises(DamierError, match=r"shapes \[16\] and \[2\], expected \[states, phases\] and \[phases\]"):
        Patterns(np.zeros(16, np.int16), np.zeros(2, np.int16)).evaluator(board)
    with pytest.raises(DamierError, match="2 weights per state and 3 for the turn"):
        Patterns(np.zeros((16, 2), np.int16), np.zeros(3, np.int16)).evaluator(board)
    heavy = Patterns(np.full((state_count(board), 1), 20_000, np.int16), np.zeros(1, np.int16))
    with pytest.raises(DamierError, match="do not fit in 16 bits"):
        heavy.evaluator(board)
    Weights("loa", "linear", "pairs", {"weights": np.zeros(2)}).save(tmp_path / "linear.safetensors")
    with pytest.raises(DamierError, match="holds weights of kind linear, expected patterns"):
        Patterns.load(tmp_path / "linear.safetensors")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"states": np.array([-1], np.int16)}, "'states' has a step of -1 from state 0"),
        (
            {"states": np.full(20, 32767, np.int16), "weights": np.zeros((20, 1), np.int16)},
            "has a step of 32767 from state",
        ),
        ({"weights": np.zeros((2, 1), np.int16)}, "'weights' has the shape [2, 1], expected [1, 1]"),
        ({"turn": np.zeros((1, 1), np.int16)}, "'turn' the shape [1, 1], expected [states] and [phases]"),
        ({"turn": np.zeros(0, np.int16), "weights": np.zeros((1, 0), np.int16)}, "expected 1 to 8 phases"),
        ({"more": np.zeros(1, np.int16)}, "has 4 tensors, expected 3"),
        ({"scale": "0.5"}, "scale is '0.5', expected a whole number from 1 to 10000"),
        ({"windows": "3x3"}, "windows are '3x3', expected rows, columns and steps"),
        ({"windows": "2x2/1x1"}, "made for other features by the name of 'patterns'"),
    ],
)
def test_files_that_do_not_fit(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    game, path = "loa", tmp_path / "tables.safetensors"
    blank = Patterns.quantised(np.zeros((state_count(damier.board(game)), 1)), np.ones(1))
    blank.states[0] = ONE
    blank.save(path, game)
    held = read_weights(path)
    texts = {name: value for name, value in change.items() if isinstance(value, str)}
    arrays = {name: value for name, value in change.items() if not isinstance(value, str)}
    Weights(game, held.kind, held.features, {**held.tensors, **arrays}, {**held.metadata, **texts}).save(path)
    with pytest.raises(DamierError) as refused:
        damier.board(game).evaluator(str(path))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_damaged_file_or_one_of_another_game(trained: Training, tmp_path: Path) -> None:
    check_refusals(GAME, trained, Patterns.load, tmp_path)
    with pytest.raises(DamierError, match="holds weights for 'english', made for other features"):
        damier.board("international").evaluator(str(trained.path))


def test_the_command_says_what_is_wrong(base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["learn", "patterns", GAME, "--games", str(base), "--out", str(tmp_path / "run")]
    assert "windows are 'large'" in refusal(capsys, *asked, "--windows", "large")
