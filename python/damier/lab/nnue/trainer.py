"""Training on samples in memory: AdamW in batches, whose gradients the core computes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from damier import _core
from damier.lab.nnue.net import LAYERS, Floats, NetShape
from damier.nnue import WEIGHT_BOUND
from damier.puct.network import chosen_device
from damier.weights import Array

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["BETAS", "DECAY", "EPSILON", "CpuTrainer", "Examples", "Trainer", "learning_rate", "training_device"]

BETAS, EPSILON, DECAY = (0.9, 0.999), 1e-8, 0.01
LAST_RATE = 2e-6

Rows: TypeAlias = "npt.NDArray[np.int64] | Tensor"  # numbers of examples, where the trainer works


@dataclass(frozen=True)
class Examples:
    """Inputs [n, 2, most], buckets, targets and results [n]."""

    inputs: npt.NDArray[np.int16]
    buckets: npt.NDArray[np.uint8]
    targets: Floats
    results: Floats

    def __len__(self) -> int:
        return len(self.targets)


class Trainer(Protocol):
    """Networks that start from a vector of weights, the state of AdamW, and the examples it learns from and is measured
    on."""

    def order(self, size: int, seed: int) -> Rows:
        """The numbers below `size` in random order."""

    def train(self, batches: Sequence[Rows], first: int, updates: int, rate: float) -> list[float]:
        """Make an update for each of the `batches` (numbers of examples), the first being number `first` of so many
        `updates`; return the mean loss of each network."""

    def measure(self) -> tuple[list[float], list[float]]:
        """The mean loss of each network on the examples held out, and the mean square of how far it is from results."""

    def state(self) -> dict[str, Floats]:
        """The weights, and the state of the optimiser."""

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from what `state` gave; ValueError if it is of another network."""


def learning_rate(update: int, updates: int, first: float) -> float:
    """The rate of an update among all updates: half a cosine.

    >>> learning_rate(0, 100, 1e-3), learning_rate(99, 100, 1e-3)
    (0.001, 2e-06)
    """
    last = min(first, LAST_RATE)
    share = update / max(1, updates - 1)
    return last + (first - last) * (1 + math.cos(math.pi * share)) / 2


def training_device(device: str) -> str:
    """The device that a name stands for: a CPU needs no PyTorch.

    >>> training_device("cpu")
    'cpu'
    """
    return "cpu" if device == "auto" and find_spec("torch") is None else chosen_device(device)


class CpuTrainer:
    """A trainer without PyTorch. Sums on several threads differ from those on one in their last bits."""

    def __init__(
        self, shape: NetShape, vector: Floats, examples: Examples, held_out: Examples, *, power: float, threads: int
    ) -> None:
        self._shape, self._examples, self._held_out = shape, examples, held_out
        self._power, self._threads = power, threads
        self._weights = vector.copy()
        self._means, self._squares, self._gradient = (np.zeros_like(vector) for _ in range(3))

    def order(self, size: int, seed: int) -> npt.NDArray[np.int64]:
        return np.random.default_rng(seed).permutation(size)

    def train(self, batches: Sequence[npt.NDArray[np.int64]], first: int, updates: int, rate: float) -> list[float]:
        losses = np.zeros(self._shape.nets)
        for number, rows in enumerate(batches, first):
            losses += self._add_gradient(rows) / len(rows)
            self._update(learning_rate(number, updates, rate), number + 1)
        mean: list[float] = (losses / len(batches)).tolist()
        return mean

    def measure(self) -> tuple[list[float], list[float]]:
        examples = self._held_out
        outputs = _core.nnue_outputs(
            self._layers(), _given(examples), np.arange(len(examples)), threads=self._threads
        ).astype(np.float64)
        expected = 1 / (1 + np.exp(-outputs))
        losses = (np.abs(expected - examples.targets[:, None]) ** self._power).mean(0)
        squares = ((expected - examples.results[:, None]) ** 2).mean(0)
        return losses.tolist(), squares.tolist()

    def state(self) -> dict[str, Floats]:
        return {name: vector.copy() for name, vector in self._vectors().items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, vector in self._vectors().items():
            if state[name].shape != vector.shape:
                raise ValueError(f"it has {state[name].size} {name}, expected {vector.size}")
        for name, vector in self._vectors().items():
            vector[:] = state[name]

    def _vectors(self) -> dict[str, Floats]:
        return {"weights": self._weights, "means": self._means, "squares": self._squares}

    def _layers(self) -> tuple[Floats, ...]:
        arrays = self._shape.cut(self._weights)
        return tuple(self._shape.input_weights(arrays) if name == LAYERS[0] else arrays[name] for name in LAYERS)

    def _add_gradient(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The losses; their gradient is then in `_gradient`."""
        self._gradient.fill(0)
        to = self._shape.cut(self._gradient)
        losses = _core.nnue_gradient(
            self._layers(),
            _given(self._examples),
            rows,
            tuple(to[name] for name in LAYERS),
            power=self._power,
            threads=self._threads,
        )
        self._shape.share_gradient(to)
        return losses

    def _update(self, rate: float, number: int) -> None:
        """Update `number` of AdamW, from 1."""
        gradient, means, squares = self._gradient, self._means, self._squares
        means += (1 - BETAS[0]) * (gradient - means)
        squares *= BETAS[1]
        squares += (1 - BETAS[1]) * gradient * gradient
        first, second = (1 - beta**number for beta in BETAS)
        step = means / np.float32(first) / (np.sqrt(squares / np.float32(second)) + np.float32(EPSILON))
        self._weights -= np.float32(rate) * (step + np.float32(DECAY) * self._weights)
        np.clip(self._weights, -WEIGHT_BOUND, WEIGHT_BOUND, out=self._weights)


def _given(examples: Examples) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint8], Floats]:
    return examples.inputs, examples.buckets, examples.targets
