"""What callers give, checked before the core sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier._core import DamierError, Evaluator
from damier.games import Board

if TYPE_CHECKING:
    from damier.eval import Evaluation

__all__ = ["evaluator_of", "within"]


def within(name: str, value: int, least: int, most: int) -> int:
    """A whole number within bounds, or an error that names it.

    >>> within("threads", 4, 1, 1024)
    4
    """
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise DamierError(f"{name} is {value!r}, expected a whole number") from None
    if not least <= number <= most:
        raise DamierError(f"{name} is {value}, expected {least} to {most}")
    return number


def evaluator_of(board: Board, eval: Evaluation) -> Evaluator:
    """The evaluation that a name, weights, a network or a function stand for.

    >>> from damier import loa
    >>> evaluator_of(loa.Board(), "quads").name
    'quads'
    """
    if isinstance(eval, Evaluator):
        return eval
    if isinstance(eval, str):
        return board.evaluator(eval)
    from damier.eval import resolve  # noqa: PLC0415  (numpy is slow to load, and an engine must start at once)

    return resolve(board, eval)
