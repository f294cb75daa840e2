"""damier: engines for Lines of Action, chess and draughts, and the laboratory to train and measure them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from damier import chess, draughts, loa
from damier._core import DamierError, DataError, FenError, MoveError, Outcome, Side
from damier.games import GAMES, GameInfo, board

if TYPE_CHECKING:
    from damier.data import read_games, simulate

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


def __getattr__(name: str) -> Any:
    """Load what needs pyarrow only when it is asked for: playing must start at once."""
    if name in ("read_games", "simulate"):
        from damier import data  # noqa: PLC0415

        return getattr(data, name)
    raise AttributeError(f"module 'damier' has no attribute {name!r}")
