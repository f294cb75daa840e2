"""Matches and what they prove: openings, schedules, pairs of games, error bars, sequential tests and ratings."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from damier.arena.schedule.knockout import KnockOut
from damier.arena.schedule.schedule import Fixed, Meeting, Pairing, Round, Schedule, gauntlet, round_robin
from damier.arena.schedule.swiss import Swiss
from damier.arena.stats.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.stats.sprt import Model, Sprt
from damier.arena.stats.standings import Score, Standing, cross_table, standings

if TYPE_CHECKING:
    from damier.arena.match import Match
    from damier.arena.play.book import Book, Opening, Openings, RandomOpenings, openings
    from damier.arena.stats.ratings import Rating, Ratings, Result, rate
    from damier.arena.tournament import Tournament

__all__ = [
    "Book",
    "Estimate",
    "Fixed",
    "KnockOut",
    "Match",
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
    "Tournament",
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
    "Match": "damier.arena.match",
    "Tournament": "damier.arena.tournament",
    **dict.fromkeys(("Book", "Opening", "Openings", "RandomOpenings", "openings"), "damier.arena.play.book"),
    **dict.fromkeys(("Rating", "Ratings", "Result", "rate"), "damier.arena.stats.ratings"),
}


def __getattr__(name: str) -> object:
    """Load what needs numpy or records on first use: commands must start at once."""
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    raise AttributeError(f"module 'damier.arena' has no attribute {name!r}")
