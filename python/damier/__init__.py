"""damier: engines for Lines of Action, chess and draughts, and the laboratory to train and measure them."""

from __future__ import annotations

from damier import chess, draughts, loa
from damier._core import DamierError, DataError, FenError, MoveError, Outcome, Side
from damier.data import read_games, simulate
from damier.games import GAMES, GameInfo, board

__all__ = [
    "GAMES",
    "DamierError",
    "DataError",
    "FenError",
    "GameInfo",
    "MoveError",
    "Outcome",
    "Side",
    "board",
    "chess",
    "draughts",
    "loa",
    "read_games",
    "simulate",
]
