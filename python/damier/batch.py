"""Many boards of one game, stepped together in the core, for learning by self-play."""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from damier import _core
from damier.board import Board
from damier.games import FACES, info

__all__ = ["BoardBatch"]


class BoardBatch(_core.BoardBatch):
    """`n` boards of a game, stepped together: legal moves as a mask, positions as planes, an array of actions to play.

    Every move of the game is an action, a number below `action_count`. By default boards and actions are seen by the
    side to move, so that its own pieces stand where White's stand at the start; `view="white"` never turns them.

    >>> batch = BoardBatch("loa", 4)
    >>> batch.legal_mask().shape, batch.planes().shape
    ((4, 1457), (4, 5, 8, 8))
    >>> while not batch.outcomes().any():
    ...     batch.play(batch.random_actions())
    >>> first = int(batch.outcomes().argmax())
    >>> batch.outcome(first) == batch.board(first).outcome()
    True
    >>> batch.play(batch.random_actions())                      # the finished ones begin anew
    >>> int(batch.plies().min()), int(batch.outcomes().max())
    (0, 0)
    """

    def __init__(
        self, game: str, n: int, *, view: Literal["mover", "white"] = "mover", **articles: str | int | None
    ) -> None:
        super().__init__(game, n, view=view, articles=articles)

    def play(self, actions: npt.ArrayLike) -> None:
        """Play an action on every board; a finished one restarts instead, and -1 leaves a board as it is.

        An illegal action raises MoveError and changes no board.

        >>> batch = BoardBatch("loa", 2)
        >>> batch.play([0, -1])
        Traceback (most recent call last):
        ...
        damier._core.MoveError: board 0: action 0 is illegal in 1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxxxx1 x
        >>> batch.play([batch.action(0, batch.board(0).parse("b1-b3")), -1])
        >>> batch.plies()
        array([1, 0], dtype=int32)
        """
        super().play(np.asarray(actions))

    def board(self, i: int) -> Board:
        """A copy of board `i` as a `Board`, with its moves.

        >>> batch = BoardBatch("chess", 2)
        >>> batch.play([batch.action(i, batch.board(i).parse("e4")) for i in range(2)])
        >>> batch.board(1).play("e5")
        <Move e7e5>
        """
        board: Board = self.board_as(i, FACES.get(info(self.variant).family, Board))
        return board

    def boards(self) -> list[Board]:
        """Copies of all boards as `Board`s.

        >>> [board.ply for board in BoardBatch("rennes", 3).boards()]
        [0, 0, 0]
        """
        return [self.board(i) for i in range(len(self))]

    def __repr__(self) -> str:
        return f"<BoardBatch of {len(self)} boards of {self.variant}>"
