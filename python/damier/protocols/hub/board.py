"""Positions and moves as Hub writes them.

A position is the side to move and one letter a square, in the order of the board's squares: 51 letters for
international draughts, 33 for most 8x8 games. A move names squares by their number in that order: 32-28, and for a
capture the ends and then the squares of the captured pieces: 28x19x23.
"""

from __future__ import annotations

import re
from functools import cache

from damier import draughts
from damier._core import FenError, MoveError, Side

__all__ = ["VARIANTS", "read_move", "read_position", "written_move", "written_position"]

# Hub's name of each variant; the text knows the first two.
VARIANTS = {"normal": "international", "frisian": "frisian"} | {
    name: name for name in draughts.VARIANTS if name not in ("international", "frisian")
}


def read_position(variant: str, text: str) -> draughts.Board:
    """The board of a position string; FenError if it cannot be.

    >>> read_position("international", "W" + 20 * "b" + 10 * "e" + 20 * "w") == draughts.Board(variant="international")
    True
    """
    names = [name for name, _, _ in draughts.Board(variant=variant).squares]
    if len(text) != 1 + len(names) or not re.fullmatch("[WB][wbWBe]+", text):
        raise FenError(
            f"position of {len(text)} letters: expected W or B for the side to move, then a w, b, W, B or e"
            f" for each of the {len(names)} squares"
        )
    squares = {side: [] for side in "WB"}  # type: dict[str, list[str]]
    for name, letter in zip(names, text[1:], strict=True):
        if letter != "e":
            squares[letter.upper()].append(f"K{name}" if letter.isupper() else name)
    return draughts.Board(variant, ":".join([text[0], *(side + ",".join(squares[side]) for side in "WB")]))


def written_position(board: draughts.Board) -> str:
    """A board as a position string.

    >>> written_position(draughts.Board("B:WK3:B45", variant="international"))
    'BeeWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeebeeeee'
    """
    squares = (board.piece(name) or "e" for name, _, _ in board.squares)
    return ("W" if board.turn == Side.WHITE else "B") + "".join(squares)


def written_move(board: draughts.Board, move: draughts.Move) -> str:
    """A move by its ends and what it captures.

    >>> board = draughts.Board("W:W28:B23,12", variant="international")
    >>> written_move(board, board.parse("28x19"))
    '28x19x23'
    """
    start, end, captured = _numbers(board, move)
    return "x".join(map(str, (start, end, *captured))) if captured else f"{start}-{end}"


def read_move(board: draughts.Board, text: str) -> draughts.Move:
    """The legal move of a Hub text, the captured squares in any order or left out where there is no doubt.

    >>> board = draughts.Board("W:W28:B23,12", variant="international")
    >>> read_move(board, "28x19") == read_move(board, "28x19x23")
    True
    """
    if not re.fullmatch(r"\d{1,2}(-\d{1,2}|(x\d{1,2})+)", text, re.ASCII):
        raise MoveError(f"{text[:40]!r} is no move, expected one such as 32-28 or 28x19x23")
    start, end, *captured = map(int, re.findall(r"\d+", text))
    found = []
    for move in board.legal_moves:
        its_start, its_end, its_captured = _numbers(board, move)
        as_far = (start, end, "x" in text) == (its_start, its_end, bool(its_captured))
        if as_far and (not captured or sorted(captured) == its_captured):
            found.append(move)
    if len(found) != 1:
        what = "fits several moves" if found else "is illegal"
        raise MoveError(f"{text!r} {what} in {written_position(board)}")
    return found[0]


def _numbers(board: draughts.Board, move: draughts.Move) -> tuple[int, int, list[int]]:
    """The squares a move leaves, reaches and captures, counted from 1."""
    number = _numbering(board.variant)
    start, end = board.ends(move)
    return number[start], number[end], sorted(number[name] for name in move.captured)


@cache
def _numbering(variant: str) -> dict[str, int]:
    return {name: i for i, (name, _, _) in enumerate(draughts.Board(variant=variant).squares, 1)}
