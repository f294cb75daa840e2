"""What an engine can use besides its evaluation: endgame values and opening moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Any, SupportsIndex, TypeAlias

from damier._core import DamierError
from damier.board import Board, Move

__all__ = ["Book", "Probe", "book_moves", "probed"]

MOST_PLIES = 1_000_000  # the search adds its own to them; wins this long are of unknown length to it

# For the side to move: 1 won, 0 drawn, -1 lost, alone or with the plies to the end; None where nothing is known.
Probe: TypeAlias = Callable[[Any], int | tuple[int, int | None] | None]
# The moves to choose from, with how often to play each compared with the others; None or no moves where the book ends.
Book: TypeAlias = Callable[[Any], Mapping[Move, float] | Mapping[str, float] | Iterable[Move | str] | None]


def probed(probe: Probe) -> Callable[[Board], tuple[int, int | None] | None]:
    """The probe in the one form that the core reads.

    >>> from damier import loa
    >>> probed(lambda board: -1)(loa.Board())
    (-1, None)
    """

    _check_callable("probe", probe)

    def ask(board: Board) -> tuple[int, int | None] | None:
        answer = probe(board)
        if answer is None:
            return None
        pair = answer if isinstance(answer, tuple) else (answer, None)
        if len(pair) == 2 and pair[0] in (-1, 0, 1):
            wdl, plies = pair
            if plies is None:
                return int(wdl), None
            if isinstance(plies, SupportsIndex) and index(plies) >= 0:
                return int(wdl), min(index(plies), MOST_PLIES)
        raise DamierError(f"a probe must return None, 1, 0 or -1, or one of these with plies, got {answer!r}")

    return ask


def book_moves(book: Book) -> Callable[[Board], list[tuple[Move, float]]]:
    """The book in the one form that the core reads.

    >>> from damier import chess
    >>> book_moves(lambda board: {"e4": 2, "d4": 1})(chess.Board())
    [(<Move e2e4>, 2.0), (<Move d2d4>, 1.0)]
    """

    _check_callable("book", book)

    def ask(board: Board) -> list[tuple[Move, float]]:
        answer = book(board)
        if answer is None:
            return []
        try:
            moves = answer.items() if isinstance(answer, Mapping) else ((move, 1.0) for move in answer)
            return [(_legal(board, move), float(weight)) for move, weight in moves]
        except (TypeError, ValueError):
            raise DamierError(f"a book must return legal moves, or them and their weights, got {answer!r}") from None

    return ask


def _legal(board: Board, move: Move | str) -> Move:
    """A move of the board by itself or by its text; ValueError (MoveError is one) for others."""
    if isinstance(move, str):
        return board.parse(move)
    if move not in board.legal_moves:
        raise ValueError
    return move


def _check_callable(name: str, given: object) -> None:
    if not callable(given):
        raise DamierError(f"{name} is {given!r}, expected a function of a board")
