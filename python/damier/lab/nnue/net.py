"""The network in real numbers, for PyTorch: several of them at once, each with its own random start.

All weights lie in one vector, so that an optimiser has one thing to change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from damier.nnue import INPUT_ONE, OUTPUT_ONE, Nnue
from damier.puct.network import import_torch

__all__ = ["Net", "NetShape"]

FIRST_WEIGHT, FIRST_BIAS = 0.05, 0.2  # larger ones leave neurons beyond 0 and 1, where they learn nothing
MANY_INPUTS = 512
ALIGNED = 8  # rows of the first layer come in multiples of it, for fast products

ONES = {  # the whole numbers that stand for 1 in the engine
    "input_weights": INPUT_ONE,
    "input_bias": INPUT_ONE,
    "output_weights": OUTPUT_ONE,
    "output_bias": INPUT_ONE * OUTPUT_ONE,
}

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class NetShape:
    """The size of a network, and how many are learnt at once."""

    inputs: int
    hidden: int
    buckets: int
    nets: int = 1
    king_buckets: int = 1

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """The arrays of all networks by name, in the order in which they lie in the vector."""
        by_king = {"shared_weights": (self.inputs // self.king_buckets, self.nets, self.hidden)}
        return {
            **(by_king if self.king_buckets > 1 else {}),
            "input_weights": (self.inputs, self.nets, self.hidden),
            "input_bias": (self.nets, self.hidden),
            "output_weights": (self.nets, self.buckets, 2 * self.hidden),
            "output_bias": (self.nets, self.buckets),
        }

    @property
    def size(self) -> int:
        """The number of weights of all networks."""
        return sum(map(math.prod, self.parts.values()))

    def cut(self, vector: Any) -> dict[str, Any]:
        """A vector of all weights (NumPy's or PyTorch's) as arrays by name."""
        found, start = {}, 0
        for name, shape in self.parts.items():
            found[name] = vector[start : start + math.prod(shape)].reshape(shape)
            start += math.prod(shape)
        return found

    def input_weights(self, arrays: Mapping[str, Any]) -> Any:
        """The weights of the inputs: those of each king bucket and what all buckets share, since a small one sees too
        few positions to learn everything by itself."""
        own = arrays["input_weights"]
        if self.king_buckets == 1:
            return own
        shared = arrays["shared_weights"]
        return (own.reshape(self.king_buckets, *shared.shape) + shared).reshape(own.shape)

    def random(self, seeds: Sequence[Sequence[int]]) -> Floats:
        """The vector of untrained networks, one for each seed."""
        vector = np.zeros(self.size, np.float32)
        arrays = self.cut(vector)
        for number, seed in enumerate(seeds):
            rng = np.random.default_rng(seed)
            first = arrays["shared_weights" if self.king_buckets > 1 else "input_weights"]
            first[:, number] = rng.normal(0, FIRST_WEIGHT, (len(first), self.hidden))
            arrays["input_bias"][number] = rng.uniform(0, FIRST_BIAS, self.hidden)
            arrays["output_weights"][number] = rng.normal(0, 1 / math.sqrt(2 * self.hidden), (1, 2 * self.hidden))
        return vector

    def vector_of(self, net: Nnue) -> Floats:
        """The vector of a network that the engine runs, which has this shape, or has it but for king buckets: then all
        buckets share its weights."""
        vector = np.zeros(self.size, np.float32)
        arrays = self.cut(vector)
        if len(net.input_weights) < self.inputs:
            arrays["input_weights"] = arrays["shared_weights"]
        for name, one in ONES.items():
            arrays[name].reshape(-1)[:] = (getattr(net, name) / one).reshape(-1)
        return vector

    def quantised(self, vector: Floats, number: int, *, scale: int) -> Nnue:
        """One of the networks, quantised for the engine."""
        arrays = self.cut(vector)
        return Nnue.quantised(
            self.input_weights(arrays)[:, number],
            arrays["input_bias"][number],
            arrays["output_weights"][number],
            arrays["output_bias"][number],
            scale=scale,
        )


class Net:
    """Computes outputs of networks, the logits of expected results, from their vector of weights."""

    def __init__(self, shape: NetShape) -> None:
        self.shape, self._torch = shape, import_torch()
        self._rows = (shape.inputs // ALIGNED + 1) * ALIGNED  # one at least for places that are not used

    def __call__(self, vector: Any, inputs: Any, buckets: Any) -> Any:
        """The outputs [nets, n] for the inputs [n, 2, most] and the buckets [n]."""
        torch, shape, n = self._torch, self.shape, len(inputs)
        arrays = shape.cut(vector)
        wide = shape.input_weights(arrays).reshape(shape.inputs, -1)
        weights = torch.nn.functional.pad(wide, (0, 0, 0, self._rows - shape.inputs))
        sums = self._sums(inputs.reshape(2 * n, -1), weights) + arrays["input_bias"].reshape(-1)
        active = sums.clamp(0, 1).square().reshape(n, 2, shape.nets, shape.hidden)
        seen = active.permute(2, 0, 1, 3).reshape(shape.nets, n, 2 * shape.hidden)
        outputs = torch.baddbmm(arrays["output_bias"][:, None], seen, arrays["output_weights"].transpose(1, 2))
        chosen = buckets.long().expand(shape.nets, n)
        return outputs.gather(2, chosen[..., None])[..., 0]

    def _sums(self, inputs: Any, weights: Any) -> Any:
        """The sums of the rows of active inputs. A product with zeros and ones is faster than adding rows, on a GPU and
        also on a CPU unless there are many inputs."""
        torch = self._torch
        if self.shape.inputs > MANY_INPUTS and weights.device.type == "cpu":
            return torch.nn.functional.embedding_bag(inputs.int(), weights, mode="sum")
        given = torch.zeros(len(inputs), self._rows, device=weights.device)
        return given.scatter_(1, inputs.long(), 1.0) @ weights
