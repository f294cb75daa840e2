"""Draughts: international, English, Russian and nine more, each by its own rule book."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from damier import _core
from damier._core import Side
from damier._core.draughts import LegalMoves, Move
from damier.drawing import Drawn, Piece

__all__ = ["GAME_TYPES", "TWO_POINT_WINS", "VARIANTS", "Board", "LegalMoves", "Move"]

VARIANTS: dict[str, str] = {name: title for name, title, _, _ in _core.draughts.variants()}
GAME_TYPES: dict[str, int] = {name: number for name, _, number, _ in _core.draughts.variants() if number}
TWO_POINT_WINS: frozenset[str] = frozenset(name for name, _, _, two in _core.draughts.variants() if two)


class Board(Drawn, _core.draughts.Board):
    """A game of draughts in the variant of your choice.

    >>> board = Board("international")
    >>> board.text(board.parse("32-28"))
    '32-28'
    >>> board.play("32-28")
    <Move 32-28>
    """

    TITLE: ClassVar[str] = "Draughts"
    PIECES: ClassVar[Mapping[str, Piece]] = {
        "w": Piece(Side.WHITE, "man", "⛀", "●"),
        "W": Piece(Side.WHITE, "crowned", "⛁", "♛"),
        "b": Piece(Side.BLACK, "man", "⛂", "●"),
        "B": Piece(Side.BLACK, "crowned", "⛃", "♛"),
    }

    def __repr__(self) -> str:
        return f"draughts.Board({self.variant!r}, {self.fen()!r})"

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Any, ...]]:
        return _rebuilt, (self.variant, self.start_fen(), self.codes())


def _rebuilt(variant: str, fen: str, codes: Any) -> Board:
    board = Board(variant, fen)
    board.replay(codes)
    return board
