"""The laboratory: random games, games of players to learn from, data sets, and evaluations learnt from games."""

from __future__ import annotations

from damier.lab.classic import Fit, fit_classic
from damier.lab.data import DataSet, dedupe, import_games, merge
from damier.lab.describe import Description, describe
from damier.lab.export import export_games
from damier.lab.selfplay import self_play
from damier.lab.simulation import RunOptions, Simulation, collect, simulate

__all__ = [
    "DataSet",
    "Description",
    "Fit",
    "RunOptions",
    "Simulation",
    "collect",
    "dedupe",
    "describe",
    "export_games",
    "fit_classic",
    "import_games",
    "merge",
    "self_play",
    "simulate",
]
