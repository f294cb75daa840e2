"""Draughts: international, English, Russian and nine more, each with its own rule book."""

from __future__ import annotations

from typing import ClassVar

from damier import _core
from damier.board import Board as AnyBoard
from damier.board import LegalMoves, Move, variants_of

__all__ = ["GAME_TYPES", "TWO_POINT_WINS", "VARIANTS", "Board", "LegalMoves", "Move"]

VARIANTS = variants_of("draughts")
GAME_TYPES: dict[str, int] = {info.name: info.game_type for info in _core.variants() if info.game_type}
TWO_POINT_WINS: frozenset[str] = frozenset(info.name for info in _core.variants() if info.two_point_win)


class Board(AnyBoard):
    """A game of draughts in the variant of your choice, English by default.

    >>> board = Board(variant="international")
    >>> board.push("32-28")
    <Move 32-28>
    """

    FAMILY: ClassVar[str | None] = "draughts"
    DEFAULT_VARIANT: ClassVar[str | None] = "english"

    def __init__(self, fen: str | None = None, *, variant: str = "english") -> None:
        super().__init__(fen, variant=variant)

    def must_capture(self) -> list[str]:
        """The squares of the pieces that can capture, one of which must, in board order; none if nothing can.

        >>> Board().must_capture(), Board("W:W18,32:B14,27,9").must_capture()
        ([], ['32'])
        """
        capturing = {move.from_square for move in self.legal_moves if move.captured}
        return [name for name, _, _ in self.squares if name in capturing]
