"""Tables over regions of squares, fitted by logistic regression to the search scores and results of positions.

A step goes once through all games, which are read again each time: only the weights of the states that occur are held
in memory. The weights of a rare state stay near 0, so that the rest of the position decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError
from damier.engine.arguments import check_range
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import calibrate, mixed_targets, r2, spread_of
from damier.lab.loader import Batch, Loader
from damier.lab.positions import PositionSettings
from damier.lab.training import Learner, Metrics
from damier.patterns import FEATURES, Patterns, phase_shares, pieces_of, state_count
from damier.weights import Array

__all__ = ["PatternsLearner", "PatternsSettings"]

BATCH, LEAST_BATCHES = 16_384, 100  # of an epoch
READ = 1 << 16  # positions at a time, where they are only counted
BETAS, EPSILON, LAST_RATE = (0.9, 0.999), 1e-8, 1e-6
MEASURED = 200_000  # positions held out that the loss is measured on
CALIBRATED = 5_000  # and those by which scores become chances
CHUNK = 1 << 14

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class PatternsSettings(PositionSettings):
    """The tables, the data and the training; 0 for `batch_size` and `scale` leaves them to the data."""

    windows: str = ""  # the regions, such as 4x6/2x2; those of the game if empty
    phases: int = 4  # weights of each state, from few pieces to many
    least: int = 30  # states that occur less often have no weight
    # Training
    epochs: int = 4
    batch_size: int = 0
    rate: float = 0.08  # at the first update; it falls to almost nothing by a cosine
    prior: float = 30.0  # how many positions' worth of doubt draws a weight to 0
    seed: int = 0

    def check(self) -> None:
        """Refuse settings that make no sense."""
        check_range("phases", self.phases, 1, 8)
        check_range("least", self.least, 1, 10**9)
        super().check()
        check_range("epochs", self.epochs, 1, 10**6)
        check_range("batch_size", self.batch_size, 0, 1 << 24)
        check_range("rate", self.rate, 1e-9, 10)
        check_range("prior", self.prior, 0, 1e9)

    def for_positions(self, positions: int, scale: int) -> PatternsSettings:
        """The settings with defaults filled in, for this many positions whose scores have this scale.

        >>> PatternsSettings().for_positions(100_000, 185).batch_size
        1000
        """
        batch = min(max(positions // LEAST_BATCHES, 1), BATCH)
        return replace(self, batch_size=self.batch_size or batch, scale=self.scale or scale)


@dataclass(frozen=True)
class _Examples:
    """Positions, a row each: places of their states among the weights, [n, 2, most]; how much each phase counts; the
    target, and the result."""

    places: npt.NDArray[np.int32]
    shares: Floats
    targets: Floats
    results: Floats


class PatternsLearner(Learner):
    """Tables over regions of squares learn from the search scores and results of the positions of games.

    One game in ten is held out; loss (cross-entropy), the mean squared error and R2 are measured on its positions.

    >>> import tempfile
    >>> from damier.lab import self_play
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = self_play("rennes", games=40, nodes=50, out=run)
    ...     learner = PatternsLearner("rennes", run, settings=PatternsSettings(epochs=2))
    ...     sorted(learner.step(0))
    ['loss', 'mse', 'positions', 'r2', 'rate', 'states', 'training_loss']
    """

    method: ClassVar[str] = "patterns"
    advice: ClassVar[str] = "try a smaller --rate"

    def __init__(
        self, game: str, sources: Where | Iterable[Where] | Blocks, *, settings: PatternsSettings | None = None
    ) -> None:
        self._settings = settings or PatternsSettings()
        self._settings.check()
        self.game, self.steps = games.info(game).name, self._settings.epochs
        self._board = games.board(self.game)
        self._settings = replace(self._settings, windows=self._board.pattern_windows(self._settings.windows))
        self._blocks = Blocks.of(self.game, sources)
        self._digest, names = self._blocks.digest(), self._blocks.names
        self._count_states()
        self.settings = {**asdict(self._settings), "sources": names}
        self._test_states, self._test = self._collect_test()
        self._spread = float(self._test.results.astype(np.float64).var())
        self._weights = np.zeros((len(self._kept) + 2, self._settings.phases), np.float32)  # see _place
        self._means, self._squares = np.zeros_like(self._weights), np.zeros_like(self._weights)
        self._updates = 0

    @property
    def positions(self) -> int:
        """The number of positions it learns from."""
        return self._positions

    def step(self, number: int) -> Metrics:
        loader = self._loader(held_out=False, seed=number + 1, batch_size=self._settings.batch_size)
        seen, loss, rate = 0, 0.0, 0.0
        for batch in self._chosen(loader):
            share = (number + min(seen / self._positions, 1.0)) / self._settings.epochs
            rate = LAST_RATE + (self._settings.rate - LAST_RATE) * (1 + math.cos(math.pi * share)) / 2
            loss += self._update(self._examples(batch), rate) * len(batch)
            seen += len(batch)
        return {**self.measure(), "training_loss": loss / seen, "rate": rate}

    def measure(self) -> Metrics:
        test = self._test
        logits = self._logits(test).astype(np.float64)
        expected = 1 / (1 + np.exp(-logits))
        return {
            "loss": float((np.logaddexp(0.0, logits) - test.targets * logits).mean()),
            "mse": float(((expected - test.targets) ** 2).mean()),
            "r2": r2(float(((expected - test.results) ** 2).mean()), self._spread),
            "positions": float(self._positions),
            "states": float(len(self._kept)),
        }

    def state(self) -> dict[str, Array]:
        updates = np.array([self._updates], np.uint64)
        return {"weights": self._weights, "means": self._means, "squares": self._squares, "updates": updates}

    def restore(self, state: Mapping[str, Array]) -> None:
        for name in ("weights", "means", "squares"):
            if state[name].shape != self._weights.shape:
                raise ValueError(f"it has {state[name].shape[0]} {name}, expected {len(self._weights)}")
        self._weights, self._means, self._squares = (state[name] for name in ("weights", "means", "squares"))
        self._updates = int(state["updates"][0])

    def learnt(self) -> Patterns:
        states = np.zeros((state_count(self._board, self._settings.windows), self._settings.phases), np.float32)
        states[self._kept] = self._weights[1:-1]
        found = Patterns.quantised(
            states, self._weights[-1], scale=self._settings.scale, windows=self._settings.windows
        )
        chosen = slice(None, None, max(1, len(self._test_states) // CALIBRATED))
        scores = found.scores(self._board, self._test_states[chosen]).astype(np.float64)
        return replace(found, calibration=calibrate(scores, self._test.results[chosen].astype(np.float64)))

    def provenance(self) -> dict[str, str]:
        return {
            "data_sha256": self._digest,
            "held_out": repr(self._held_out),
            "positions": repr(self._positions),
            "states": repr(len(self._kept)),
        }

    # Reading

    def _loader(self, *, held_out: bool, seed: int = 0, batch_size: int = READ) -> Loader:
        return Loader(
            self.game,
            self._blocks,
            features=f"{FEATURES}:{self._settings.windows}",
            batch_size=batch_size,
            seed=self._settings.seed + seed,
            symmetries=not held_out,
            shuffle_buffer=max(READ, 16 * batch_size),
            epochs=1,
            held_out=held_out,
            in_check=False,
            tactical=self._settings.tactical,
            max_score=self._settings.max_score,
        )

    def _chosen(self, loader: Loader) -> Iterator[Batch]:
        """The batches of a loader, without first moves that have no score."""
        for batch in loader:
            kept = self._settings.kept(batch)
            if kept.any():
                yield _part(batch, kept)

    def _count_states(self) -> None:
        """Which states get a weight, how many positions there are, and the scale of their scores."""
        loader = self._loader(held_out=False)
        counts, scores, results = np.zeros(state_count(self._board, self._settings.windows) + 1, np.int64), [], []
        for batch in self._chosen(loader):
            counts += np.bincount(batch.features.ravel(), minlength=len(counts))
            scores.append(batch.score)
            results.append(batch.result)
        if not results:
            raise DataError(f"{self._blocks}: the filters leave no position of {loader.games} games")
        self._positions = sum(map(len, results))
        self._settings = self._settings.for_positions(
            self._positions, spread_of(np.concatenate(scores), np.concatenate(results))
        )
        self._kept = np.flatnonzero(counts[:-1] >= self._settings.least)
        # The first place is for states without a weight, and the last one for the turn.
        self._place = np.zeros(len(counts), np.int32)
        self._place[self._kept] = np.arange(1, len(self._kept) + 1)

    def _collect_test(self) -> tuple[Array, _Examples]:
        """Positions that are held out, evenly spread, as states and as examples."""
        loader = self._loader(held_out=True)
        self._held_out = sum(map(len, self._chosen(loader)))
        if not self._held_out:
            raise DataError(f"{self._blocks}: the filters leave no position of {loader.games} games")
        every = max(1, self._held_out // MEASURED)
        parts = [_part(batch, slice(None, None, every)) for batch in self._chosen(loader)]
        test = Batch(
            **{each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(Batch)}
        )
        return test.features, self._examples(test)

    def _examples(self, batch: Batch) -> _Examples:
        whole = self._board.start_pieces
        pieces = pieces_of(self._board, batch.features, self._settings.windows)
        shares = phase_shares(pieces, self._settings.phases, whole) / whole
        targets = mixed_targets(batch.score, batch.result, self._settings.mix, self._settings.scale)
        return _Examples(self._place[batch.features], shares.astype(np.float32), targets, batch.result)

    # Fitting

    def _logits(self, examples: _Examples) -> Floats:
        parts = []
        for first in range(0, len(examples.results), CHUNK):
            places, shares = (array[first : first + CHUNK] for array in (examples.places, examples.shares))
            own, other = (self._weights[places[:, side]].sum(axis=1) for side in (0, 1))
            parts.append(((own - other + self._weights[-1]) * shares).sum(axis=1))
        return np.concatenate(parts)

    def _update(self, examples: _Examples, rate: float) -> float:
        """An update of Adam; the mean loss before it."""
        logits = self._logits(examples)
        errors = (1 / (1 + np.exp(-logits)) - examples.targets) / len(logits)
        gradient = self._settings.prior / self._positions * self._weights
        pulls, (size, phases), most = errors[:, None] * examples.shares, gradient.shape, examples.places.shape[2]
        own, other = (examples.places[:, side].ravel() for side in (0, 1))
        for phase in range(phases):
            each = np.repeat(pulls[:, phase], most)
            gradient[:, phase] += np.bincount(own, each, size) - np.bincount(other, each, size)
        gradient[0] = 0
        gradient[-1] += pulls.sum(axis=0)
        self._updates += 1
        self._means += (1 - BETAS[0]) * (gradient - self._means)
        self._squares += (1 - BETAS[1]) * (gradient**2 - self._squares)
        means, squares = (
            moment / (1 - beta**self._updates) for moment, beta in zip((self._means, self._squares), BETAS, strict=True)
        )
        self._weights -= np.float32(rate) * means / (np.sqrt(squares) + EPSILON)
        return float((np.logaddexp(0.0, logits) - examples.targets * logits).mean())


def _part(batch: Batch, rows: slice | Array) -> Batch:
    """Some rows of a batch."""
    return Batch(**{each.name: getattr(batch, each.name)[rows] for each in fields(Batch)})
