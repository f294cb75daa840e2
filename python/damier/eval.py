"""Evaluations of your own: weights over features, small networks, or a Python function.

Features are computed in C++; the names of a game's sets are `board.feature_sets()`.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from damier._core import DamierError, Evaluator
from damier.board import Board

__all__ = ["Evaluation", "Layer", "Linear", "Network", "feature_names", "resolve"]


def feature_names(board: Board, name: str) -> list[str]:
    """What each number of a feature set is.

    >>> from damier import draughts
    >>> feature_names(draughts.Board(variant="paris"), "paris")
    ['own pieces', 'enemy pieces', 'own kings', 'enemy kings']
    """
    return board.feature_names(name)


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
    weights: Sequence[float] | npt.NDArray[Any] | Mapping[str, float]
    name: str = "linear"
    calibration: tuple[float, float] = (0.0, 150.0)

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        weights = self.weights
        if isinstance(weights, Mapping):
            names = board.feature_names(self.features)
            if unknown := [name for name in weights if name not in names]:
                raise DamierError(f"{unknown[0]!r} is not a feature of {self.features}, expected {', '.join(names)}")
            weights = [weights.get(name, 0.0) for name in names]
        numbers = _numbers(weights, self.name).tolist()
        return board.linear_evaluator(self.name, self.features, numbers, *self.calibration)


@dataclass(frozen=True, eq=False)
class Layer:
    """A dense layer: weights [outputs, inputs], a bias an output, and `tanh`, `relu` or `linear`."""

    weights: npt.NDArray[Any] | Sequence[Sequence[float]]
    bias: npt.NDArray[Any] | Sequence[float] | None = None
    activation: str = "linear"

    def arrays(self, name: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], str]:
        """Weights and biases as the core takes them."""
        try:
            weights = np.ascontiguousarray(self.weights, np.float32)
            bias = np.ascontiguousarray(np.zeros(len(weights)) if self.bias is None else self.bias, np.float32)
        except (TypeError, ValueError):
            raise DamierError(f"network {name}: a layer holds something that is no number") from None
        if weights.ndim != 2 or bias.ndim != 1:
            raise DamierError(
                f"network {name}: a layer has weights of shape {list(weights.shape)} and biases of shape "
                f"{list(bias.shape)}, expected [outputs, inputs] and [outputs]"
            )
        return weights, bias, self.activation


@dataclass(frozen=True, eq=False)
class Network:
    """A small dense network over features; the score is `scale` times its only output.

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

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        layers = [layer.arrays(self.name) for layer in self.layers]
        return board.network_evaluator(self.name, self.features, layers, self.scale, *self.calibration)

    def save(self, path: str | Path) -> None:
        """Write the network as a numpy archive (.npz), with what it takes to use it."""
        path = Path(path)
        arrays: dict[str, Any] = {"features": self.features, "name": self.name, "scale": self.scale}
        arrays["calibration"] = np.array(self.calibration)
        for number, layer in enumerate(self.layers):
            weights, bias, activation = layer.arrays(self.name)
            arrays |= {f"weights{number}": weights, f"bias{number}": bias, f"activation{number}": activation}
        whole = path.with_name(f".{path.name}.writing")
        with whole.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)
        whole.replace(path)  # so that a file by this name is always a whole one

    @classmethod
    def load(cls, path: str | Path) -> Network:
        """Read what `save` wrote.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Network("quads", [Layer([[1.0] * 8])], name="sum").save(f"{folder}/sum.npz")
        ...     Network.load(f"{folder}/sum.npz").name
        'sum'
        """
        try:
            with np.load(path, allow_pickle=False) as held:
                count = sum(key.startswith("weights") for key in held)
                layers = [
                    Layer(held[f"weights{n}"], held[f"bias{n}"], str(held[f"activation{n}"])) for n in range(count)
                ]
                margin, spread = map(float, held["calibration"])
                return cls(str(held["features"]), layers, str(held["name"]), float(held["scale"]), (margin, spread))
        except (
            OSError,
            ValueError,
            LookupError,
            EOFError,
            TypeError,
            NotImplementedError,
            RuntimeError,
            zlib.error,
            BadZipFile,
        ) as error:
            raise DamierError(f"{path}: no network that damier wrote ({' '.join(str(error).split())})") from None


Evaluation: TypeAlias = str | Linear | Network | Evaluator | Callable[[Any], float]


def resolve(board: Board, eval: Evaluation) -> Evaluator:
    """Make an evaluation for a board's game out of a name, weights, a network or a Python function.

    A function gets a board and returns a score for the side to move, in hundredths of a man. It is called for every
    position a search looks at, from its threads: a thousand times slower than the others, but fine for trying an idea.
    What it raises is raised again once the search is over.

    >>> from damier import chess
    >>> board = chess.Board()
    >>> board.evaluate(resolve(board, lambda board: 2.0 * len(board.legal_moves)))
    40
    """
    if isinstance(eval, Evaluator):
        return eval
    if isinstance(eval, str):
        return board.evaluator(eval)
    if isinstance(eval, Linear | Network):
        return eval.evaluator(board)
    if callable(eval):
        return board.function_evaluator(getattr(eval, "__name__", "function"), eval)
    raise DamierError(f"{type(eval).__name__} is no evaluation, expected a name, Linear, Network or a function")


def _numbers(weights: Any, name: str) -> npt.NDArray[np.float64]:
    try:
        numbers = np.asarray(weights, np.float64)
    except (TypeError, ValueError):
        raise DamierError(f"{name}: a weight is no number") from None
    if numbers.ndim != 1:
        raise DamierError(f"{name}: weights of shape {list(numbers.shape)}, expected one row")
    return numbers
