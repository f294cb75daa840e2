"""How gradients become steps: plain backpropagation, and RPROP, which uses only their signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from damier._core import DamierError

__all__ = ["OPTIMISERS", "Backprop", "Optimiser", "Rprop", "optimiser"]

Array = npt.NDArray[np.float64]


class Optimiser(Protocol):
    """Changes weights in place, given their gradient."""

    def update(self, weights: Array, gradient: Array) -> None: ...

    def state(self) -> dict[str, Array]: ...

    def restore(self, state: Mapping[str, Array]) -> None: ...


@dataclass
class Backprop:
    """A step against the gradient, with momentum.

    >>> weights = np.array([1.0])
    >>> Backprop(rate=0.5).update(weights, np.array([1.0]))
    >>> weights.tolist()
    [0.5]
    """

    rate: float = 0.05
    momentum: float = 0.9
    _last: Array = field(default_factory=lambda: np.zeros(0), repr=False)

    def update(self, weights: Array, gradient: Array) -> None:
        if self._last.shape != weights.shape:
            self._last = np.zeros_like(weights)
        self._last = self.momentum * self._last - self.rate * gradient
        weights += self._last

    def state(self) -> dict[str, Array]:
        return {"last": self._last}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._last = state["last"]


@dataclass
class Rprop:
    """Each weight has its own step: longer while the sign of its gradient holds, shorter once it turns (iRPROP-).

    Meant for gradients of the whole set of games, never of small batches: their signs are noise.

    >>> weights = np.array([1.0, -1.0])
    >>> rprop = Rprop()
    >>> for _ in range(60):
    ...     rprop.update(weights, 2 * weights)
    >>> bool(np.abs(weights).max() < 1e-3)
    True
    """

    first: float = 1e-3
    grow: float = 1.2
    shrink: float = 0.5
    least: float = 1e-6
    most: float = 0.1
    _steps: Array = field(default_factory=lambda: np.zeros(0), repr=False)
    _signs: Array = field(default_factory=lambda: np.zeros(0), repr=False)

    def update(self, weights: Array, gradient: Array) -> None:
        if self._steps.shape != weights.shape:
            self._steps, self._signs = np.full_like(weights, self.first), np.zeros_like(weights)
        signs = np.sign(gradient)
        turned = signs * self._signs
        self._steps[turned > 0] = np.minimum(self._steps[turned > 0] * self.grow, self.most)
        self._steps[turned < 0] = np.maximum(self._steps[turned < 0] * self.shrink, self.least)
        signs[turned < 0] = 0
        weights -= signs * self._steps
        self._signs = signs

    def state(self) -> dict[str, Array]:
        return {"steps": self._steps, "signs": self._signs}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._steps, self._signs = state["steps"], state["signs"]


OPTIMISERS = ("rprop", "backprop")


def optimiser(name: str, rate: float | None = None) -> Optimiser:
    """The optimiser of that name; `rate` is its first step, None for its default.

    >>> optimiser("rprop", 0.01).first
    0.01
    """
    made: dict[str, type[Backprop] | type[Rprop]] = {"rprop": Rprop, "backprop": Backprop}
    if name not in made:
        raise DamierError(f"{name!r} is not an optimiser, expected one of {', '.join(OPTIMISERS)}")
    return made[name]() if rate is None else made[name](rate)
