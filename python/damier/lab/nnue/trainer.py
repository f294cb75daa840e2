"""Training on samples: AdamW in batches, with all samples in the memory of the device."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from damier.lab.nnue.net import Floats, Net, NetShape
from damier.nnue import WEIGHT_BOUND
from damier.puct.network import import_torch

__all__ = ["Examples", "Trainer", "learning_rate"]

BETAS, EPSILON, DECAY = (0.9, 0.999), 1e-8, 0.01
LAST_RATE = 2e-6
CACHED = 2048  # positions whose gradients the CPU computes at a time: then most of it stays in its caches
WARM_UPS = 3  # updates before they are recorded

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Examples:
    """Inputs [n, 2, most], buckets [n], targets and results [n], as tensors on a device."""

    inputs: Any
    buckets: Any
    targets: Any
    results: Any

    @classmethod
    def on(cls, device: str, *arrays: Array) -> Examples:
        torch = import_torch()
        return cls(*(torch.from_numpy(array).to(device) for array in arrays))

    def __len__(self) -> int:
        return len(self.targets)


def learning_rate(update: int, updates: int, first: float) -> float:
    """The rate of an update among all updates: half a cosine.

    >>> learning_rate(0, 100, 1e-3), learning_rate(99, 100, 1e-3)
    (0.001, 2e-06)
    """
    last = min(first, LAST_RATE)
    share = update / max(1, updates - 1)
    return last + (first - last) * (1 + math.cos(math.pi * share)) / 2


class Trainer:
    """Networks that start from a vector of weights, and the state of AdamW.

    On a GPU the updates are recorded once as a CUDA graph and then replayed, if that works.
    """

    def __init__(
        self,
        shape: NetShape,
        vector: Floats,
        examples: Examples,
        *,
        batch: int,
        most_updates: int,
        power: float = 2.0,
        device: str = "cpu",
        record: bool = True,
    ) -> None:
        self._torch = torch = import_torch()
        self._net, self._examples, self._power, self._device = Net(shape), examples, power, device
        self._weights = torch.from_numpy(vector.copy()).to(device).requires_grad_()
        self._means, self._squares = (torch.zeros(shape.size, device=device) for _ in range(2))
        self._sums = torch.zeros(shape.nets, device=device)  # of losses
        # The updates of a step, and which of them is next: on the device, since a graph cannot be told anything.
        self._rows = torch.zeros(most_updates, batch, dtype=torch.int64, device=device)
        self._rates = torch.zeros(most_updates, 3, device=device)
        self._next = torch.zeros(1, dtype=torch.int64, device=device)
        self._chunk = CACHED if device == "cpu" else batch
        if device == "cuda":
            torch.set_float32_matmul_precision("high")
        self._record = record and device == "cuda"
        self._graph: Any = None

    def train(self, rows: Any, first: int, updates: int, rate: float) -> list[float]:
        """Make an update for each of the `rows` (numbers of examples), the first being number `first` of so many
        `updates`; return the mean loss of each network."""
        count, torch = len(rows), self._torch
        numbers = range(first, first + count)
        rates = [
            (learning_rate(number, updates, rate), *(1 - beta ** (number + 1) for beta in BETAS)) for number in numbers
        ]
        if self._record:
            self._graph, self._record = self._recorded(), False
        self._rows[:count] = rows
        self._rates[:count] = torch.tensor(rates)
        self._next.zero_()
        self._sums.zero_()
        for _ in range(count):
            if self._graph:
                self._graph.replay()
            else:
                self._update()
        losses: list[float] = (self._sums / count).tolist()
        return losses

    def measure(self, examples: Examples, size: int = 1 << 15) -> tuple[list[float], list[float]]:
        """The mean loss of each network on other examples, and the mean square of how far it is from results."""
        torch = self._torch
        sums = torch.zeros(2, self._net.shape.nets, device=self._device)
        with torch.no_grad():
            for start in range(0, len(examples), self._chunk if self._device == "cpu" else size):
                chosen = slice(start, start + (self._chunk if self._device == "cpu" else size))
                expected = self._expected(examples.inputs[chosen], examples.buckets[chosen])
                sums[0] += self._errors(expected - examples.targets[chosen]).sum(1)
                sums[1] += (expected - examples.results[chosen]).square().sum(1)
        losses, squares = (sums / len(examples)).tolist()
        return losses, squares

    def _expected(self, inputs: Any, buckets: Any) -> Any:
        return self._torch.sigmoid(self._net(self._weights, inputs, buckets))

    def _errors(self, differences: Any) -> Any:
        return differences.square() if self._power == 2 else differences.abs().pow(self._power)

    def _update(self) -> None:
        """The next update of AdamW. All that differs between two of them is on the device."""
        torch = self._torch
        rows = self._rows.index_select(0, self._next)[0]
        rate, *corrections = self._rates.index_select(0, self._next)[0]
        gradient = None
        for chosen in rows.split(self._chunk):
            examples = self._examples
            expected = self._expected(examples.inputs[chosen], examples.buckets[chosen])
            losses = self._errors(expected - examples.targets[chosen]).sum(1) / len(rows)
            (part,) = torch.autograd.grad(losses.sum(), self._weights)
            gradient = part if gradient is None else gradient.add_(part)
            self._sums += losses.detach()
        with torch.no_grad():
            self._means.lerp_(gradient, 1 - BETAS[0])
            self._squares.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
            step = (self._means / corrections[0]) / ((self._squares / corrections[1]).sqrt() + EPSILON)
            self._weights.sub_(rate * (step + DECAY * self._weights)).clamp_(-WEIGHT_BOUND, WEIGHT_BOUND)
        self._next += 1

    def _recorded(self) -> Any:
        """An update as a CUDA graph, which saves the time to launch each kernel; None if that fails."""
        torch, before = self._torch, self.state()
        try:
            aside = torch.cuda.Stream()
            aside.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(aside):
                for _ in range(WARM_UPS):
                    self._next.zero_()
                    self._rates.fill_(0.5)
                    self._update()
            torch.cuda.current_stream().wait_stream(aside)
            self._next.zero_()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self._update()
        except RuntimeError:
            graph = None
        self.restore(before)
        return graph

    def state(self) -> dict[str, Floats]:
        """The weights, and the state of the optimiser."""
        tensors = {"weights": self._weights, "means": self._means, "squares": self._squares}
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from what `state` gave; ValueError if it is of another network."""
        torch = self._torch
        tensors = {"weights": self._weights, "means": self._means, "squares": self._squares}
        for name, tensor in tensors.items():
            if state[name].shape != tuple(tensor.shape):
                raise ValueError(f"it has {state[name].size} {name}, expected {tensor.numel()}")
        with torch.no_grad():
            for name, tensor in tensors.items():
                tensor.copy_(torch.from_numpy(np.array(state[name], np.float32)))
