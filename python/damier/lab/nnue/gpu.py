"""Training on a GPU by PyTorch, with all samples in its memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from damier.lab.nnue.net import Floats, NetShape
from damier.lab.nnue.trainer import BETAS, DECAY, EPSILON, Examples, learning_rate
from damier.nnue import WEIGHT_BOUND
from damier.puct.network import import_torch
from damier.weights import Array

if TYPE_CHECKING:
    from torch import Tensor
    from torch.cuda import CUDAGraph

__all__ = ["GpuTrainer", "Net"]

WARM_UPS = 3  # updates before they are recorded
MEASURED = 1 << 15  # positions at a time
ALIGNED = 8  # rows of the first layer come in multiples of it, for fast products


class Net:
    """Computes outputs of networks, the logits of expected results, from their vector of weights."""

    def __init__(self, shape: NetShape) -> None:
        self.shape, self._torch = shape, import_torch()
        self._rows = (shape.inputs // ALIGNED + 1) * ALIGNED  # one at least for places that are not used

    def __call__(self, vector: Tensor, inputs: Tensor, buckets: Tensor) -> Tensor:
        """The outputs [nets, n] for the inputs [n, 2, most] and the buckets [n]."""
        torch, shape, n = self._torch, self.shape, len(inputs)
        arrays = shape.cut(vector)
        wide = shape.input_weights(arrays).reshape(shape.inputs, -1)
        weights = torch.nn.functional.pad(wide, (0, 0, 0, self._rows - shape.inputs))
        # A product with zeros and ones is faster than adding rows.
        given = torch.zeros(2 * n, self._rows, device=weights.device)
        sums = given.scatter_(1, inputs.reshape(2 * n, -1).long(), 1.0) @ weights + arrays["input_bias"].reshape(-1)
        active = sums.clamp(0, 1).square().reshape(n, 2, shape.nets, shape.hidden)
        seen = active.permute(2, 0, 1, 3).reshape(shape.nets, n, 2 * shape.hidden)
        outputs = torch.baddbmm(arrays["output_bias"][:, None], seen, arrays["output_weights"].transpose(1, 2))
        chosen = buckets.long().expand(shape.nets, n)
        return outputs.gather(2, chosen[..., None])[..., 0]


class GpuTrainer:
    """A trainer whose updates are recorded once as a CUDA graph and then replayed, if that works."""

    def __init__(
        self,
        shape: NetShape,
        vector: Floats,
        examples: Examples,
        held_out: Examples,
        *,
        batch: int,
        most_updates: int,
        power: float = 2.0,
        device: str = "cuda",
        record: bool = True,
    ) -> None:
        self._torch = torch = import_torch()
        self._net, self._power, self._device = Net(shape), power, device
        self._examples, self._held_out = self._placed(examples), self._placed(held_out)
        self._weights = torch.from_numpy(vector.copy()).to(device).requires_grad_()
        self._means, self._squares = (torch.zeros(shape.size, device=device) for _ in range(2))
        self._sums = torch.zeros(shape.nets, device=device)  # of losses
        # The updates of a step, and which of them is next: on the device, since a graph cannot be told anything.
        self._rows = torch.zeros(most_updates, batch, dtype=torch.int64, device=device)
        self._rates = torch.zeros(most_updates, 3, device=device)
        self._next = torch.zeros(1, dtype=torch.int64, device=device)
        torch.set_float32_matmul_precision("high")
        self._record = record
        self._graph: CUDAGraph | None = None

    def order(self, size: int, seed: int) -> Tensor:
        chooser = self._torch.Generator(self._device).manual_seed(seed >> 1)
        return self._torch.randperm(size, generator=chooser, device=self._device)

    def train(self, batches: Sequence[Tensor], first: int, updates: int, rate: float) -> list[float]:
        count, torch = len(batches), self._torch
        numbers = range(first, first + count)
        rates = [
            (learning_rate(number, updates, rate), *(1 - beta ** (number + 1) for beta in BETAS)) for number in numbers
        ]
        if self._record:
            self._graph, self._record = self._recorded(), False
        self._rows[:count] = torch.stack(tuple(batches))
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

    def measure(self) -> tuple[list[float], list[float]]:
        torch, (inputs, buckets, targets, results) = self._torch, self._held_out
        sums = torch.zeros(2, self._net.shape.nets, device=self._device)
        with torch.no_grad():
            for start in range(0, len(targets), MEASURED):
                chosen = slice(start, start + MEASURED)
                expected = self._expected(inputs[chosen], buckets[chosen])
                sums[0] += self._errors(expected - targets[chosen]).sum(1)
                sums[1] += (expected - results[chosen]).square().sum(1)
        losses, squares = (sums / len(targets)).tolist()
        return losses, squares

    def state(self) -> dict[str, Floats]:
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._tensors().items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name, tensor in self._tensors().items():
            if state[name].shape != tuple(tensor.shape):
                raise ValueError(f"it has {state[name].size} {name}, expected {tensor.numel()}")
        with self._torch.no_grad():
            for name, tensor in self._tensors().items():
                tensor.copy_(self._torch.from_numpy(np.array(state[name], np.float32)))

    def _tensors(self) -> dict[str, Tensor]:
        return {"weights": self._weights, "means": self._means, "squares": self._squares}

    def _placed(self, examples: Examples) -> tuple[Tensor, ...]:
        arrays = (examples.inputs, examples.buckets, examples.targets, examples.results)
        return tuple(self._torch.from_numpy(array).to(self._device) for array in arrays)

    def _expected(self, inputs: Tensor, buckets: Tensor) -> Tensor:
        return self._torch.sigmoid(self._net(self._weights, inputs, buckets))

    def _errors(self, differences: Tensor) -> Tensor:
        return differences.square() if self._power == 2 else differences.abs().pow(self._power)

    def _update(self) -> None:
        """The next update of AdamW. All that differs between two of them is on the device."""
        torch, (inputs, buckets, targets, _) = self._torch, self._examples
        rows = self._rows.index_select(0, self._next)[0]
        rate, *corrections = self._rates.index_select(0, self._next)[0]
        losses = self._errors(self._expected(inputs[rows], buckets[rows]) - targets[rows]).sum(1) / len(rows)
        (gradient,) = torch.autograd.grad(losses.sum(), self._weights)
        self._sums += losses.detach()
        with torch.no_grad():
            self._means.lerp_(gradient, 1 - BETAS[0])
            self._squares.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
            step = (self._means / corrections[0]) / ((self._squares / corrections[1]).sqrt() + EPSILON)
            self._weights.sub_(rate * (step + DECAY * self._weights)).clamp_(-WEIGHT_BOUND, WEIGHT_BOUND)
        self._next += 1

    def _recorded(self) -> CUDAGraph | None:
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
