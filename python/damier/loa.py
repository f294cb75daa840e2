"""Lines of Action, on boards of 5x5 to 8x8 and by the rules of your choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from damier import _core
from damier._core import Side
from damier._core.loa import LegalMoves, Move
from damier.drawing import Drawn, Piece

__all__ = ["VARIANTS", "Board", "LegalMoves", "Move"]

VARIANTS = {
    "loa": "Lines of Action",
    "loa5": "Lines of Action, 5x5",
    "loa6": "Lines of Action, 6x6",
    "loa7": "Lines of Action, 7x7",
    "loa:olympiad": "Lines of Action, Computer Olympiad rules",
    "loa:openspiel": "Lines of Action, OpenSpiel rules",
    "loa:bing": "Lines of Action, rules of the program BING",
}


class Board(Drawn, _core.loa.Board):
    """A game of Lines of Action.

    `variant` is a name such as `loa`, `loa6` or `loa:olympiad`; single articles are chosen by keyword:
    `simultaneous` ("mover wins" or "draws"), `no_move` ("loses" or "passes") and `repetition` (2 or 3).

    >>> board = Board()
    >>> board.play("b1-b3")
    Move('b1-b3')
    >>> len(board.legal_moves), board.outcome()
    (34, None)
    """

    TITLE: ClassVar[str] = "Lines of Action"
    PIECES: ClassVar[Mapping[str, Piece]] = {
        "o": Piece(Side.WHITE, "disc", "○", "●"),
        "x": Piece(Side.BLACK, "disc", "●", "●"),
    }

    def __init__(
        self,
        fen: str | None = None,
        *,
        variant: str = "loa",
        simultaneous: str | None = None,
        no_move: str | None = None,
        repetition: int | None = None,
    ) -> None:
        super().__init__(fen, rules=variant, simultaneous=simultaneous, no_move=no_move, repetition=repetition)

    def __repr__(self) -> str:
        usual = Board(variant=self.variant).rules
        keywords = {"variant": self.variant} if self.variant != "loa" else {}
        keywords |= {article: choice for article, choice in self.rules.items() if choice != usual[article]}
        return f"loa.Board({', '.join([repr(self.fen()), *(f'{key}={value!r}' for key, value in keywords.items())])})"

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Any, ...]]:
        return _rebuilt, (self.variant, self.start_fen(), self.rules, self.codes())


def _rebuilt(variant: str, fen: str, rules: dict[str, Any], codes: Any) -> Board:
    board = Board(fen, variant=variant, **rules)
    board.replay(codes)
    return board
