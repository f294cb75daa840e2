"""What a player answers when it is asked for a move, and how one can fail to."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from damier._core import DamierError
from damier.engine.score import Score

__all__ = ["FaultKind", "PlayerError", "Searcher", "Thought"]

FaultKind = Literal["crash", "stall", "illegal move", "garbage", "refusal", "resignation"]


class Thought(NamedTuple):
    """A move and what its player said of it: score for the side to move, depth and nodes, as far as it said so.

    >>> Thought("e4").score is None
    True
    """

    move: Any
    score: Score | None = None
    depth: int = 0
    nodes: int = 0


class Searcher(NamedTuple):
    """A search of the core that makes all moves of a player, and its limit a move: depth, nodes, seconds, overhead."""

    core: Any
    limit: tuple[int, int, float, float]


class PlayerError(DamierError):
    """A player that cannot or will not go on; the game is lost for this reason, and `kind` says which sort it is.

    >>> str(PlayerError("stall", "no answer within 3 s"))
    'stall: no answer within 3 s'
    """

    def __init__(self, kind: FaultKind, words: str) -> None:
        super().__init__(f"{kind}: {words}")
        self.kind = kind
        self.words = words
