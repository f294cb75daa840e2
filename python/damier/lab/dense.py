"""Small dense networks in numpy, trained here and played by the core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier.eval import Layer, Linear, Network

__all__ = ["Dense", "Mirror"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Mirror:
    """How the features of a position change when the sides are exchanged: new places, and signs."""

    places: npt.NDArray[np.int64]
    signs: Array

    def __call__(self, features: Array) -> Array:
        return features[..., self.places] * self.signs


class Dense:
    """A network with tanh neurons and one linear output; its weights are one vector, which is all that optimisers see.

    Inputs are normalised by `centre` and `spread`, which are folded into the first layer when it is exported.
    With a `mirror`, which says how features look to the other side, half of the hidden neurons are mirror images of the
    other half, so that what is good for one side is exactly as bad for the other.

    >>> net = Dense(3, [2], np.random.default_rng(1))
    >>> net.weights.size, net.outputs(np.zeros((5, 3))).shape
    (11, (5,))
    """

    def __init__(
        self, inputs: int, hidden: Sequence[int], rng: np.random.Generator, *, mirror: Mirror | None = None
    ) -> None:
        if mirror and (len(hidden) > 1 or any(size % 2 for size in hidden)):
            raise ValueError("a network with a mirror has one hidden layer of an even number of neurons, or none")
        self.mirror = mirror
        self.sizes = [inputs, *(size // 2 if mirror else size for size in hidden), 1]
        self.centre, self.spread = np.zeros(inputs), np.ones(inputs)
        rows = [
            np.concatenate([rng.normal(0, 1 / np.sqrt(ins), ins * outs), np.zeros(outs)])
            for ins, outs in zip(self.sizes, self.sizes[1:], strict=False)
        ]
        self.weights = np.concatenate(rows)
        if not hidden:  # nothing to tell apart
            self.weights[:] = 0

    def rescale(self, features: Array) -> None:
        """Take centre and spread from features; those that never change are left as they are."""
        if self.mirror:
            features = np.concatenate([features, self.mirror(features)])
        spread = features.std(axis=0)
        changes = spread > 1e-9
        self.spread = np.where(changes, spread, 1.0)
        self.centre = np.where(changes, features.mean(axis=0), 0.0)
        if len(self.sizes) == 2:  # a sum of features has no constant to make up for
            self.centre[:] = 0

    def layers(self, weights: Array | None = None) -> list[tuple[Array, Array]]:
        """Weights [outputs, inputs] and biases of each layer, as views of the row."""
        row = self.weights if weights is None else weights
        found, first = [], 0
        for ins, outs in zip(self.sizes, self.sizes[1:], strict=False):
            last = first + ins * outs
            found.append((row[first:last].reshape(outs, ins), row[last : last + outs]))
            first = last + outs
        return found

    def outputs(self, features: Array) -> Array:
        """One number per row of features."""
        found = self._activations(features)[-1][:, 0]
        return found - self._activations(self.mirror(features))[-1][:, 0] if self.mirror else found

    def gradient(self, features: Array, upstream: Array) -> Array:
        """The gradient of the sum of `upstream` times the outputs."""
        found = self._gradient(features, upstream)
        return found - self._gradient(self.mirror(features), upstream) if self.mirror else found

    def _gradient(self, features: Array, upstream: Array) -> Array:
        activations = self._activations(features)
        total = np.zeros_like(self.weights)
        back = upstream[:, None]
        for number in reversed(range(len(self.sizes) - 1)):
            weights, _ = self.layers()[number]
            into_weights, into_bias = self.layers(total)[number]
            into_weights[:] = back.T @ activations[number]
            into_bias[:] = back.sum(axis=0)
            if number:
                back = (back @ weights) * (1 - activations[number] ** 2)
        if len(self.sizes) == 2:
            self.layers(total)[0][1][:] = 0  # see rescale
        return total

    def evaluation(self, features: str, name: str, scale: float, calibration: tuple[float, float]) -> Linear | Network:
        """The same for the core: a sum of features without hidden neurons, else a network."""
        (weights, bias), *rest = self.layers()
        weights, bias = weights / self.spread, bias - (weights / self.spread) @ self.centre
        if not rest:
            row = weights[0] - self.mirror(weights[0]) if self.mirror else weights[0]
            return Linear(features, scale * row, name, calibration)
        if self.mirror:
            weights, bias = np.concatenate([weights, self.mirror(weights)]), np.concatenate([bias, bias])
            rest = [(np.concatenate([rest[0][0], -rest[0][0]], axis=1), np.zeros(1))]
        layers = [(weights, bias), *rest]
        return Network(
            features,
            [
                Layer(weights, bias, "tanh" if number < len(layers) - 1 else "linear")
                for number, (weights, bias) in enumerate(layers)
            ],
            name,
            scale,
            calibration,
        )

    def _activations(self, features: Array) -> list[Array]:
        found = [(features - self.centre) / self.spread]
        for number, (weights, bias) in enumerate(self.layers()):
            sums = found[-1] @ weights.T + bias
            found.append(np.tanh(sums) if number < len(self.sizes) - 2 else sums)
        return found
