"""What every player has in common, whatever it is and whichever game it plays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol, Self

from damier._core import MoveError, Outcome, StopFlag
from damier.drawing import Drawable
from damier.engine import Limit, Searcher, SearchResult

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["AnyBoard", "Player", "legal_moves"]


class Moves(Protocol):
    """Legal moves, whatever the game."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


class AnyBoard(Drawable, Protocol):
    """A board of whichever game: what players and those who watch them need."""

    @property
    def ply(self) -> int: ...
    @property
    def moves(self) -> list[Any]: ...
    @property
    def legal_moves(self) -> Moves: ...
    def ends(self, move: Any) -> tuple[str, str]: ...
    def text(self, move: Any) -> str: ...
    def parse(self, text: str) -> Any: ...
    def push(self, move: Any) -> None: ...
    def pop(self) -> Any: ...
    def copy(self) -> Self: ...
    def outcome(self, *, claim_draw: bool = False) -> Outcome | None: ...
    def play_games(
        self, games: int, *, seed: int = 0, first_game: int = 0, keep_moves: bool = True, stop: StopFlag | None = None
    ) -> dict[str, NDArray[Any]]: ...


class Player:
    """Whoever chooses a move. A kind of player writes `play`, and the rest where it has something to do."""

    name = "player"

    def new_game(self, board: AnyBoard, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        """A game begins: forget the last one. Whatever is left to chance in it follows from the seed, if given."""

    def play(self, board: AnyBoard, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        """The move to play; the board comes back as it was. A player with a limit of its own keeps to that one.

        Once another thread sets `stop` it answers soon, with whatever it has found.
        """
        raise NotImplementedError

    def searcher(self, board: AnyBoard, limit: Limit | None = None) -> Searcher | None:
        """The search that makes all of its moves under this limit, if one does: two of these play without Python."""
        return None

    def close(self) -> None:
        """Frees what the player holds; it is not asked again."""


def legal_moves(board: AnyBoard) -> list[Any]:
    """The moves to choose from; an error when there is none."""
    moves = list(board.legal_moves)
    if not moves:
        raise MoveError("there is no legal move to choose from")
    return moves
