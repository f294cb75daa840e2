"""Ratings as a picture: a row per player, the strongest on top, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterable

from damier.arena.stats.ratings import Rating
from damier.drawing.intervals import Interval, intervals

__all__ = ["ratings_svg"]


def ratings_svg(ratings: Iterable[Rating], title: str) -> str:
    """Draw ratings with error bars.

    >>> ratings_svg([Rating("Anne", 20.0, 9.0, 8, 5.0, -20.0)], "A cup").count("<circle")
    1
    """
    rows = [
        Interval(
            row.name,
            row.elo,
            row.elo - row.error,
            row.elo + row.error,
            f"{row.elo:.0f} ± {row.error:.0f}",
            f"{row.games} games",
        )
        for row in sorted(ratings, key=lambda row: -row.elo)
    ]
    return intervals(rows, title, least=10.0)
