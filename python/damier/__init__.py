"""damier: engines for Lines of Action, chess and draughts, and the laboratory to train and measure them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

try:
    from damier import chess, draughts, loa
    from damier._core import DamierError, DataError, FenError, MoveError, Outcome, Side
    from damier.board import Board, Move
    from damier.games import GAMES, VariantInfo, board, load_games
    from damier.version import __version__
except KeyboardInterrupt:  # a command that is interrupted while it loads says nothing, as later on
    if Path(sys.argv[0]).stem == "damier" or sys.orig_argv[1:3] == ["-m", "damier"]:
        sys.exit(130)
    raise

if TYPE_CHECKING:
    from damier import arena, engine, envs, eval, lab, players, records, storage, textbook
    from damier.batch import BoardBatch
    from damier.engine import Engine, Limit
    from damier.lab.simulation import simulate
    from damier.storage import read_games

__all__ = [
    "GAMES",
    "Board",
    "BoardBatch",
    "DamierError",
    "DataError",
    "Engine",
    "FenError",
    "Limit",
    "Move",
    "MoveError",
    "Outcome",
    "Side",
    "VariantInfo",
    "__version__",
    "arena",
    "board",
    "chess",
    "draughts",
    "engine",
    "envs",
    "eval",
    "lab",
    "loa",
    "load_games",
    "players",
    "read_games",
    "records",
    "simulate",
    "storage",
    "textbook",
]


_LATER = {
    "damier.batch": ("BoardBatch",),
    "damier.engine": ("Engine", "Limit"),
    "damier.lab.simulation": ("simulate",),
    "damier.storage": ("read_games",),
}


def __getattr__(name: str) -> object:
    """Load what is slow to import, or rarely needed, on first use: playing must start at once."""
    if name in ("arena", "engine", "envs", "eval", "lab", "players", "records", "storage", "textbook"):
        return importlib.import_module(f"damier.{name}")
    for module, names in _LATER.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module 'damier' has no attribute {name!r}")


def __dir__() -> list[str]:
    """All public names, including those loaded on first use."""
    return sorted(__all__)
