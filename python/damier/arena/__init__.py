"""Matches and what they prove: openings, schedules, pairs of games, error bars, sequential tests and ratings."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from damier.arena.knockout import KnockOut
from damier.arena.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.schedule import Fixed, Meeting, Pairing, Round, Schedule, gauntlet, round_robin
from damier.arena.sprt import Model, Sprt
from damier.arena.standings import Score, Standing, cross_table, standings
from damier.arena.swiss import Swiss

if TYPE_CHECKING:
    from damier.arena.book import Book, Opening, Openings, RandomOpenings, openings
    from damier.arena.ratings import Rating, Ratings, Result, rate

__all__ = [
    "Book",
    "Estimate",
    "Fixed",
    "KnockOut",
    "Meeting",
    "Model",
    "Opening",
    "Openings",
    "Pairing",
    "Pairs",
    "RandomOpenings",
    "Rating",
    "Ratings",
    "Result",
    "Round",
    "Schedule",
    "Score",
    "Sprt",
    "Standing",
    "Swiss",
    "cross_table",
    "elo_of",
    "gauntlet",
    "openings",
    "rate",
    "round_robin",
    "share_of",
    "standings",
]


LATER = {
    **dict.fromkeys(("Book", "Opening", "Openings", "RandomOpenings", "openings"), "damier.arena.book"),
    **dict.fromkeys(("Rating", "Ratings", "Result", "rate"), "damier.arena.ratings"),
}


def __getattr__(name: str) -> Any:
    """Load what needs numpy or records only when it is asked for: commands must start at once."""
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    raise AttributeError(f"module 'damier.arena' has no attribute {name!r}")
