"""Positions to learn from, all of them in memory: the numbers of their inputs, their scores and their results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError
from damier.lab.blocks import Blocks
from damier.lab.fit import mixed_targets, spread_of
from damier.lab.loader import Loader
from damier.lab.nnue.settings import NnueSettings
from damier.nnue import FEATURES, bucket_of
from damier.weights import Array

__all__ = ["NnueSamples", "collect", "joined"]

BATCH = 1 << 16

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class NnueSamples:
    """Positions, a row each: inputs as both sides see them, [n, 2, most] with unused places at the end; the score, NaN
    where there is none, and the result, both for the side to move."""

    inputs: npt.NDArray[np.int16]
    scores: Floats
    results: Floats

    def __len__(self) -> int:
        return len(self.results)

    def some(self, most: int) -> NnueSamples:
        """At most about this many of them, evenly spread."""
        chosen = slice(None, None, max(1, len(self) // most))
        return NnueSamples(self.inputs[chosen], self.scores[chosen], self.results[chosen])

    def targets(self, mix: float, scale: float) -> Floats:
        """The target, an expected result: `mix` times what the score says, the rest from the result.

        >>> some = NnueSamples(np.zeros((2, 2, 1), np.int16), np.float32([0, np.nan]), np.float32([1, 1]))
        >>> some.targets(0.5, 150).tolist()
        [0.75, 1.0]
        """
        return mixed_targets(self.scores, self.results, mix, scale)

    @property
    def spread(self) -> int:
        """The score at which the odds of a win are e to 1, by the results."""
        return spread_of(self.scores, self.results)

    def buckets(self, game: str, count: int, features: str = FEATURES) -> npt.NDArray[np.uint8]:
        """The output row of each, by its pieces."""
        board = games.board(game)
        pieces = (self.inputs[:, 0] < len(board.nnue_inputs(features))).sum(axis=1)
        return bucket_of(pieces, count, board.start_pieces).astype(np.uint8)


def collect(game: str, blocks: Blocks, settings: NnueSettings, *, held_out: bool, image: int = 0) -> NnueSamples:
    """All positions of the games that are held out, or of the others, each in an image that is drawn at random."""
    loader = Loader(
        game,
        blocks,
        features=settings.features,
        batch_size=BATCH,
        seed=settings.seed + image,
        symmetries=not held_out,
        shuffle_buffer=BATCH,
        epochs=1,
        held_out=held_out,
        in_check=False,
        tactical=settings.tactical,
        max_score=settings.max_score,
    )
    inputs: list[Array] = []
    scores: list[Array] = []
    results: list[Array] = []
    for batch in loader:
        kept = settings.kept(batch)
        inputs.append(batch.features[kept])
        scores.append(batch.score[kept])
        results.append(batch.result[kept])
    if not any(map(len, results)):
        raise DataError(f"{blocks}: the filters leave no position of {loader.games} games")
    return NnueSamples(joined(inputs), joined(scores), joined(results))


def joined(parts: list[Array]) -> Array:
    """The parts one after the other, which `parts` loses as they are copied: large ones are never in memory twice.

    >>> joined([np.arange(2), np.arange(3)])
    array([0, 1, 0, 1, 2])
    """
    if len(parts) == 1:
        return parts.pop()
    end = sum(map(len, parts))
    whole = np.empty((end, *parts[0].shape[1:]), parts[0].dtype)
    while parts:
        part = parts.pop()
        whole[end - len(part) : end] = part
        end -= len(part)
    return whole
