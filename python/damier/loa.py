"""Lines of Action, on boards of 5x5 to 8x8 and by the rules of your choice."""

from __future__ import annotations

from typing import Any, ClassVar

from damier.board import Board as AnyBoard
from damier.board import LegalMoves, Move, variants_of

__all__ = ["VARIANTS", "Board", "LegalMoves", "Move"]

VARIANTS = variants_of("loa")


class Board(AnyBoard):
    """A game of Lines of Action.

    `variant` is a name such as `loa`, `loa6` or `loa:olympiad`; single articles are chosen by keyword:
    `simultaneous` ("mover wins" or "draws"), `no_move` ("loses" or "passes") and `repetition` (2 or 3).

    >>> board = Board()
    >>> board.push("b1-b3")
    <Move b1-b3>
    >>> len(board.legal_moves), board.outcome()
    (34, None)
    """

    FAMILY: ClassVar[str | None] = "loa"
    USUAL: ClassVar[str | None] = "loa"

    def __init__(
        self,
        fen: str | None = None,
        *,
        variant: str = "loa",
        simultaneous: str | None = None,
        no_move: str | None = None,
        repetition: int | None = None,
    ) -> None:
        super().__init__(fen, variant=variant, simultaneous=simultaneous, no_move=no_move, repetition=repetition)

    @property
    def rules(self) -> dict[str, Any]:
        """The disputed articles, as the constructor takes them.

        >>> Board(variant="loa:bing").rules
        {'simultaneous': 'draws', 'no_move': 'loses', 'repetition': 2}
        """
        articles = self.articles
        return {
            "simultaneous": articles["simultaneous"],
            "no_move": articles["no_move"],
            "repetition": int(articles["repetition"]),
        }
