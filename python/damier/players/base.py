"""What all players share, whatever they are and whichever game they play."""

from __future__ import annotations

from damier import _core
from damier._core import DamierError, Limit, MoveError, StopFlag
from damier.board import Board, Move
from damier.engine import SearchResult

__all__ = ["Player", "check_name", "legal_moves"]

LONGEST_NAME = 1000  # letters: a spec may be the name of its player


def check_name(name: str) -> None:
    """Refuse a name that is empty or that no table could hold.

    >>> check_name(" ")
    Traceback (most recent call last):
    damier._core.DamierError: the name of a player is empty
    """
    if not name.strip():
        raise DamierError("the name of a player is empty")
    if len(name) > LONGEST_NAME:
        raise DamierError(f"the name of a player has {len(name)} letters, expected at most {LONGEST_NAME}")


class Player:
    """Something that chooses moves. A kind of player implements `play`, and the other methods if needed."""

    name = "player"

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        """A game begins: forget the last one. Its random choices follow from the seed, if given."""

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        """The move to play; the board is left unchanged. A player with its own limit uses that one.

        Once another thread sets `stop` it answers soon, with the best it has found.
        """
        raise NotImplementedError

    def native(self, board: Board, limit: Limit | None = None) -> tuple[_core.Engine, Limit] | None:
        """The native search that makes all of its moves, and its limit, or None: two of these play without Python."""
        return None

    def close(self) -> None:
        """Free what the player holds; it is not used again."""

    def release(self) -> None:
        """Like `close`, but what was slow to start may be handed to the next player of the same spec."""
        self.close()


def legal_moves(board: Board) -> list[Move]:
    """The moves to choose from; an error when there is none."""
    moves = list(board.legal_moves)
    if not moves:
        raise MoveError("there is no legal move to choose from")
    return moves
