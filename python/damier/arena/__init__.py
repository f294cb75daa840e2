"""Matches and what they prove: openings, schedules, pairs of games, error bars, sequential tests and ratings."""

from __future__ import annotations

from damier.arena.knockout import KnockOut
from damier.arena.openings import Book, Opening, Openings, RandomOpenings, openings
from damier.arena.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.ratings import Rating, Ratings, Result, rate
from damier.arena.schedule import Fixed, Meeting, Pairing, Round, Schedule, gauntlet, round_robin
from damier.arena.sprt import Model, Sprt
from damier.arena.standings import Score, Standing, cross_table, standings
from damier.arena.swiss import Swiss

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
