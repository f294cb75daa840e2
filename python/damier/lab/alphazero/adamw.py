"""AdamW (Loshchilov and Hutter 2019), using PyTorch's own function.

Its class `torch.optim.AdamW` does the same, but imports the compiler of PyTorch first, which takes longer than a short
training.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from damier.puct.network import import_torch
from damier.weights import Array

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["AdamW"]

FIRST, SECOND, EPSILON = 0.9, 0.999, 1e-8  # how long both averages last, and what keeps a division finite


class AdamW:
    """The state of each parameter: its number of updates, and averages of its gradient and of the square."""

    def __init__(self, parameters: Iterable[Tensor], *, decay: float) -> None:
        self._parameters, self._decay = list(parameters), decay
        self._state: list[dict[str, Tensor]] = []  # nothing before the first update

    def update(self, rate: float) -> None:
        """Move every parameter against its gradient."""
        torch = import_torch()
        from torch.optim.adamw import adamw  # noqa: PLC0415  torch need not be installed

        if not self._state:
            self._state = [
                {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(each), "exp_avg_sq": torch.zeros_like(each)}
                for each in self._parameters
            ]
        with torch.no_grad():
            adamw(
                self._parameters,
                [each.grad for each in self._parameters],
                *([kept[name] for kept in self._state] for name in ("exp_avg", "exp_avg_sq")),
                [],
                [kept["step"] for kept in self._state],
                amsgrad=False,
                beta1=FIRST,
                beta2=SECOND,
                lr=rate,
                weight_decay=self._decay,
                eps=EPSILON,
                maximize=False,
            )

    def state(self) -> dict[str, Array]:
        """All of it by the number of the parameter, such as `3.exp_avg`."""
        return {
            f"{number}.{name}": np.array(value.cpu().numpy(), ndmin=1)
            for number, kept in enumerate(self._state)
            for name, value in kept.items()
        }

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from what `state` gave; anything learnt in later steps is forgotten."""
        torch = import_torch()
        self._state = [{} for _ in self._parameters] if state else []
        for key, array in state.items():
            number, _, name = key.partition(".")
            parameter, value = self._parameters[int(number)], torch.from_numpy(np.array(array, np.float32))
            self._state[int(number)][name] = (
                value.reshape(()) if name == "step" else value.reshape(parameter.shape).to(parameter.device)
            )
