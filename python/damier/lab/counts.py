"""How many games there are, how long they were and how they ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from damier._core import results
from damier.storage.shards import REASONS, Columns

__all__ = ["GameCounts"]


@dataclass(kw_only=True)
class GameCounts:
    """Counts of games, to which more are added as columns."""

    games: int = 0
    plies: int = 0
    results: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return self.plies / self.games if self.games else 0.0

    def count(self, columns: Columns) -> None:
        """Add games."""
        self.games += len(columns["plies"])
        self.plies += int(columns["plies"].sum())
        for codes, names, counter in (
            (columns["results"], results(), self.results),
            (columns["reasons"], REASONS, self.reasons),
        ):
            for code, count in enumerate(np.bincount(codes, minlength=len(names)).tolist()):
                if count:
                    counter[names[code]] += count
