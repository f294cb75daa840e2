"""What a search or a player answers when it is asked for a move, and how it can fail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from damier._core import DamierError
from damier.board import Move
from damier.engine.score import Score

__all__ = ["FaultKind", "PlayerError", "SearchResult"]

FaultKind = Literal["crash", "stall", "illegal move", "garbage", "refusal", "resignation"]


NO_SCORE = Score(0)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A move and what is known about it: the answer of engines, players and textbook algorithms, final or in progress.

    The score is for the side to move. A player that gives no score leaves its bound at "none".

    >>> SearchResult("e2e4").has_score, SearchResult("e2e4", nodes=5000, seconds=0.5).nps
    (False, 10000)
    """

    move: Move | Any  # None when the game is over
    score: Score = NO_SCORE
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    pv: tuple[Move, ...] = ()
    ponder: Move | None = None  # the reply expected
    multipv: int = 1  # 1 for the best line, 2 for the next best
    seldepth: int = 0
    bound: str = "none"  # what the score says: "exact", "lower", "upper", or nothing
    hashfull: int = 0  # of the transposition table, in thousandths
    stopped: bool = False  # before the depth asked for was finished
    algorithm: str = ""  # of the textbook, which also counts what it did:
    leaves: int = 0
    cutoffs: int = 0
    table_hits: int = 0
    researches: int = 0

    @property
    def has_score(self) -> bool:
        """Whether the result has a score."""
        return self.bound != "none"

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-6))

    @property
    def wdl(self) -> tuple[int, int, int]:
        """The chances to win, to draw and to lose, in thousandths."""
        return self.score.wdl()

    @property
    def branching(self) -> float | None:
        """The effective branching factor: the depth-th root of the nodes; None where there is no depth.

        >>> SearchResult(None, depth=2, nodes=900).branching
        30.0
        """
        return float(self.nodes ** (1 / self.depth)) if self.depth else None


class PlayerError(DamierError):
    """A player that cannot or will not go on; it loses the game, and `kind` says why.

    >>> str(PlayerError("stall", "no answer within 3 s"))
    'stall: no answer within 3 s'
    """

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message
