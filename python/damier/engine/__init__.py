"""The engine: a strong player that chooses moves and analyses positions.

>>> from damier import chess
>>> with Engine("chess") as engine:
...     engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"), Limit(depth=4)).move
<Move a1a8>
"""

from __future__ import annotations

from damier._core import Limit
from damier.engine.analysis import Analysis
from damier.engine.elo import EloTable, elo_table
from damier.engine.engine import Engine
from damier.engine.knowledge import Book, Probe
from damier.engine.levels import LEVELS
from damier.engine.result import FaultKind, PlayerError, SearchResult
from damier.engine.score import Score

__all__ = [
    "LEVELS",
    "Analysis",
    "Book",
    "EloTable",
    "Engine",
    "FaultKind",
    "Limit",
    "PlayerError",
    "Probe",
    "Score",
    "SearchResult",
    "elo_table",
]
