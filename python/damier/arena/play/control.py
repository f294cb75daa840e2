"""How much time, or how many nodes, each side of a game gets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from damier._core import DamierError, Side
from damier.engine import Limit

__all__ = ["Clock", "Control"]

TC = re.compile(r"(?:(\d+)/)?(\d+(?:\.\d*)?|\.\d+)(?:\+(\d+(?:\.\d*)?|\.\d+))?")


@dataclass(frozen=True)
class Control:
    """A clock (`base` seconds, an `increment` per move, again after `moves` moves), or a limit the same for every move.

    >>> Control.read("5+0.05")
    Control(base=5.0, increment=0.05, moves=None, time=None, nodes=None, depth=None)
    >>> Control.read("40/60").moves
    40
    """

    base: float | None = None
    increment: float = 0.0
    moves: int | None = None
    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.base is not None and self.base <= 0:
            raise DamierError(f"a clock of {self.base:g} seconds leaves no time to play")
        Limit(time=self.time, nodes=self.nodes, depth=self.depth, moves_to_go=self.moves)  # which says what is wrong

    @classmethod
    def read(cls, text: str) -> Control:
        """A clock as people write it: `5+0.05`, `60` or `40/60+0.5`, in seconds."""
        found = TC.fullmatch(text.strip())
        if not found:
            raise DamierError(f"tc is {text!r}, expected SECONDS+INCREMENT such as 5+0.05, or MOVES/SECONDS")
        moves, base, increment = found.groups()
        return cls(base=float(base), increment=float(increment or 0), moves=int(moves) if moves else None)

    @classmethod
    def of(
        cls,
        tc: str | None = None,
        movetime: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Control:
        """The control that options or a file specify.

        >>> str(Control.of(movetime=0.1, depth=9))
        '0.1 s per move, 9 plies per move'
        """
        if tc is not None and movetime is not None:
            raise DamierError("tc and movetime are both given, expected one of them")
        clock = cls.read(tc) if tc is not None else cls()
        return cls(clock.base, clock.increment, clock.moves, movetime, nodes, depth)

    def __str__(self) -> str:
        if self.base is not None:
            clock = f"{self.base:g}+{self.increment:g} s"
            return f"{self.moves}/{clock}" if self.moves else clock
        limits = ((self.time, "s"), (self.nodes, "nodes"), (self.depth, "plies"))
        return ", ".join(f"{value:g} {what} per move" for value, what in limits if value is not None) or "own limits"

    @property
    def is_clock(self) -> bool:
        """Whether a game can be lost on time."""
        return self.base is not None

    def clocks(self) -> dict[Side, Clock]:
        """The two clocks at the start of a game."""
        return {side: Clock(self, self.base or 0.0) for side in (Side.WHITE, Side.BLACK)}

    def limit(self, clocks: dict[Side, Clock], turn: Side) -> Limit | None:
        """The limit for the side to move; None when nothing limits it from here."""
        if self.base is not None:
            white, black = clocks[Side.WHITE], clocks[Side.BLACK]
            return Limit(
                white_clock=white.left,
                black_clock=black.left,
                white_inc=self.increment,
                black_inc=self.increment,
                moves_to_go=clocks[turn].moves_to_go,
                nodes=self.nodes,
                depth=self.depth,
            )
        return self._every_move

    @cached_property
    def _every_move(self) -> Limit | None:
        if self.time is None and self.nodes is None and self.depth is None:
            return None
        return Limit(time=self.time, nodes=self.nodes, depth=self.depth)


@dataclass
class Clock:
    """What one side has left.

    >>> clock = Clock(Control.read("2/10+1"), 10.0)
    >>> clock.spend(4.0), clock.left, clock.spend(4.0), clock.left
    (True, 7.0, True, 14.0)
    >>> clock.spend(15.0)
    False
    """

    control: Control
    left: float
    made: int = field(default=0)  # moves

    @property
    def moves_to_go(self) -> int | None:
        moves = self.control.moves
        return None if moves is None else moves - self.made % moves

    def spend(self, seconds: float) -> bool:
        """Take the time of a move off the clock; False if there was not enough."""
        self.left -= seconds
        if self.left < 0:
            return False
        self.made += 1
        self.left += self.control.increment
        if self.control.moves and self.made % self.control.moves == 0 and self.control.base:
            self.left += self.control.base
        return True
