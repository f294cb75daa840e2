"""The weights of networks in real numbers: several of them at once, each with its own random start.

All weights lie in one vector, so that an optimiser has one thing to change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from damier.nnue import INPUT_ONE, OUTPUT_ONE, Nnue

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["LAYERS", "Floats", "NetShape"]

FIRST_WEIGHT, FIRST_BIAS = 0.05, 0.2  # larger ones leave neurons beyond 0 and 1, where they learn nothing

ONES = {  # the whole numbers that stand for 1 in the engine
    "input_weights": INPUT_ONE,
    "input_bias": INPUT_ONE,
    "output_weights": OUTPUT_ONE,
    "output_bias": INPUT_ONE * OUTPUT_ONE,
}
LAYERS = tuple(ONES)

Floats = npt.NDArray[np.float32]
Numbers = TypeVar("Numbers", Floats, "Tensor")


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

    def cut(self, vector: Numbers) -> dict[str, Numbers]:
        """A vector of all weights (NumPy's or PyTorch's) as arrays by name."""
        found, start = {}, 0
        for name, shape in self.parts.items():
            found[name] = vector[start : start + math.prod(shape)].reshape(shape)
            start += math.prod(shape)
        return found

    def input_weights(self, arrays: Mapping[str, Numbers]) -> Numbers:
        """The weights of the inputs: those of each king bucket and what all buckets share, since a small one sees too
        few positions to learn everything by itself."""
        own = arrays["input_weights"]
        if self.king_buckets == 1:
            return own
        shared = arrays["shared_weights"]
        return (own.reshape(self.king_buckets, *shared.shape) + shared).reshape(own.shape)

    def share_gradient(self, gradient: Mapping[str, Floats | Tensor]) -> None:
        """Fill in the gradient of what all buckets share, from that of the weights of each."""
        if self.king_buckets > 1:
            shared = gradient["shared_weights"]
            shared[:] = gradient["input_weights"].reshape(self.king_buckets, *shared.shape).sum(0)

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
