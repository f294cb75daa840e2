"""How UCI writes and reads moves, whatever the game.

Chess: coordinates, castling as the board's variant has it. Games whose squares are a1, b1, ...: the squares one after
the other (b1b3, c3e5g7). Games with numbered squares: as PDN has it (32-28, 26x17). A pass is 0000.
"""

from __future__ import annotations

import re
from typing import Any

from damier import chess
from damier.games import Board, Move

__all__ = ["read", "written"]

Pass = "0000"


def written(board: Board, move: Move) -> str:
    """A legal move as UCI text.

    >>> from damier import draughts, loa
    >>> board = loa.Board()
    >>> written(board, board.parse("b1-b3"))
    'b1b3'
    >>> board = draughts.Board(variant="international")
    >>> written(board, board.parse("32-28"))
    '32-28'
    """
    if isinstance(board, chess.Board):
        return board.uci(move)  # type: ignore[arg-type]
    text: str = board.text(move)  # type: ignore[arg-type]
    if text == "pass":
        return Pass
    return re.sub("[-x:]", "", text) if _has_named_squares(board) else text


def read(board: Board, text: str) -> Any:
    """The legal move a UCI text stands for; MoveError if there is none.

    >>> from damier import draughts
    >>> read(draughts.Board(variant="russian"), "c3b4")
    <Move c3-b4>
    """
    if isinstance(board, chess.Board):
        return board.parse_uci(text)
    if text == Pass:
        return board.parse("pass")
    if _has_named_squares(board) and re.fullmatch("([a-h][1-8]){2,64}", text):
        text = ":".join(re.findall("..", text))
    return board.parse(text)


def _has_named_squares(board: Board) -> bool:
    return board.squares[0][0].isalnum() and not board.squares[0][0].isdigit()
