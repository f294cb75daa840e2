"""How a network learns from samples: the policy towards the visits of searches, the value towards results."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from damier.lab.alphazero.replay import Samples, Symmetries
from damier.lab.alphazero.settings import AlphaZeroSettings
from damier.puct import PolicyValue
from damier.puct.network import import_torch

__all__ = ["Trainer"]

LAST_RATE = 0.1  # of the first rate, at the last step

Array = npt.NDArray[Any]


class Trainer:
    """A network and its optimiser (AdamW)."""

    def __init__(self, network: PolicyValue, settings: AlphaZeroSettings, symmetries: Symmetries) -> None:
        torch = import_torch()
        torch.set_num_threads(1)  # from the first evaluation on: sums by more threads differ in their last bits
        self.network, self._held, self._symmetries = network, settings, symmetries
        self._optimiser = torch.optim.AdamW(network.module.parameters(), lr=settings.rate, weight_decay=settings.decay)

    def train(
        self, samples: Samples, updates: int, *, progress: float, rng: np.random.Generator, threads: int = 1
    ) -> dict[str, float]:
        """Make so many updates on samples drawn at random; `progress` goes from 0 to 1 as the rate falls."""
        torch, held, shape = import_torch(), self._held, self.network.shape
        for group in self._optimiser.param_groups:
            group["lr"] = held.rate * LAST_RATE ** min(progress, 1.0)
        torch.set_num_threads(threads)
        self.network.module.train()
        sums = torch.zeros(2, device=self.network.device)
        for _ in range(updates):
            rows = rng.integers(len(samples), size=min(held.batch, len(samples)))
            batch = samples.batch(rows, (shape.planes, shape.rows, shape.columns), self._symmetries, rng)
            sums += self._update(torch, {name: self._on_device(torch, array) for name, array in batch.items()})
        torch.set_num_threads(1)  # self-play has threads of its own
        self.network.changed()
        if not all(np.isfinite(said).all() for said in self.network.evaluate(batch["planes"])):
            sums += math.nan  # the last update may have been too large
        policy, value = (sums / updates).tolist()
        return {"loss": policy + value, "policy_loss": policy, "value_loss": value}

    def _update(self, torch: Any, batch: Mapping[str, Any]) -> Any:
        with torch.autocast(self.network.device, torch.bfloat16, enabled=self.network.device == "cuda"):
            logits, values = self.network.module(batch["planes"])
        moves = logits.float().gather(1, batch["actions"]).masked_fill(~batch["is_move"], -1e9)
        policy_loss = -(batch["shares"] * moves.log_softmax(1)).sum(1).mean()
        target = batch["results"] + self._held.value_mix * (batch["values"] - batch["results"])
        value_loss = torch.nn.functional.mse_loss(values.float(), target)
        self._optimiser.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        self._optimiser.step()
        return torch.stack([policy_loss.detach(), value_loss.detach()])

    def _on_device(self, torch: Any, array: Array) -> Any:
        return torch.from_numpy(array).to(self.network.device, non_blocking=True)

    def state(self) -> dict[str, Array]:
        """The weights, and what the optimiser knows of each."""
        held = {f"weights.{name}": array for name, array in self.network.tensors().items()}
        for number, kept in self._optimiser.state_dict()["state"].items():
            held |= {
                f"optimiser.{number}.{name}": np.array(value.cpu().numpy(), ndmin=1) for name, value in kept.items()
            }
        return held

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from what `state` gave."""
        torch = import_torch()
        weights = {name.removeprefix("weights."): array for name, array in state.items() if name.startswith("weights.")}
        self.network.set_tensors(weights)
        held = self._optimiser.state_dict()
        parameters = list(self.network.module.parameters())
        for name, array in state.items():
            part, _, rest = name.partition(".")
            if part == "optimiser":
                number, _, what = rest.partition(".")
                value = torch.from_numpy(np.array(array, np.float32))
                shape = () if what == "step" else parameters[int(number)].shape
                held["state"].setdefault(int(number), {})[what] = value.reshape(shape)
        self._optimiser.load_state_dict(held)
