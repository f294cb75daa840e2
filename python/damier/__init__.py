"""damier: engines for Lines of Action, chess and draughts, and the laboratory to train and measure them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from damier import chess, draughts, loa
from damier._core import DamierError, DataError, FenError, MoveError, Outcome, Side
from damier.games import GAMES, GameInfo, board

if TYPE_CHECKING:
    from damier import data, database, engine, players, records, search
    from damier.data import read_games, simulate
    from damier.engine import Engine, Limit

__all__ = [
    "GAMES",
    "DamierError",
    "DataError",
    "Engine",
    "FenError",
    "GameInfo",
    "Limit",
    "MoveError",
    "Outcome",
    "Side",
    "board",
    "chess",
    "data",
    "database",
    "draughts",
    "engine",
    "loa",
    "players",
    "read_games",
    "records",
    "search",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """Load what is slow to load, or rarely needed, only when it is asked for: playing must start at once."""
    if name in ("data", "database", "engine", "players", "records", "search"):
        return importlib.import_module(f"damier.{name}")
    if name in ("read_games", "simulate"):
        return getattr(importlib.import_module("damier.data"), name)
    if name in ("Engine", "Limit"):
        return getattr(importlib.import_module("damier.engine"), name)
    raise AttributeError(f"module 'damier' has no attribute {name!r}")
