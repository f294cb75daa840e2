"""The moves of a game as text, extended move by move as the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from damier.games import Board

__all__ = ["Transcript"]


class Transcript:
    """The moves of the last board seen, as `format_move(board, move)` writes them; only new moves are formatted.

    >>> from damier import chess
    >>> board, transcript = chess.Board(), Transcript(chess.Board.san)
    >>> for move in ("e2e4", "e7e5"):
    ...     _ = board.play(move)
    ...     print(transcript.moves(board))
    ['e4']
    ['e4', 'e5']
    """

    def __init__(self, format_move: Callable[[Any, Any], str]) -> None:
        self._format_move = format_move
        self._board: Any = None
        self._texts: list[str] = []

    def moves(self, board: Board) -> list[str]:
        """The moves from the start of the game to this position."""
        moves: list[Any] = list(board.moves)
        if not self._is_continued_by(board, moves):
            self._board, self._texts = _at_start(board), []
        for move in moves[len(self._texts) :]:
            self._texts.append(self._format_move(self._board, move))
            self._board.push(move)
        return list(self._texts)

    def _is_continued_by(self, board: Board, moves: list[Any]) -> bool:
        old = self._board
        return (
            old is not None
            and old.variant == board.variant
            and old.start_fen() == board.start_fen()
            and old.moves == moves[: old.ply]
        )


def _at_start(board: Board) -> Any:
    walker: Any = board.copy()
    for _ in board.moves:
        walker.pop()
    return walker
