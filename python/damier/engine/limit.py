"""When a search must end."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from damier._core import DamierError, Side

__all__ = ["Limit"]


@dataclass(frozen=True)
class Limit:
    """When to stop thinking. Whatever is set counts, and the first limit reached ends the search; seconds throughout.

    >>> Limit(white_clock=60, black_clock=60, white_inc=1, black_inc=1).depth is None
    True
    """

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None  # look for a win in so many moves, and for nothing else
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float = 0.0
    black_inc: float = 0.0
    moves_to_go: int | None = None
    infinite: bool = False

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "mate", "moves_to_go"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, int) and 1 <= value < 2**63):
                raise DamierError(f"{name} is {value!r}, expected a whole number from 1 on")
        for name in ("time", "white_clock", "black_clock", "white_inc", "black_inc"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, Real) and math.isfinite(value)):
                raise DamierError(f"{name} is {value!r}, expected a number of seconds")
        if self.time is not None and self.time <= 0:
            raise DamierError(f"time is {self.time}, expected more than 0 seconds")
        if min(self.white_inc, self.black_inc) < 0:
            raise DamierError(f"increment is {min(self.white_inc, self.black_inc)}, expected 0 seconds or more")

    @property
    def has_clock(self) -> bool:
        """Whether either side has one."""
        return self.white_clock is not None or self.black_clock is not None

    def clock_of(self, side: Side) -> float | None:
        """What is left on the clock of a side."""
        return self.white_clock if side == Side.WHITE else self.black_clock

    def increment_of(self, side: Side) -> float:
        """What a side gets for each move."""
        return self.white_inc if side == Side.WHITE else self.black_inc

    def ends_for(self, side: Side) -> bool:
        """Whether a search for this side to move ends by itself; the clock of the other one does not count.

        >>> Limit(white_clock=60).ends_for(Side.WHITE), Limit(white_clock=60).ends_for(Side.BLACK)
        (True, False)
        """
        if self.infinite:
            return False
        return any((self.time, self.depth, self.nodes, self.mate)) or self.clock_of(side) is not None
