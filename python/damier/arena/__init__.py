"""Matches and what they prove: pairs of games, error bars and sequential tests."""

from __future__ import annotations

from damier.arena.pairs import Estimate, Pairs, elo_of, share_of
from damier.arena.sprt import Model, Sprt

__all__ = ["Estimate", "Model", "Pairs", "Sprt", "elo_of", "share_of"]
