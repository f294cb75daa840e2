"""Chess and Chess960."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from damier import _core
from damier._core import Side
from damier._core.chess import LegalMoves, Move, start960
from damier.drawing import Drawn, Piece

__all__ = ["VARIANTS", "Board", "LegalMoves", "Move", "start960"]

_KINDS = list(zip(("king", "queen", "rook", "bishop", "knight", "pawn"), "♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True))

VARIANTS = {"chess": "Chess", "chess960": "Chess960"}


class Board(Drawn, _core.chess.Board):
    """A game of chess, or of Chess960 with `chess960=True`.

    >>> board = Board()
    >>> board.play("e4")
    <Move e2e4>
    >>> board.san(board.parse("g8f6"))
    'Nf6'
    """

    TITLE: ClassVar[str] = "Chess"
    PIECES: ClassVar[Mapping[str, Piece]] = {
        letter: Piece(Side.WHITE, name, outline, solid)
        for letter, (name, outline, solid) in zip("KQRBNP", _KINDS, strict=True)
    } | {
        letter: Piece(Side.BLACK, name, solid, solid) for letter, (name, _, solid) in zip("kqrbnp", _KINDS, strict=True)
    }

    @classmethod
    def from_epd(cls, text: str, *, chess960: bool = False) -> tuple[Board, dict[str, list[str]]]:
        """Read an EPD line: the board and its operations.

        >>> board, operations = Board.from_epd('4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "castle";')
        >>> operations
        {'bm': ['O-O'], 'id': ['castle']}
        """
        fen, operations = _core.chess.read_epd(text, chess960=chess960)
        return cls(fen, chess960=chess960), operations

    def epd(self, operations: Mapping[str, Sequence[str]] | None = None) -> str:
        """Write the position, and operations if given, as an EPD line.

        >>> Board().epd({"id": ["start"]})
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id "start";'
        """
        return _core.chess.write_epd(self, [(name, list(values)) for name, values in (operations or {}).items()])

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated.

        >>> Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").is_checkmate()
        True
        """
        return self.is_check() and not self.legal_moves

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check.

        >>> Board("7k/5Q2/8/8/8/8/8/4K3 b - - 0 1").is_stalemate()
        True
        """
        return not self.is_check() and not self.legal_moves

    def __repr__(self) -> str:
        return f"chess.Board({self.fen()!r}{', chess960=True' if self.variant == 'chess960' else ''})"

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[Any, ...]]:
        return _rebuilt, (self.variant, self.start_fen(), self.codes())


def _rebuilt(variant: str, fen: str, codes: Any) -> Board:
    board = Board(fen, chess960=variant == "chess960")
    board.replay(codes)
    return board
