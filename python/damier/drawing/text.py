"""Boards as text: letters for any terminal, Unicode pieces for those that have them."""

from __future__ import annotations

from collections.abc import Collection

from damier._core import Board
from damier.drawing.pieces import grid, numbered, pieces_of

__all__ = ["draw", "labels"]


def draw(board: Board, *, flip: bool = False, unicode: bool = False, marks: Collection[str] = ()) -> str:
    """Draw a board in text; an asterisk goes before each marked square.

    >>> from damier import loa
    >>> print(draw(loa.Board(variant="loa5"), marks=["b3", "d3"]))
    5  .  x  x  x  .
    4  o  .  .  .  o
    3  o *.  . *.  o
    2  o  .  .  .  o
    1  .  x  x  x  .
       a  b  c  d  e
    """
    pieces, known = board.pieces(), pieces_of(board)
    empty = "·" if unicode else "."

    def cell(square: str | None) -> str:
        if square is None:
            return "   "
        letter = pieces.get(square)
        shown = empty if letter is None else known[letter].glyph if unicode else letter
        return f" {'*' if square in marks else ' '}{shown}"

    rows = grid(board, flip)
    left, right, below = labels(board, flip)
    width = max(map(len, left))
    lines = [
        f"{before:>{width}}{''.join(map(cell, row))}  {after}".rstrip()
        for before, row, after in zip(left, rows, right, strict=True)
    ]
    if below:
        lines.append(" " * width + "".join(f"  {file}" for file in below))
    return "\n".join(lines)


def labels(board: Board, flip: bool = False) -> tuple[list[str], list[str], list[str]]:
    """The labels left, right and below a board: its coordinates, or each row's first and last number.

    >>> from damier import draughts
    >>> left, right, below = labels(draughts.Board(variant="international"))
    >>> left[:2], right[:2], below
    (['1', '6'], ['5', '10'], [])
    """
    rows = [[square for square in row if square] for row in grid(board, flip)]
    if numbered(board):
        return [row[0] for row in rows], [row[-1] for row in rows], []
    files = sorted({name[0] for name, _, _ in board.squares}, reverse=flip)
    return [row[0][1:] for row in rows], [""] * len(rows), files
