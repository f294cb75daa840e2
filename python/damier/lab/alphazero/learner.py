"""AlphaZero as a method of learning. A step is a generation: self-play, training, and a match that decides."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import ClassVar

import numpy as np

from damier import games
from damier._core import DamierError
from damier.batch import BoardBatch
from damier.lab.alphazero.replay import ReplayBuffer, Symmetries
from damier.lab.alphazero.selfplay import duel, play_training_games
from damier.lab.alphazero.settings import AlphaZeroSettings, default_steps
from damier.lab.alphazero.trainer import Trainer
from damier.lab.training import Learner, Metrics
from damier.puct import PolicyValue
from damier.weights import Array

__all__ = ["AlphaZeroLearner"]


class AlphaZeroLearner(Learner):
    """A network plays itself by tree search, learns to predict what it found, and is adopted if it plays better.

    `minutes` ends it early. `threads` and `device` are for speed, but sums on several threads or on another device
    differ in their last bits: the same seed gives the same file with one thread on one device.
    """

    method: ClassVar[str] = "alphazero"
    advice: ClassVar[str] = "try a smaller --rate"

    def __init__(
        self,
        game: str,
        *,
        steps: int | None = None,
        settings: AlphaZeroSettings | None = None,
        threads: int = 1,
        device: str = "cpu",
        minutes: float | None = None,
    ) -> None:
        settings = settings or AlphaZeroSettings.for_game(game)
        settings.check()
        steps = steps or default_steps(game)
        self.game, self.steps, self._settings, self._threads = games.info(game).name, steps, settings, threads
        self.settings = asdict(settings)
        # The one that plays; a copy of it is trained.
        self._best = PolicyValue.new(
            game, channels=settings.channels, blocks=settings.blocks, seed=settings.seed, device=device
        )
        self._trainer = Trainer(self._best.copy(), settings, Symmetries.of(*BoardBatch(game, 1).symmetries()))
        self._window: ReplayBuffer | None = None
        self._elo = 0.0  # of the best network, the first one having 0
        self._ends = math.inf if minutes is None else time.monotonic() + 60 * minutes

    def step(self, number: int) -> Metrics:
        before = self._trainer.state()
        try:
            measured, window, adopted = self._generation(number)
        except BaseException:
            self._trainer.restore(before)  # a step that was cut off is taken again
            raise
        if not math.isfinite(measured["loss"]):
            self._trainer.restore(before)
            return measured
        self._window = window
        if adopted:
            self._best.set_tensors(self._trainer.network.tensors())
            self._elo = measured.get("gate_elo", 0.0)
        return measured

    def _generation(self, number: int) -> tuple[Metrics, ReplayBuffer, bool]:
        """The metrics, the positions to learn from in the next step, and whether the trained network is better."""
        settings, seed, times = self._settings, [self._settings.seed, number], [time.monotonic()]
        played = play_training_games(self.game, self._best.evaluate, settings, seed=[*seed, 0], threads=self._threads)
        times.append(time.monotonic())
        parts = [played.samples] if self._window is None else [self._window, played.samples]
        window = ReplayBuffer.joined(parts).newest(settings.window)
        if not len(window):
            advice = "try more games or fewer random plies"
            raise DamierError(f"no position of {played.games} games was fully searched: {advice}")
        measured = self._trainer.train(
            window,
            max(1, round(settings.reuse * len(played.samples) / settings.batch)),
            progress=number / self.steps,
            rng=np.random.default_rng([*seed, 1]),
            threads=self._threads,
        )
        times.append(time.monotonic())
        adopted = True
        if settings.gate_games and math.isfinite(measured["loss"]):
            gate = self._gate([*seed, 2])
            adopted = bool(gate["adopted"])
            measured |= gate
        times.append(time.monotonic())
        measured |= {
            "games": float(played.games),
            "positions": float(len(played.samples)),
            "plies": played.plies / played.games,
            "evaluations": float(played.evaluations),
        }
        parts_of_it = zip(("self-play", "training", "gating"), pairwise(times), strict=True)
        return measured | {f"seconds/{name}": end - start for name, (start, end) in parts_of_it}, window, adopted

    def is_done(self) -> bool:
        return time.monotonic() > self._ends

    def learnt(self) -> PolicyValue:
        return self._best

    def spec(self, path: str, nodes: int) -> str:
        return f"learnt:{path},simulations={nodes}"

    def state(self) -> dict[str, Array]:
        arrays = {f"best.{name}": array for name, array in self._best.tensors().items()}
        arrays |= {f"trainer.{name}": array for name, array in self._trainer.state().items()}
        if self._window is not None:
            arrays |= {f"window.{name}": array for name, array in self._window.arrays().items()}
        return arrays | {"elo": np.array([self._elo])}

    def restore(self, state: Mapping[str, Array]) -> None:
        parts: dict[str, dict[str, Array]] = {"best": {}, "trainer": {}, "window": {}}
        for name, array in state.items():
            part, _, rest = name.partition(".")
            if part in parts:
                parts[part][rest] = array
        self._best.set_tensors(parts["best"])
        self._trainer.restore(parts["trainer"])
        self._window = ReplayBuffer.of_arrays(parts["window"]) if parts["window"] else None
        self._elo = float(state["elo"][0])

    def _gate(self, seed: list[int]) -> Metrics:
        """A match between the trained network and the best one, which it replaces unless it is worse."""
        settings, new = self._settings, self._trainer.network
        wins, draws, _ = duel(self.game, new.evaluate, self._best.evaluate, settings, seed=seed, threads=self._threads)
        share = (wins + draws / 2) / settings.gate_games
        bounded = min(max(share, 0.5 / settings.gate_games), 1 - 0.5 / settings.gate_games)
        adopted = share >= settings.gate_share
        elo = self._elo + 400 * math.log10(bounded / (1 - bounded)) if adopted else self._elo
        return {"gate_share": share, "adopted": float(adopted), "gate_elo": elo}
