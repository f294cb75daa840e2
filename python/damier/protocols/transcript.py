"""A game as words, written move by move as it goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from damier.games import Board

__all__ = ["Transcript"]


class Transcript:
    """The moves of the board last shown, as `write(board, move)` writes them; only new ones are written anew.

    >>> from damier import chess
    >>> board, transcript = chess.Board(), Transcript(chess.Board.san)
    >>> for move in ("e2e4", "e7e5"):
    ...     _ = board.play(move)
    ...     print(transcript.words(board))
    ['e4']
    ['e4', 'e5']
    """

    def __init__(self, write: Callable[[Any, Any], str]) -> None:
        self._write = write
        self._board: Any = None
        self._words: list[str] = []

    def words(self, board: Board) -> list[str]:
        """The moves that led from the start to here."""
        moves: list[Any] = list(board.moves)
        if not self._is_followed_by(board, moves):
            self._board, self._words = _at_start(board), []
        for move in moves[len(self._words) :]:
            self._words.append(self._write(self._board, move))
            self._board.push(move)
        return list(self._words)

    def _is_followed_by(self, board: Board, moves: list[Any]) -> bool:
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
