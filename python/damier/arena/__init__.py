"""Matches and what they prove: pairs of games, error bars, sequential tests and ratings."""

from __future__ import annotations

from damier.arena.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.ratings import Rating, Ratings, Result, rate
from damier.arena.sprt import Model, Sprt

__all__ = ["Estimate", "Model", "Pairs", "Rating", "Ratings", "Result", "Sprt", "elo_of", "rate", "share_of"]
