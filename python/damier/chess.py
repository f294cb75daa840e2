"""Chess and Chess960."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from damier import _core
from damier._core import MoveError, Side
from damier._core.chess import start960
from damier.board import Board as AnyBoard
from damier.board import LegalMoves, Move, variants_of

__all__ = ["VARIANTS", "Board", "LegalMoves", "Move", "start960"]

VARIANTS = variants_of("chess")


class Board(AnyBoard):
    """A game of chess, or of Chess960 with `chess960=True`.

    >>> board = Board()
    >>> board.push("e4")
    <Move e2e4>
    >>> board.san(board.parse("g8f6"))
    'Nf6'
    """

    FAMILY: ClassVar[str | None] = "chess"
    DEFAULT_VARIANT: ClassVar[str | None] = "chess"

    def __init__(self, fen: str | None = None, *, variant: str = "chess", chess960: bool = False) -> None:
        super().__init__(fen, variant="chess960" if chess960 else variant)

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

    def san(self, move: Move) -> str:
        """A legal move in standard algebraic notation."""
        return _core.chess.san(self, move)

    def uci(self, move: Move) -> str:
        """A legal move in UCI coordinates, as an engine writes it."""
        return _core.chess.uci(self, move)

    def parse_san(self, text: str) -> Move:
        """The legal move given by a text in standard algebraic notation; raises MoveError."""
        return _core.chess.parse_san(self, text)

    def parse_uci(self, text: str) -> Move:
        """The legal move given by a text in UCI coordinates; raises MoveError."""
        return _core.chess.parse_uci(self, text)

    def is_check(self) -> bool:
        """Whether the king of the side to move is attacked."""
        return _core.chess.is_check(self)

    def checked_king(self) -> str | None:
        """The square of the king that is attacked, or None.

        >>> Board("4k3/8/8/8/8/8/8/4R1K1 b - - 0 1").checked_king()
        'e8'
        """
        king = "K" if self.turn == Side.WHITE else "k"
        return next(square for square, letter in self.pieces().items() if letter == king) if self.is_check() else None

    def passed_pawns(self, side: Side) -> list[str]:
        """The pawns of a side that no pawn can stop: theirs neither on its file nor beside it, ours not before it.

        >>> Board("4k3/1p6/8/P2P4/8/3P4/6P1/4K3 w - - 0 1").passed_pawns(Side.WHITE)
        ['d5', 'g2']
        """
        pieces, forward = self.pieces(), 1 if side == Side.WHITE else -1
        ours, theirs = ("P", "p") if side == Side.WHITE else ("p", "P")
        places = {square: (file, forward * rank) for square, file, rank in self.squares}
        width = {ours: 0, theirs: 1}  # of the files on which a pawn is in the way
        pawns = [(*places[square], width[letter]) for square, letter in pieces.items() if letter in width]

        def is_passed(file: int, rank: int) -> bool:
            return not any(abs(file - other) <= wide and ahead > rank for other, ahead, wide in pawns)

        return sorted(square for square, letter in pieces.items() if letter == ours and is_passed(*places[square]))

    def is_capture(self, move: Move) -> bool:
        """Whether a legal move is a capture."""
        if not self.is_legal(move):
            raise MoveError(f"{move} is illegal in {self.fen()}")
        return bool(move.captured)

    def is_insufficient_material(self) -> bool:
        """Whether neither side has enough material to mate."""
        return _core.chess.is_insufficient_material(self)

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
