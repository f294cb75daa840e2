"""What every player has in common, whatever it is and whichever game it plays."""

from __future__ import annotations

from damier import _core
from damier._core import Limit, MoveError, StopFlag
from damier.board import Board, Move
from damier.engine import SearchResult

__all__ = ["Player", "legal_moves"]


class Player:
    """Whoever chooses a move. A kind of player writes `play`, and the rest where it has something to do."""

    name = "player"

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        """A game begins: forget the last one. Whatever is left to chance in it follows from the seed, if given."""

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        """The move to play; the board comes back as it was. A player with a limit of its own keeps to that one.

        Once another thread sets `stop` it answers soon, with whatever it has found.
        """
        raise NotImplementedError

    def native(self, board: Board, limit: Limit | None = None) -> tuple[_core.Engine, Limit] | None:
        """The search that makes all of its moves and its limit, if one does: two of these play without Python."""
        return None

    def close(self) -> None:
        """Frees what the player holds; it is not asked again."""

    def release(self) -> None:
        """Like `close`, but whatever was slow to start may go to the next player of the same spec."""
        self.close()


def legal_moves(board: Board) -> list[Move]:
    """The moves to choose from; an error when there is none."""
    moves = list(board.legal_moves)
    if not moves:
        raise MoveError("there is no legal move to choose from")
    return moves
