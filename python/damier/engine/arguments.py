"""Arguments of callers, checked before the core sees them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, SupportsFloat, cast

from damier._core import DamierError, Evaluator
from damier.board import Board

if TYPE_CHECKING:
    from damier.eval import Evaluation

__all__ = ["MOST_LINES", "check_range", "evaluator_of", "table_size", "within"]


MOST_LINES = 500  # of multipv, as the core has it


def check_range(name: str, value: float, least: float, most: float = math.inf) -> None:
    """Refuse a number that is out of bounds, or none.

    >>> check_range("games", 3, 1)
    >>> check_range("depth", 99, 1, 20)
    Traceback (most recent call last):
    damier._core.DamierError: depth is 99, expected 1 to 20
    """
    if not isinstance(value, SupportsFloat):
        raise DamierError(f"{name} is {value!r}, expected a number")
    if not least <= value <= most:
        expected = f"{least} to {most}" if most < math.inf else f"at least {least}"
        raise DamierError(f"{name} is {value}, expected {expected}")


def within(name: str, value: int, least: int, most: int) -> int:
    """An integer within bounds, or an error that names it.

    >>> within("threads", 4, 1, 1024)
    4
    """
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise DamierError(f"{name} is {value!r}, expected a whole number") from None
    check_range(name, number, least, most)
    return number


def table_size(mebibytes: float) -> int:
    """A table size in MiB as KiB; at least a sixteenth of a MiB.

    >>> table_size(0.25), table_size(16)
    (256, 16384)
    """
    if isinstance(mebibytes, float) and 1 / 16 <= mebibytes < 1:
        return round(1024 * mebibytes)
    return 1024 * within("hash", cast(int, mebibytes), 1, 2**22)


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
