"""Fitting an evaluation that is a sum of weighted terms, by logistic regression on games (Texel's method).

The terms are those of a hand-written evaluation, each with a weight for the start and one for the end of a game, or the
features of a feature set. L-BFGS-B restarts at each step, so that an interrupted run ends in the same weights.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np

from damier import games
from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import calibrate, minimise, r2, slope_of
from damier.lab.terms import Array, FeatureTerms, TaperedTerms, Terms
from damier.lab.training import Learner, Learnt, Metrics, parent_of
from damier.weights import evaluation_path, read_weights

__all__ = ["ClassicLearner", "ClassicSettings"]

CALIBRATION_SAMPLES = 50_000
SLOPE = 1 / 150  # of weights that start at 0: then scores are in hundredths of a man, with the default spread
GAIN = 1e-9  # of an iteration, below which it has settled


@dataclass(frozen=True)
class ClassicSettings:
    """The settings of a training; see ClassicLearner."""

    features: str = ""  # a feature set; the terms of `eval` if empty
    eval: str = "classic"
    start: str = ""  # a file of weights to start from, which says what the terms are
    skip: int = 10  # the first plies of each game
    every: int = 1  # use one position in this many, at random
    mix: float = 0.0  # the share of the search's own scores in what is aimed at
    prior: float | None = None  # 1e-7, and 0 for a feature set
    iterations: int = 10  # of L-BFGS-B per step
    seed: int = 0


class ClassicLearner(Learner):
    """Fits weights to the results of games, starting from those an evaluation has, or from 0 for a feature set.

    Each weight is pulled towards its first value by `prior` times the square of the difference, so that weights that
    the games say nothing about stay as they are; those set by hand are not changed. One game in ten is held out; loss
    (cross-entropy) and R2 are measured on its positions.

    >>> import tempfile
    >>> from damier.lab import self_play
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = self_play("rennes", games=40, nodes=50, out=folder)
    ...     learner = ClassicLearner("rennes", folder, steps=3)
    >>> sorted(learner.step(0))
    ['games', 'loss', 'positions', 'r2', 'training_loss']
    """

    method: ClassVar[str] = "classic"
    extendable: ClassVar[bool] = True
    advice: ClassVar[str] = "try a larger --prior"

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where],
        *,
        steps: int = 30,
        settings: ClassicSettings | None = None,
        threads: int = 1,
    ) -> None:
        settings = settings or ClassicSettings()
        _check(settings)
        blocks = Blocks(game, sources)
        self._terms = terms = _terms(game, settings)
        if settings.prior is None:
            settings = replace(settings, prior=terms.prior)
        self.game, self.steps, self._settings, self._threads = games.info(game).name, steps, settings, threads
        self._weights = terms.first.copy()
        read = {"skip": settings.skip, "every": settings.every, "seed": settings.seed, "threads": threads}
        self._learnt, self._held_out = terms.samples(blocks, mix=0.0, slope=SLOPE, **read)
        self.slope = slope_of(*self._some(terms.first)) if terms.first.any() else SLOPE
        if settings.mix:
            self._learnt = terms.samples(blocks, mix=settings.mix, slope=self.slope, **read)[0]
        self._games, self._digest = blocks.games, blocks.digest()
        self._parent, self._is_done = parent_of(settings.start), False
        self.settings = {**asdict(settings), "sources": blocks.names}

    @property
    def samples(self) -> int:
        """The number of positions it learns from."""
        return len(self._learnt)

    @property
    def held_out(self) -> int:
        """The number of held-out positions."""
        return len(self._held_out)

    def step(self, number: int) -> Metrics:
        first, free, prior = self._terms.first, self._terms.free, self._settings.prior or 0.0

        def loss(weights: Array) -> tuple[float, Array]:
            value, gradient = self._learnt.loss(np.ascontiguousarray(weights), self.slope, threads=self._threads)
            away = weights - first
            return value + prior * float((away**2).sum()), (gradient + 2 * prior * away) * free

        iterations = self._settings.iterations
        self._weights, value, taken = minimise(loss, self._weights, iterations=iterations, tolerance=GAIN)
        self._is_done = taken < iterations
        return {**self.measure(), "training_loss": value}

    def measure(self) -> Metrics:
        weights = self._terms.rounded(self._weights)
        loss = self._held_out.loss(weights, self.slope, threads=self._threads)[0]
        values, results = self._held_out.values(weights, threads=self._threads), self._held_out.results()
        misses = results - 1 / (1 + np.exp(-self.slope * values.astype(np.float64)))
        explained = r2(float((misses**2).mean()), float(results.var(dtype=np.float64)))
        return {"loss": loss, "r2": explained, "games": float(self._games), "positions": float(self.samples)}

    def state(self) -> dict[str, Array]:
        return {"weights": self._weights, "done": np.array([float(self._is_done)])}

    def restore(self, state: Mapping[str, Array]) -> None:
        if state["weights"].shape != self._weights.shape:
            raise ValueError(f"it has weights of shape {state['weights'].shape}, expected {self._weights.shape}")
        self._weights, self._is_done = state["weights"], bool(state["done"][0])

    def is_done(self) -> bool:
        return self._is_done

    def learnt(self) -> Learnt:
        weights = self._terms.rounded(self._weights)
        return self._terms.evaluation(weights, calibrate(*self._some(weights)))

    def provenance(self) -> dict[str, str]:
        data = {"data_sha256": self._digest, **self._parent}
        return {**data, "held_out": repr(self.held_out), "slope": repr(self.slope)}

    def _some(self, weights: Array) -> tuple[Array, Array]:
        """Values and results of enough held-out positions for calibration."""
        chosen = slice(None, None, max(1, self.held_out // CALIBRATION_SAMPLES))
        values = self._held_out.values(weights, threads=self._threads)[chosen]
        return values.astype(np.float64), self._held_out.results()[chosen].astype(np.float64)


def _terms(game: str, settings: ClassicSettings) -> Terms:
    if not settings.start:
        return FeatureTerms(game, settings.features) if settings.features else TaperedTerms(game, settings.eval)
    file = read_weights(settings.start)
    games.board(game).evaluator(evaluation_path(settings.start))  # refuses one that does not fit
    if file.kind == "linear" and settings.features in ("", file.features):
        return FeatureTerms(game, file.features, file.tensors["weights"].astype(np.float64))
    if file.kind == "tapered" and not settings.features:
        return TaperedTerms(game, file.features, np.concatenate(list(file.tensors.values())).astype(np.float64))
    wanted = f"weights of {settings.features}" if settings.features else "a sum of weighted terms"
    raise DamierError(f"{settings.start}: holds a {file.kind} evaluation of {file.features}, expected {wanted}")


def _check(settings: ClassicSettings) -> None:
    check_range("skip", settings.skip, 0, 1000)
    check_range("every", settings.every, 1, 10**6)
    check_range("mix", settings.mix, 0, 1)
    check_range("prior", settings.prior or 0, 0, 1e6)
    check_range("iterations", settings.iterations, 1, 10**6)
