"""Training on samples: the policy learns the visits of searches, the value the results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from damier.lab.alphazero.adamw import AdamW
from damier.lab.alphazero.replay import ReplayBuffer, Symmetries
from damier.lab.alphazero.settings import AlphaZeroSettings
from damier.puct import PolicyValue
from damier.puct.network import import_torch
from damier.weights import Array

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Trainer"]

LAST_RATE = 0.1  # of the first rate, at the last step


class Trainer:
    """A network and its optimiser (AdamW)."""

    def __init__(self, network: PolicyValue, settings: AlphaZeroSettings, symmetries: Symmetries) -> None:
        torch = import_torch()
        torch.set_num_threads(1)  # from the first evaluation on: sums by more threads differ in their last bits
        self.network, self._settings, self._symmetries = network, settings, symmetries
        self._optimiser = AdamW(network.module.parameters(), decay=settings.decay)

    def train(
        self, samples: ReplayBuffer, updates: int, *, progress: float, rng: np.random.Generator, threads: int = 1
    ) -> dict[str, float]:
        """Make a number of updates on samples drawn at random; `progress` goes from 0 to 1 as the rate falls."""
        torch, settings, shape = import_torch(), self._settings, self.network.shape
        rate = settings.rate * LAST_RATE ** min(progress, 1.0)
        torch.set_num_threads(threads)
        self.network.module.train()
        sums = torch.zeros(2, device=self.network.device)
        for _ in range(updates):
            rows = rng.integers(len(samples), size=min(settings.batch, len(samples)))
            batch = samples.batch(rows, (shape.planes, shape.rows, shape.columns), self._symmetries, rng)
            sums += self._update(torch, rate, {name: self._on_device(torch, array) for name, array in batch.items()})
        torch.set_num_threads(1)  # self-play has threads of its own
        self.network.changed()
        if not all(np.isfinite(said).all() for said in self.network.evaluate(batch["planes"])):
            sums += math.nan  # the last update may have been too large
        policy, value = (sums / updates).tolist()
        return {"loss": policy + value, "policy_loss": policy, "value_loss": value}

    def _update(self, torch: ModuleType, rate: float, batch: Mapping[str, Tensor]) -> Tensor:
        with torch.autocast(self.network.device, torch.bfloat16, enabled=self.network.device == "cuda"):
            logits, values = self.network.module(batch["planes"])
        moves = logits.float().gather(1, batch["actions"]).masked_fill(~batch["is_move"], -1e9)
        policy_loss = -(batch["shares"] * moves.log_softmax(1)).sum(1).mean()
        target = batch["results"] + self._settings.value_mix * (batch["values"] - batch["results"])
        value_loss = torch.nn.functional.mse_loss(values.float(), target)
        self.network.module.zero_grad()
        (policy_loss + value_loss).backward()
        self._optimiser.update(rate)
        return torch.stack([policy_loss.detach(), value_loss.detach()])

    def _on_device(self, torch: ModuleType, array: Array) -> Tensor:
        return torch.from_numpy(array).to(self.network.device, non_blocking=True)

    def state(self) -> dict[str, Array]:
        """The weights, and the state of the optimiser."""
        arrays = {f"weights.{name}": array for name, array in self.network.tensors().items()}
        arrays |= {f"optimiser.{name}": array for name, array in self._optimiser.state().items()}
        return arrays

    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from what `state` gave."""
        self.network.set_tensors(_part(state, "weights."))
        self._optimiser.restore(_part(state, "optimiser."))


def _part(state: Mapping[str, Array], prefix: str) -> dict[str, Array]:
    return {name.removeprefix(prefix): array for name, array in state.items() if name.startswith(prefix)}
