"""The laboratory: random games, games of the engine against itself, and evaluations learnt from games."""

from __future__ import annotations

from damier.lab.classic import Fit, fit_classic
from damier.lab.loader import Batch, Filters, Loader
from damier.lab.selfplay import self_play
from damier.lab.simulation import RunOptions, Simulation, collect, simulate

__all__ = [
    "Batch",
    "Filters",
    "Fit",
    "Loader",
    "RunOptions",
    "Simulation",
    "collect",
    "fit_classic",
    "self_play",
    "simulate",
]
