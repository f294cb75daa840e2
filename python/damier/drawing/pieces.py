"""What every way of drawing needs to know about a board: its shape, and whose piece a letter stands for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from damier._core import Board, Side, variant

__all__ = ["SETS", "Piece", "grid", "last_path", "numbered", "pieces_of", "title"]


@dataclass(frozen=True)
class Piece:
    """A piece as people see it; `solid` is for coloured squares, where the ink shows the side."""

    side: Side
    name: str
    glyph: str
    solid: str


class _Discs(dict[str, Piece]):
    """Pieces of a game without drawings of its own: a capital letter is White's."""

    def __missing__(self, letter: str) -> Piece:
        return Piece(Side.WHITE, "disc", "○", "●") if letter.isupper() else Piece(Side.BLACK, "disc", "●", "●")


_CHESSMEN = list(zip(("king", "queen", "rook", "bishop", "knight", "pawn"), "♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True))

SETS: dict[str, Mapping[str, Piece]] = {
    "loa": {"o": Piece(Side.WHITE, "disc", "○", "●"), "x": Piece(Side.BLACK, "disc", "●", "●")},
    "chess": {
        **{letter: Piece(Side.WHITE, *man) for letter, man in zip("KQRBNP", _CHESSMEN, strict=True)},
        **{
            letter: Piece(Side.BLACK, name, solid, solid)
            for letter, (name, _, solid) in zip("kqrbnp", _CHESSMEN, strict=True)
        },
    },
    "draughts": {
        "w": Piece(Side.WHITE, "man", "⛀", "●"),
        "W": Piece(Side.WHITE, "crowned", "⛁", "♛"),
        "b": Piece(Side.BLACK, "man", "⛂", "●"),
        "B": Piece(Side.BLACK, "crowned", "⛃", "♛"),
    },
}


def pieces_of(board: Board) -> Mapping[str, Piece]:
    """The pieces of the board's game, by letter.

    >>> from damier import loa
    >>> pieces_of(loa.Board())["x"].name
    'disc'
    """
    return SETS.get(variant(board.variant).family, _Discs())


def title(board: Board) -> str:
    """What the board shows, in one line.

    >>> from damier import draughts
    >>> title(draughts.Board(variant="russian"))
    'Russian draughts, White to move'
    """
    return f"{variant(board.variant).title}, {board.turn.name.capitalize()} to move"


def grid(board: Board, flip: bool = False) -> list[list[str | None]]:
    """The names of the playing squares as seen, top row first; None for squares not played on.

    >>> from damier import draughts
    >>> grid(draughts.Board(variant="english"))[0]
    [None, '1', None, '2', None, '3', None, '4']
    """
    squares = board.squares
    files, ranks = (1 + max(numbers) for numbers in list(zip(*squares, strict=True))[1:])
    rows: list[list[str | None]] = [[None] * files for _ in range(ranks)]
    for name, file, rank in squares:
        row, column = (rank, files - 1 - file) if flip else (ranks - 1 - rank, file)
        rows[row][column] = name
    return rows


def numbered(board: Board) -> bool:
    """Whether squares are named by numbers rather than by file and rank."""
    return board.squares[0][0].isdigit()


def last_path(board: Board) -> list[str]:
    """The squares the last move went over, first and last included; empty before the first move and after a pass."""
    if not board.ply:
        return []
    before = board.copy()
    move = before.pop()
    return [] if move.is_pass else before.path(move)
