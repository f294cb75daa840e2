"""The terms of evaluations that are weighted sums: how they describe positions, and their weighted values."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError
from damier.eval import Linear, feature_set
from damier.lab.blocks import Blocks
from damier.lab.loader import Loader
from damier.lab.samples import load_samples
from damier.lab.sequences import is_seen_by_white, mirror_of
from damier.lab.training import Learnt
from damier.weights import Weights

__all__ = ["FeatureTerms", "TaperedTerms", "Terms", "WeighedSamples"]

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
SURE = 30_000  # scores further from 0 are proven wins
ROWS = 1 << 15  # that are weighed at a time


class WeighedSamples(Protocol):
    """Positions with results from 0 to 1, and their values for given weights."""

    def __len__(self) -> int: ...

    def results(self) -> Floats: ...

    def values(self, weights: Array, *, threads: int = 1) -> Floats: ...

    def loss(self, weights: Array, slope: float, *, threads: int = 1) -> tuple[float, Array]: ...


class Terms(ABC):
    """The terms to fit: the weights to start from, which of them may change, and the default regularisation."""

    prior: ClassVar[float]
    first: Array
    free: npt.NDArray[np.bool_]

    @abstractmethod
    def samples(
        self, blocks: Blocks, *, skip: int, every: int, mix: float, slope: float, seed: int, threads: int
    ) -> tuple[WeighedSamples, WeighedSamples]:
        """The quiet positions of games: those to learn from, and those held out."""

    @abstractmethod
    def rounded(self, weights: Array) -> Array:
        """The weights as used in play."""

    @abstractmethod
    def evaluation(self, weights: Array, calibration: tuple[float, float]) -> Learnt:
        """The evaluation, to be saved and played with."""


@dataclass(frozen=True, eq=False)
class Tapered:
    """Weights of a hand-written evaluation, by group; see damier.weights."""

    features: str
    groups: Mapping[str, npt.NDArray[np.int16]]
    calibration: tuple[float, float]

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        metadata = {**(provenance or {}), "calibration": " ".join(repr(float(number)) for number in self.calibration)}
        Weights(game, "tapered", self.features, self.groups, metadata).save(path)


class TaperedTerms(Terms):
    """The terms of a hand-written evaluation, each with a weight for the start and one for the end of a game.

    >>> terms = TaperedTerms("rennes", "classic")
    >>> terms.first.shape == terms.free.shape and terms.first.shape[1]
    2
    """

    prior: ClassVar[float] = 1e-7  # hundreds of weights, some for what hardly ever occurs

    def __init__(self, game: str, eval: str, first: Array | None = None) -> None:
        board = games.board(game)
        self._game, self._eval, self._evaluator = game, eval, board.evaluator(eval)
        self._groups = board.weight_groups(self._evaluator)
        self.first = board.weights(self._evaluator) if first is None else first
        free = [not held for _, size, _, held in self._groups for _ in range(size)]
        self.free = np.repeat(free, 2).reshape(self.first.shape)

    def samples(
        self, blocks: Blocks, *, skip: int, every: int, mix: float, slope: float, seed: int, threads: int
    ) -> tuple[WeighedSamples, WeighedSamples]:
        return load_samples(
            self._game,
            blocks,
            evaluator=self._evaluator,
            skip=skip,
            every=every,
            mix=mix,
            slope=slope,
            seed=seed,
            threads=threads,
        )

    def rounded(self, weights: Array) -> Array:
        return np.round(weights)

    def evaluation(self, weights: Array, calibration: tuple[float, float]) -> Learnt:
        groups, first = {}, 0
        for name, size, *_ in self._groups:
            groups[name] = weights[first : first + size].astype(np.int16)
            first += size
        return Tapered(self._eval, groups, calibration)


class FeatureTerms(Terms):
    """The features of a feature set, with weights that start at 0 by default.

    >>> FeatureTerms("english", "paris").first.tolist()
    [0.0, 0.0, 0.0, 0.0]
    """

    prior: ClassVar[float] = 0.0

    def __init__(self, game: str, features: str, first: Array | None = None) -> None:
        self._game, self._features = game, feature_set(game, features)
        names = games.board(game).feature_names(self._features)
        self.first = np.zeros(len(names)) if first is None else first
        self.free = np.ones(len(names), np.bool_)
        self._turn = None
        if is_seen_by_white(game, self._features):
            if "turn" not in names:
                raise DamierError(f"{features} is seen from White's side and does not tell who is to move")
            self._turn = names.index("turn")
        self._mirror = mirror_of(game, self._features)

    def samples(
        self, blocks: Blocks, *, skip: int, every: int, mix: float, slope: float, seed: int, threads: int
    ) -> tuple[WeighedSamples, WeighedSamples]:
        found = []
        for held_out in (False, True):
            loader = Loader(
                self._game,
                blocks,
                features=self._features,
                epochs=1,
                held_out=held_out,
                seed=seed,
                skip=skip,
                every=every,
                in_check=False,
                tactical=False,
                max_score=SURE,
            )
            rows, aims = [], []
            for batch in loader:
                rows.append(self._seen_by_the_mover(batch.features))
                chance = 1 / (1 + np.exp(-slope * batch.score.astype(np.float64)))
                searched = ~np.isnan(batch.score)
                aims.append(np.where(searched, (1 - mix) * batch.result + mix * chance, batch.result))
            found.append(_Rows(np.concatenate(rows), np.concatenate(aims).astype(np.float32)))
        return found[0], found[1]

    def _seen_by_the_mover(self, features: Floats) -> Floats:
        """Features whose weighted sum is the value for the side to move."""
        rows = features.astype(np.float64)
        signs = 1.0 if self._turn is None else np.sign(rows[:, [self._turn]])
        if self._mirror:  # what is good for one side is exactly as bad for the other
            rows = (rows - self._mirror(rows)) / 2
        found: Floats = (rows * signs).astype(np.float32)
        return found

    def rounded(self, weights: Array) -> Array:
        return weights

    def evaluation(self, weights: Array, calibration: tuple[float, float]) -> Learnt:
        if self._mirror:
            weights = (weights - self._mirror(weights)) / 2
        return Linear(self._features, weights, f"{self._features}-classic", calibration)


@dataclass(frozen=True, eq=False)
class _Rows:
    """Positions as rows of features, processed in blocks that fit the cache."""

    features: Floats
    aims: Floats

    def __len__(self) -> int:
        return len(self.aims)

    def results(self) -> Floats:
        return self.aims

    def values(self, weights: Array, *, threads: int = 1) -> Floats:
        found: Floats = (self.features @ weights.astype(np.float32)).astype(np.float32)
        return found

    def loss(self, weights: Array, slope: float, *, threads: int = 1) -> tuple[float, Array]:
        total, gradient = 0.0, np.zeros_like(weights)
        for begin in range(0, len(self), ROWS):
            rows, aims = self.features[begin : begin + ROWS].astype(np.float64), self.aims[begin : begin + ROWS]
            logits = slope * (rows @ weights)
            total += float((np.logaddexp(0.0, logits) - aims * logits).sum())
            gradient += (1 / (1 + np.exp(-logits)) - aims) @ rows
        return total / len(self), gradient * (slope / len(self))
