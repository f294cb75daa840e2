"""What every way of drawing must know of a board: its shape, and whose piece a letter stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from damier import _core
from damier._core import Side

__all__ = ["Drawable", "Piece", "grid", "last_path", "numbered", "pasteable", "pieces_of", "title"]


class Drawable(Protocol):
    """The part of a board that drawing looks at."""

    @property
    def variant(self) -> str: ...
    @property
    def turn(self) -> Side: ...
    @property
    def squares(self) -> list[tuple[str, int, int]]: ...
    @property
    def moves(self) -> Sequence[Any]: ...
    def pieces(self) -> dict[str, str]: ...
    def copy(self) -> Any: ...
    def fen(self) -> str: ...


@dataclass(frozen=True)
class Piece:
    """A piece as people see it; `solid` is for coloured squares, where the ink tells the side."""

    side: Side
    name: str
    glyph: str
    solid: str


W, B = Side.WHITE, Side.BLACK
NAMES = ("king", "queen", "rook", "bishop", "knight", "pawn")
LOA = {"o": Piece(W, "disc", "○", "●"), "x": Piece(B, "disc", "●", "●")}
DRAUGHTS = {
    "w": Piece(W, "man", "⛀", "●"),
    "W": Piece(W, "crowned", "⛁", "♛"),
    "b": Piece(B, "man", "⛂", "●"),
    "B": Piece(B, "crowned", "⛃", "♛"),
}
CHESS = {letter: Piece(W, *how) for letter, *how in zip("KQRBNP", NAMES, "♔♕♖♗♘♙", "♚♛♜♝♞♟", strict=True)} | {
    letter: Piece(B, *how) for letter, *how in zip("kqrbnp", NAMES, "♚♛♜♝♞♟", "♚♛♜♝♞♟", strict=True)
}
SETS: dict[type, tuple[str, Mapping[str, Piece]]] = {
    _core.loa.Board: ("Lines of Action", LOA),
    _core.chess.Board: ("Chess", CHESS),
    _core.draughts.Board: ("Draughts", DRAUGHTS),
}


def _set(board: Drawable) -> tuple[str, Mapping[str, Piece]]:
    return next(found for base, found in SETS.items() if isinstance(board, base))


def pieces_of(board: Drawable) -> Mapping[str, Piece]:
    """The pieces of the board's game, by letter."""
    return _set(board)[1]


def title(board: Drawable) -> str:
    """What the board shows, in a line.

    >>> from damier import draughts
    >>> title(draughts.Board("russian"))
    'Draughts (russian), White to move'
    """
    return f"{_set(board)[0]} ({board.variant}), {board.turn.name.capitalize()} to move"


def grid(board: Drawable, flip: bool = False) -> list[list[str | None]]:
    """The names of the playing squares as they are seen, top row first; None where nobody plays.

    >>> from damier import draughts
    >>> grid(draughts.Board("english"))[0]
    [None, '1', None, '2', None, '3', None, '4']
    """
    squares = board.squares
    files, ranks = (1 + max(numbers) for numbers in list(zip(*squares, strict=True))[1:])
    rows: list[list[str | None]] = [[None] * files for _ in range(ranks)]
    for name, file, rank in squares:
        row, column = (rank, files - 1 - file) if flip else (ranks - 1 - rank, file)
        rows[row][column] = name
    return rows


def numbered(board: Drawable) -> bool:
    """Whether squares are named by numbers rather than by file and rank."""
    return board.squares[0][0].isdigit()


def last_path(board: Drawable) -> list[str]:
    """The squares the last move went over, first and last included; empty before the first move and after a pass."""
    if not board.moves:
        return []
    before = board.copy()
    move = before.pop()
    if getattr(move, "is_pass", False):
        return []
    return list(before.path(move) if hasattr(before, "path") else before.ends(move))


def pasteable(board: Drawable) -> str:
    """The expression that sets the position up again."""
    if isinstance(board, _core.draughts.Board):
        return f"draughts.Board({board.variant!r}, {board.fen()!r})"
    if isinstance(board, _core.chess.Board):
        return f"chess.Board({board.fen()!r}{', chess960=True' if board.variant == 'chess960' else ''})"
    assert isinstance(board, _core.loa.Board)
    usual = _core.loa.Board(rules=board.variant).rules
    special = {"variant": board.variant} if board.variant != "loa" else {}
    special |= {article: choice for article, choice in board.rules.items() if choice != usual[article]}
    return f"loa.Board({', '.join([repr(board.fen()), *(f'{key}={value!r}' for key, value in special.items())])})"
