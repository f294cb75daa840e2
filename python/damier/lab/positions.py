"""Which positions of games a network or tables learn from, and with what target."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier.engine.arguments import check_range
from damier.lab.loader import Batch

__all__ = ["PositionSettings"]


@dataclass(frozen=True, kw_only=True)
class PositionSettings:
    """Settings shared by methods that learn from positions with scores.

    >>> PositionSettings(skip=4).kept(Batch(*np.float32([[0, 0], [np.nan, 20], [1, 1], [3, 3], [9, 9]]))).tolist()
    [False, True]
    """

    mix: float = 0.7  # the share of the search's scores in what is aimed at, the rest being results
    scale: int = 0  # the score at which the odds of a win are e to 1
    skip: int = 10  # the first plies of each game, unless they have scores
    max_score: int = 2000  # beyond which a position is decided
    tactical: bool = False  # also positions in which the move played is a capture or a promotion

    def check(self) -> None:
        """Refuse settings that make no sense."""
        check_range("mix", self.mix, 0, 1)
        check_range("scale", self.scale, 0, 10_000)
        check_range("skip", self.skip, 0, 1000)
        check_range("max_score", self.max_score, 1, 31_000)

    def kept(self, batch: Batch) -> npt.NDArray[np.bool_]:
        """Which samples come after the first plies, or have a score."""
        found: npt.NDArray[np.bool_] = ~np.isnan(batch.score) | (batch.ply >= self.skip)
        return found
