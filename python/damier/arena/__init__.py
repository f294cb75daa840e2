"""Matches and what they prove: pairs of games, error bars, sequential tests, ratings; and who plays whom."""

from __future__ import annotations

from damier.arena.knockout import KnockOut
from damier.arena.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.ratings import Rating, Ratings, Result, rate
from damier.arena.schedule import Fixed, Meeting, Pairing, Round, Schedule, gauntlet, round_robin
from damier.arena.sprt import Model, Sprt
from damier.arena.standings import Score, Standing, cross_table, standings
from damier.arena.swiss import Swiss

__all__ = [
    "Estimate",
    "Fixed",
    "KnockOut",
    "Meeting",
    "Model",
    "Pairing",
    "Pairs",
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
    "rate",
    "round_robin",
    "share_of",
    "standings",
]
