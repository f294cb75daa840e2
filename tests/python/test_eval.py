"""Evaluations of one's own: weights, networks and functions, alone and inside a search."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import numpy as np
import pytest
from common import walk

import damier
from damier import Engine, Limit, Side, chess, loa
from damier.eval import Layer, Linear, Network, resolve


def sample_boards() -> list[loa.Board]:
    return [board.copy() for board in walk(loa.Board(), 7, plies=60) if board.ply % 4 == 0 and not board.outcome()]  # type: ignore[misc]


def test_linear_is_a_dot_product() -> None:
    weights = np.random.default_rng(1).normal(0, 20, 8)
    for board in sample_boards():
        expected = float(board.features("quads").astype(float) @ weights)
        assert abs(board.evaluate(resolve(board, Linear("quads", weights))) - expected) <= 0.51
        assert sum(t[3] for t in board.explain(resolve(board, Linear("quads", weights)))) == pytest.approx(
            expected if board.turn == Side.WHITE else -expected
        )


@pytest.mark.parametrize("activation", ["tanh", "relu", "linear"])
@pytest.mark.parametrize("features", ["bing", "quads"])
def test_network_is_what_numpy_says(activation: str, features: str) -> None:
    chance = np.random.default_rng(2)
    inputs = len(loa.Board().feature_names(features))
    first = Layer(chance.normal(0, 0.1, (5, inputs)), chance.normal(0, 0.1, 5), activation)
    second = Layer(chance.normal(0, 0.5, (1, 5)), chance.normal(0, 0.1, 1), "tanh")
    net = Network(features, [first, second], scale=500)
    functions = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0), "linear": lambda x: x}
    for board in sample_boards():
        hidden = functions[activation](np.asarray(first.weights) @ board.features(features) + np.asarray(first.bias))
        out = float(np.tanh(np.asarray(second.weights) @ hidden + np.asarray(second.bias))[0])
        sign = -1 if features == "bing" and board.turn == Side.BLACK else 1
        assert abs(board.evaluate(resolve(board, net)) - sign * 500 * out) <= 0.6


def test_bing_shaped_network_is_saved_and_searched(tmp_path: Path) -> None:
    chance = np.random.default_rng(3)
    net = Network("bing", [Layer(chance.normal(0, 0.1, (2, 14)), activation="tanh"), Layer([[1.0, -1.0]])], name="mine")
    net.save(tmp_path / "net.safetensors", "loa")
    board = loa.Board()
    again = Network.load(tmp_path / "net.safetensors")
    assert again.name == "mine"
    assert board.evaluate(resolve(board, again)) == board.evaluate(resolve(board, net))
    with Engine("loa", eval=resolve(board, again)) as engine:
        assert engine.play(board, Limit(nodes=500)).move in board.legal_moves
    (tmp_path / "bad.safetensors").write_bytes(b"nothing")
    with pytest.raises(damier.DamierError, match=r"bad.safetensors: not a safetensors file"):
        Network.load(tmp_path / "bad.safetensors")


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([Layer(np.zeros((2, 13))), Layer(np.zeros((1, 2)))], r"layer 1 has the shape \[2, 13\], expected \[2, 14\]"),
        ([Layer(np.zeros((2, 14))), Layer(np.zeros((1, 3)))], r"layer 2 has the shape \[1, 3\], expected \[1, 2\]"),
        ([Layer(np.zeros((2, 14)))], r"layer 1 has the shape \[2, 14\], expected \[1, 14\]"),
        ([Layer(np.zeros((1, 14)), np.zeros(3))], "layer 1 needs 1 biases, got 3"),
        ([Layer(np.zeros((1, 14)), activation="relu6")], "'relu6' is not an activation"),
        ([Layer(np.full((1, 14), np.nan))], "not a finite number"),
        ([Layer(np.zeros(14))], "expected .outputs, inputs."),  # type: ignore[arg-type]
        ([], "has no layers"),
    ],
)
def test_networks_that_do_not_fit_are_refused(layers: list[Layer], message: str) -> None:
    with pytest.raises(damier.DamierError, match=message) as refused:
        resolve(loa.Board(), Network("bing", layers, name="odd"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("evaluation", "message"),
    [
        (Linear("quads", [1.0, 2.0]), "features quads need 8 weights, got 2"),
        (Linear("quads", {"wings": 1.0}), "'wings' is not a feature of quads, expected euler, "),
        (Linear("quads", [float("inf")] * 8), "not a finite number"),
        (Linear("quads", ["x"] * 8), "a weight is not a number"),  # type: ignore[list-item]
        (Linear("pawns", [1.0]), "'pawns' is not a feature set of this game"),
        (3, "int is not an evaluation"),
    ],
)
def test_bad_evaluations_are_one_line(evaluation: object, message: str) -> None:
    with pytest.raises(damier.DamierError, match=message) as refused:
        resolve(loa.Board(), evaluation)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)


def test_function_is_asked_for_the_side_to_move() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/Q3K3 b - - 0 1")

    def queens(seen: chess.Board) -> float:
        assert isinstance(seen, chess.Board)
        mine, theirs = ("Q", "q") if seen.turn == Side.WHITE else ("q", "Q")
        held = list(seen.pieces().values())
        return 900.0 * (held.count(mine) - held.count(theirs))

    assert board.evaluate(resolve(board, queens)) == -900
    with Engine("chess", eval=resolve(board, queens), threads=2) as engine:
        info = engine.analyse(chess.Board("4k3/8/8/8/8/3q4/4P3/4K3 w - - 0 1"), Limit(depth=3))
    assert str(info.pv[0]) == "e2d3"


def test_function_that_fails_is_reported_after_the_search() -> None:
    class OopsError(Exception):
        pass

    calls, patience = [], [20]

    def fails(board: chess.Board) -> float:
        calls.append(threading.get_ident())
        if len(calls) > patience[0]:
            raise OopsError("after twenty")
        return 0.0

    board = chess.Board()
    with Engine("chess", eval=resolve(board, fails), threads=2) as engine:
        with pytest.raises(OopsError, match="after twenty"):
            engine.play(board, Limit(nodes=2000))
        patience[0] = 10**9
        assert engine.play(board, Limit(depth=1)).move in board.legal_moves  # it goes on with the next search
    with pytest.raises(damier.DamierError, match="must return a number"):
        board.evaluate(resolve(board, lambda _: "much"))  # type: ignore[arg-type,return-value]
    gc.collect()


@pytest.mark.parametrize(
    "evaluation",
    [
        Network("bing", [Layer(np.full((9, 14), 1e30)), Layer(np.full((1, 9), 1e30))]),
        Network("bing", [Layer(np.zeros((1, 14)))], scale=float("inf")),
        Linear("bing", [1e305] * 14),
    ],
)
def test_weights_that_could_overflow_are_refused(evaluation: Linear | Network) -> None:
    with pytest.raises(damier.DamierError, match=r"too large|not a finite number"):
        resolve(loa.Board(), evaluation)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_function_must_return_a_finite_number(value: float) -> None:
    board = chess.Board()
    with pytest.raises(damier.DamierError, match="an evaluation must return a finite number, got"):
        board.evaluate(resolve(board, lambda _: value))


def test_an_evaluation_belongs_to_its_game() -> None:
    quads = resolve(loa.Board(), "quads")
    with pytest.raises(damier.DamierError, match="belongs to another game"):
        chess.Board().evaluate(quads)


def test_an_evaluation_belongs_to_its_variant() -> None:
    russian, english = damier.board("russian"), damier.board("english")
    evaluations = {
        "classic": resolve(russian, "classic"),
        "paris": resolve(russian, "paris"),
        "linear": Linear("paris", [1, -1, 2, -2]).evaluator(russian),
        "function": resolve(russian, lambda _: 1.0),
    }
    for evaluation in evaluations.values():
        russian.evaluate(evaluation)
        with pytest.raises(damier.DamierError, match="belongs to another game"):
            english.evaluate(evaluation)
        with Engine("english", hash=1) as engine, pytest.raises(damier.DamierError, match="belongs to another game"):
            engine.eval = evaluation
