"""AlphaZero as a method of learning. A step is a generation: self-play, training, and a match that decides."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from damier import games
from damier.batch import BoardBatch
from damier.lab.alphazero.replay import Samples, Symmetries
from damier.lab.alphazero.selfplay import Played, duel, self_play
from damier.lab.alphazero.settings import AlphaZeroSettings
from damier.lab.alphazero.trainer import Trainer
from damier.lab.training import Learner, Metrics
from damier.puct import PolicyValue

__all__ = ["AlphaZeroLearner"]

Array = npt.NDArray[Any]


class AlphaZeroLearner(Learner):
    """A network plays itself by tree search, learns to say what the search found, and is adopted if it plays better.

    `minutes` ends it early, and `threads` and `device` change only how fast it goes (on one device, with one thread in
    training, the same seed gives the same file).
    """

    method: ClassVar[str] = "alphazero"

    def __init__(
        self,
        game: str,
        *,
        steps: int = 50,
        settings: AlphaZeroSettings | None = None,
        threads: int = 1,
        device: str = "cpu",
        minutes: float | None = None,
    ) -> None:
        held = settings or AlphaZeroSettings.for_game(game)
        held.check()
        self.game, self.steps, self._held, self._threads = games.info(game).name, steps, held, threads
        self.settings = asdict(held)
        size = {"channels": held.channels, "blocks": held.blocks, "seed": held.seed, "device": device}
        self._best = PolicyValue.new(game, **size)  # that plays
        self._trainer = Trainer(PolicyValue.new(game, **size), held, Symmetries.of(*BoardBatch(game, 1).symmetries()))
        self._window: Samples | None = None
        self._elo = 0.0  # of the best network, the first one having 0
        self._ends = time.monotonic() + 60 * minutes if minutes else math.inf

    def step(self, number: int) -> Metrics:
        held, seed = self._held, [self._held.seed, number]
        began = time.monotonic()
        played = self_play(self.game, self._best.evaluate, held, seed=[*seed, 0], threads=self._threads)
        self._take(played)
        between = time.monotonic()
        assert self._window is not None
        updates = max(1, round(held.reuse * len(played.samples) / held.batch))
        rng = np.random.default_rng([*seed, 1])
        losses = self._trainer.train(
            self._window, updates, progress=number / self.steps, rng=rng, threads=self._threads
        )
        trained = time.monotonic()
        gate = self._gate([*seed, 2])
        return {
            **losses,
            **gate,
            "games": float(played.games),
            "positions": float(len(played.samples)),
            "plies": played.plies / played.games,
            "evaluations": float(played.evaluations),
            "seconds/self-play": between - began,
            "seconds/training": trained - between,
            "seconds/gating": time.monotonic() - trained,
        }

    def is_done(self) -> bool:
        return time.monotonic() > self._ends

    def learnt(self) -> PolicyValue:
        return self._best

    def state(self) -> dict[str, Array]:
        held = {f"best.{name}": array for name, array in self._best.tensors().items()}
        held |= {f"trainer.{name}": array for name, array in self._trainer.state().items()}
        if self._window is not None:
            held |= {f"window.{name}": array for name, array in self._window.arrays().items()}
        return held | {"elo": np.array([self._elo])}

    def restore(self, state: Mapping[str, Array]) -> None:
        parts: dict[str, dict[str, Array]] = {"best": {}, "trainer": {}, "window": {}}
        for name, array in state.items():
            part, _, rest = name.partition(".")
            if part in parts:
                parts[part][rest] = array
        self._best.set_tensors(parts["best"])
        self._trainer.restore(parts["trainer"])
        self._window = Samples.of_arrays(parts["window"]) if parts["window"] else None
        self._elo = float(state["elo"][0])

    def _take(self, played: Played) -> None:
        kept = [played.samples] if self._window is None else [self._window, played.samples]
        self._window = Samples.joined(kept).newest(self._held.window)

    def _gate(self, seed: list[int]) -> Metrics:
        """A match between the network that was trained and the best one, which it replaces unless it is worse."""
        held, new = self._held, self._trainer.network
        if held.gate_games == 0:
            self._best.set_tensors(new.tensors())
            return {"adopted": 1.0}
        wins, draws, losses = duel(
            self.game, new.evaluate, self._best.evaluate, held, seed=seed, threads=self._threads
        )
        share = (wins + draws / 2) / held.gate_games
        adopted = share >= held.gate_share
        if adopted:
            bounded = min(max(share, 0.5 / held.gate_games), 1 - 0.5 / held.gate_games)
            self._elo += 400 * math.log10(bounded / (1 - bounded))
            self._best.set_tensors(new.tensors())
        return {"gate_share": share, "adopted": float(adopted), "elo": self._elo}
