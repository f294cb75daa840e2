"""Learning: games of the engine against itself, and evaluations made from them."""

from __future__ import annotations

from damier.learn.classic import Tuning, tune
from damier.learn.selfplay import self_play

__all__ = ["Tuning", "self_play", "tune"]
