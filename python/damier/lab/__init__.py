"""The laboratory: random games, games of the engine against itself, and evaluations made from them."""

from __future__ import annotations

from damier.lab.classic import Tuning, tune
from damier.lab.selfplay import self_play
from damier.lab.simulation import Simulation, collect, simulate

__all__ = ["Simulation", "Tuning", "collect", "self_play", "simulate", "tune"]
