"""The moves of a game as text, extended move by move as the game goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from damier.board import Board, Move

__all__ = ["Transcript"]

SomeBoard = TypeVar("SomeBoard", bound=Board)


class Transcript(Generic[SomeBoard]):
    """The moves of the last board seen, as `format_move(board, move)` writes them; only new moves are formatted.

    >>> from damier import chess
    >>> board, transcript = chess.Board(), Transcript(chess.Board.san)
    >>> for move in ("e2e4", "e7e5"):
    ...     _ = board.play(move)
    ...     print(transcript.moves(board))
    ['e4']
    ['e4', 'e5']
    """

    def __init__(self, format_move: Callable[[SomeBoard, Move], str]) -> None:
        self._format_move = format_move
        self._board: SomeBoard | None = None
        self._texts: list[str] = []

    def moves(self, board: SomeBoard) -> list[str]:
        """The moves from the start of the game to this position."""
        moves, walker = board.moves, self._board
        if walker is None or not _is_continued(walker, board):
            walker = self._board = _at_start(board)
            self._texts = []
        for move in moves[len(self._texts) :]:
            self._texts.append(self._format_move(walker, move))
            walker.push(move)
        return list(self._texts)


def _is_continued(old: Board, new: Board) -> bool:
    same_start = (old.variant, old.start_fen()) == (new.variant, new.start_fen())
    return same_start and old.moves == new.moves[: old.ply]


def _at_start(board: SomeBoard) -> SomeBoard:
    walker = board.copy()
    for _ in board.moves:
        walker.pop()
    return walker
