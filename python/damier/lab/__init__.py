"""The laboratory: random games, games of players to learn from, data sets, and evaluations learnt from games."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.lab.classic import ClassicLearner, ClassicSettings
    from damier.lab.data import DataSet, dedupe, import_games, merge
    from damier.lab.description import Description, describe
    from damier.lab.export import export_games
    from damier.lab.loader import Batch, Filters, Loader
    from damier.lab.nnue import NnueLearner, NnueSettings
    from damier.lab.patterns import PatternsLearner, PatternsSettings
    from damier.lab.selfplay import self_play
    from damier.lab.simulation import RunOptions, Simulation, collect, simulate

__all__ = [
    "Batch",
    "ClassicLearner",
    "ClassicSettings",
    "DataSet",
    "Description",
    "Filters",
    "Loader",
    "NnueLearner",
    "NnueSettings",
    "PatternsLearner",
    "PatternsSettings",
    "RunOptions",
    "Simulation",
    "collect",
    "dedupe",
    "describe",
    "export_games",
    "import_games",
    "merge",
    "self_play",
    "simulate",
]

LATER = {
    **dict.fromkeys(("ClassicLearner", "ClassicSettings"), "damier.lab.classic"),
    **dict.fromkeys(("DataSet", "dedupe", "import_games", "merge"), "damier.lab.data"),
    **dict.fromkeys(("Description", "describe"), "damier.lab.description"),
    "export_games": "damier.lab.export",
    **dict.fromkeys(("Batch", "Filters", "Loader"), "damier.lab.loader"),
    **dict.fromkeys(("NnueLearner", "NnueSettings"), "damier.lab.nnue"),
    **dict.fromkeys(("PatternsLearner", "PatternsSettings"), "damier.lab.patterns"),
    "self_play": "damier.lab.selfplay",
    **dict.fromkeys(("RunOptions", "Simulation", "collect", "simulate"), "damier.lab.simulation"),
}


def __getattr__(name: str) -> object:
    """Load what needs SciPy, pyarrow or the arena on first use: commands must start at once."""
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    raise AttributeError(f"module 'damier.lab' has no attribute {name!r}")
