"""What every way of drawing must know of a board: its shape, and whose piece a letter stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from damier._core import Side

__all__ = ["Drawable", "Piece", "grid", "last_path", "numbered", "pieces_of", "title"]


@dataclass(frozen=True)
class Piece:
    """A piece as people see it; `solid` is for coloured squares, where the ink tells the side."""

    side: Side
    name: str
    glyph: str
    solid: str


class Drawable(Protocol):
    """The part of a board that drawing looks at."""

    TITLE: ClassVar[str]
    PIECES: ClassVar[Mapping[str, Piece]]

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


def pieces_of(board: Drawable) -> Mapping[str, Piece]:
    """The pieces of the board's game, by letter."""
    return board.PIECES


def title(board: Drawable) -> str:
    """What the board shows, in a line.

    >>> from damier import draughts
    >>> title(draughts.Board(variant="russian"))
    'Draughts (russian), White to move'
    """
    return f"{board.TITLE} ({board.variant}), {board.turn.name.capitalize()} to move"


def grid(board: Drawable, flip: bool = False) -> list[list[str | None]]:
    """The names of the playing squares as they are seen, top row first; None where nobody plays.

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
