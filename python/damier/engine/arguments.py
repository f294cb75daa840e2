"""What callers give, checked before the core sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from damier._core import DamierError, Evaluator
from damier.board import Board

if TYPE_CHECKING:
    from damier.eval import Evaluation

__all__ = ["evaluator_of", "table_size", "within"]


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


def table_size(megabytes: float) -> int:
    """A table size in MiB as KiB; at least a sixteenth of a MiB.

    >>> table_size(0.25), table_size(16)
    (256, 16384)
    """
    if isinstance(megabytes, float) and 1 / 16 <= megabytes < 1:
        return round(1024 * megabytes)
    return 1024 * within("hash", cast(int, megabytes), 1, 2**22)


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
