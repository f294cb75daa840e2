"""Moves one after the other, as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from damier.games import Board, Move

__all__ = ["line_of"]


def line_of(board: Board, moves: Sequence[Move], write: Callable[[Any, Any], str]) -> list[str]:
    """Moves played one after the other, each as `write(board, move)` writes it.

    >>> from damier import chess
    >>> board = chess.Board()
    >>> line_of(board, [board.parse("e4")], chess.Board.san)
    ['e4']
    """
    walker: Any = board.copy()
    words = []
    for move in moves:
        words.append(write(walker, move))
        walker.push(move)
    return words
