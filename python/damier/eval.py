"""Evaluations of your own: weights over features, small networks, files of either, or a Python function.

Features are computed in C++; the names of a game's sets are `board.feature_sets()`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, Evaluator
from damier.board import Board
from damier.nnue import Nnue
from damier.patterns import Patterns
from damier.weights import Weights, evaluation_path, features_hash, read_weights

__all__ = ["Evaluation", "Layer", "Linear", "Network", "Nnue", "Patterns", "feature_names", "feature_set", "resolve"]


def feature_names(board: Board, name: str) -> list[str]:
    """What each number of a feature set is.

    >>> from damier import draughts
    >>> feature_names(draughts.Board(variant="paris"), "paris")
    ['own pieces', 'enemy pieces', 'own kings', 'enemy kings']
    """
    return board.feature_names(name)


def feature_set(game: str, name: str = "") -> str:
    """The name of a feature set of a game, its first by default.

    >>> feature_set("loa"), feature_set("loa", "quads")
    ('bing', 'quads')
    """
    board = games.board(game)
    sets = board.feature_sets()
    if not sets:
        raise DamierError(f"{game} has no feature sets to learn weights for")
    board.feature_names(name or sets[0])  # refuses one that is not there
    return name or sets[0]


@dataclass(frozen=True, eq=False)
class Linear:
    """A weighted sum of features, in hundredths of a man; weights in order, or by the names of the features.

    >>> from damier import draughts
    >>> board = draughts.Board(variant="english")
    >>> men = Linear("paris", {"own pieces": 100, "enemy pieces": -90})
    >>> board.evaluate(resolve(board, men))
    120
    """

    features: str
    weights: Sequence[float] | npt.NDArray[np.generic] | Mapping[str, float]
    name: str = "linear"
    calibration: tuple[float, float] = (0.0, 150.0)

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        numbers = _numbers(self._in_order(board), self.name).tolist()
        return board.linear_evaluator(self.name, self.features, numbers, *self.calibration)

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the weights as a file (.safetensors), for a game; provenance says how they were made."""
        board = games.board(game)
        self.evaluator(board)  # refuses what does not fit
        numbers = _numbers(self._in_order(board), self.name)
        metadata = {**(provenance or {}), **_metadata(self, game)}
        Weights(game, "linear", self.features, {"weights": numbers}, metadata).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Linear:
        """Read what `save` wrote.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Linear("quads", [1, 2, 3, 4, 5, 6, 7, 8]).save(f"{folder}/mine.safetensors", "loa")
        ...     Linear.load(f"{folder}/mine.safetensors").weights.tolist()
        [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        """
        file = read_weights(path, "linear")
        evaluator = games.board(file.game).evaluator(evaluation_path(path))  # which checks all of it
        return cls(file.features, file.tensors["weights"], file.metadata.get("name", "linear"), evaluator.calibration)

    def _in_order(self, board: Board) -> Sequence[float] | npt.NDArray[np.generic]:
        """The weights in the order of the features."""
        if not isinstance(self.weights, Mapping):
            return self.weights
        names = board.feature_names(self.features)
        if unknown := [name for name in self.weights if name not in names]:
            raise DamierError(f"{unknown[0]!r} is not a feature of {self.features}, expected {', '.join(names)}")
        return [self.weights.get(name, 0.0) for name in names]


@dataclass(frozen=True, eq=False)
class Layer:
    """A dense layer: weights [outputs, inputs], one bias per output, and `tanh`, `relu` or `linear`."""

    weights: npt.NDArray[np.generic] | Sequence[Sequence[float]]
    bias: npt.NDArray[np.generic] | Sequence[float] | None = None
    activation: str = "linear"

    def arrays(self, name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], str]:
        """Weights and biases as the core takes them."""
        try:
            weights = np.ascontiguousarray(self.weights, np.float32)
            bias = np.ascontiguousarray(np.zeros(len(weights)) if self.bias is None else self.bias, np.float32)
        except (TypeError, ValueError):
            raise DamierError(f"network {name}: a layer holds something that is not a number") from None
        if weights.ndim != 2 or bias.ndim != 1:
            raise DamierError(
                f"network {name}: a layer has weights of shape {list(weights.shape)} and biases of shape "
                f"{list(bias.shape)}, expected [outputs, inputs] and [outputs]"
            )
        return weights, bias, self.activation


@dataclass(frozen=True, eq=False)
class Network:
    """A small dense network over features; the score is `scale` times its only output.

    With `both_sides` it evaluates the position from both sides, and the score is the difference.

    >>> from damier import loa
    >>> net = Network("bing", [Layer(np.zeros((2, 14)), activation="tanh"), Layer(np.ones((1, 2)), [0.5])])
    >>> board = loa.Board()
    >>> board.evaluate(resolve(board, net))  # seen by White, and Black is to move
    -50
    """

    features: str
    layers: Sequence[Layer]
    name: str = "network"
    scale: float = 100.0
    calibration: tuple[float, float] = (0.0, 150.0)
    both_sides: bool = False

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        layers = [layer.arrays(self.name) for layer in self.layers]
        return board.network_evaluator(self.name, self.features, layers, self.scale, *self.calibration, self.both_sides)

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the network as a file of weights (.safetensors), for a game; provenance says how it was made."""
        self.evaluator(games.board(game))  # refuses what does not fit
        tensors: dict[str, npt.NDArray[np.generic]] = {}
        for number, layer in enumerate(self.layers):
            weights, bias, _ = layer.arrays(self.name)
            tensors |= {f"layers.{number}.weights": weights, f"layers.{number}.bias": bias}
        metadata = {
            **(provenance or {}),
            **_metadata(self, game),
            "activations": " ".join(layer.activation for layer in self.layers),
            "scale": repr(float(self.scale)),
            **({"sides": "both"} if self.both_sides else {}),
        }
        Weights(game, "network", self.features, tensors, metadata).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Network:
        """Read what `save` wrote.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Network("quads", [Layer([[1.0] * 8])], name="sum").save(f"{folder}/sum.safetensors", "loa")
        ...     Network.load(f"{folder}/sum.safetensors").name
        'sum'
        """
        file = read_weights(path, "network")
        board = games.board(file.game)
        evaluator = board.evaluator(evaluation_path(path))  # which checks all of it
        layers = [
            Layer(file.tensors[f"layers.{number}.weights"], file.tensors[f"layers.{number}.bias"], activation)
            for number, activation in enumerate(file.metadata["activations"].split())
        ]
        name, scale = file.metadata.get("name", "network"), float(file.metadata["scale"])
        return cls(file.features, layers, name, scale, evaluator.calibration, "sides" in file.metadata)


Evaluation: TypeAlias = str | os.PathLike[str] | Linear | Network | Nnue | Patterns | Evaluator | Callable[[Any], float]


def resolve(board: Board, eval: Evaluation) -> Evaluator:
    """Make an evaluation for a board's game out of a name, a file, weights, a network or a Python function.

    A file holds weights, as written by `damier learn classic`; a name with a dot or a slash is its path.
    A function gets a board and returns a score for the side to move, in hundredths of a man. It is called for every
    position a search looks at, from its threads: a thousand times slower than the others, but fine for trying an idea.
    An exception in it is raised again once the search is over.

    >>> from damier import chess
    >>> board = chess.Board()
    >>> board.evaluate(resolve(board, lambda board: 2.0 * len(board.legal_moves)))
    40
    """
    if isinstance(eval, Evaluator):
        return eval
    if isinstance(eval, str):
        return board.evaluator(eval)
    if isinstance(eval, os.PathLike):
        return board.evaluator(evaluation_path(eval))
    if isinstance(eval, Linear | Network | Nnue | Patterns):
        return eval.evaluator(board)
    if callable(eval):
        return board.function_evaluator(getattr(eval, "__name__", "function"), eval)
    kind = type(eval).__name__
    raise DamierError(
        f"{kind} is not an evaluation, expected a name, a path, Linear, Network, Nnue, Patterns or a function"
    )


def _numbers(weights: object, name: str) -> npt.NDArray[np.float64]:
    try:
        numbers = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise DamierError(f"{name}: a weight is not a number") from None
    if numbers.ndim != 1:
        raise DamierError(f"{name}: weights of shape {list(numbers.shape)}, expected one row")
    return numbers


def _metadata(made: Linear | Network, game: str) -> dict[str, str]:
    """The metadata of every file of weights over features."""
    return {
        "name": made.name,
        "calibration": " ".join(repr(float(number)) for number in made.calibration),
        "features_sha256": features_hash(games.board(game).feature_names(made.features)),
    }
