"""SPSA, simultaneous perturbation: many parameters tuned at once by matches between two small changes to all of them.

The form is fishtest's. Each parameter says how far it is moved at the end (`c_end`) and how fast it learns there
(`r_end`); earlier steps are larger by fixed powers of the step's number (Spall 1998).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from damier._core import DamierError
from damier.engine.arguments import check_range

__all__ = ["Parameter", "Spsa", "Step", "check_parameters"]

ALPHA, GAMMA = 0.602, 0.101
LARGEST = 2**31  # no parameter goes so far
STABILITY = 0.1  # of the steps, added to the number of a step so that the first ones do not leap


@dataclass(frozen=True)
class Parameter:
    """A number to tune, from `least` to `most`; `c_end` and `r_end` are for SPSA.

    >>> Parameter("lmr_base", 70, 0, 200, c_end=10).name
    'lmr_base'
    """

    name: str
    start: float
    least: float
    most: float
    c_end: float | None = None
    r_end: float = 0.002

    def __post_init__(self) -> None:
        for what, bound in (("start", self.start), ("least", self.least), ("most", self.most)):
            if not -LARGEST < bound < LARGEST:
                raise DamierError(f"{self.name}: {what} is {bound}, expected more than -2**31 and less than 2**31")
        if self.least > self.most:
            raise DamierError(f"{self.name}: least is {self.least:g}, expected no more than most, {self.most:g}")
        if not self.least <= self.start <= self.most:
            raise DamierError(f"{self.name}: start is {self.start:g}, expected {self.least:g} to {self.most:g}")
        if self.least == self.most:
            raise DamierError(f"{self.name}: nothing can be tuned between {self.least:g} and {self.most:g}")
        for what, value in (("c_end", self.c_end), ("r_end", self.r_end)):
            if value is not None and not 0 < value < LARGEST:
                raise DamierError(f"{self.name}: {what} is {value}, expected more than 0 and less than 2**31")

    def within(self, value: float) -> float:
        return min(max(value, self.least), self.most)


def check_parameters(parameters: Sequence[Parameter]) -> None:
    """Refuse none at all, and two of the same name."""
    if not parameters:
        raise DamierError("there is no parameter to tune")
    if len({parameter.name for parameter in parameters}) < len(parameters):
        raise DamierError("a parameter is named twice")


@dataclass(frozen=True)
class Step:
    """Two ways to play against each other: every parameter moved one way, and the other."""

    number: int
    up: dict[str, int]
    down: dict[str, int]
    flips: tuple[int, ...] = ()


class Spsa:
    """The current values, and how they are updated.

    >>> tuner = Spsa([Parameter("x", 50, 0, 100, c_end=10, r_end=0.02)], steps=200)
    >>> for _ in range(200):
    ...     step = tuner.step()
    ...     tuner.learn(step, 2.0 if abs(step.up["x"] - 80) < abs(step.down["x"] - 80) else 0.0, 2)
    >>> 70 < tuner.values["x"] < 90
    True
    """

    def __init__(self, parameters: Sequence[Parameter], *, steps: int, seed: int = 0) -> None:
        check_parameters(parameters)
        for parameter in parameters:
            if parameter.c_end is None:
                raise DamierError(f"{parameter.name} has no c_end, expected how far it is moved in the last steps")
        check_range("steps", steps, 1)
        self.parameters = tuple(parameters)
        self.steps, self.seed = steps, seed
        self.done = 0
        self.values = {parameter.name: float(parameter.start) for parameter in parameters}

    def step(self) -> Step:
        """The next step; what it tries depends on the seed, its number and the values so far."""
        number = self.done + 1
        dice = random.Random(f"{self.seed} {number}")
        flips = tuple(dice.choice((-1, 1)) for _ in self.parameters)
        up: dict[str, int] = {}
        down: dict[str, int] = {}
        for parameter, flip in zip(self.parameters, flips, strict=True):
            moved = self._reach(parameter, number) * flip
            luck = dice.random()  # a value between two whole numbers is now the one, now the other
            for tried, sign in ((up, 1), (down, -1)):
                value = parameter.within(self.values[parameter.name] + sign * moved)
                tried[parameter.name] = int(parameter.within(int(value // 1) + (value % 1 > luck)))
        return Step(number, up, down, flips)

    def learn(self, step: Step, points: float, games: int) -> None:
        """Move every value towards the better way, given the `points` that `up` scored in `games`."""
        lead = 2 * points - games  # wins less losses
        for parameter, flip in zip(self.parameters, step.flips, strict=True):
            reach = self._reach(parameter, step.number)
            moved = self._rate(parameter, step.number) * reach * lead * flip
            self.values[parameter.name] = parameter.within(self.values[parameter.name] + moved)
        self.done = step.number

    def restore(self, done: int, values: Mapping[str, float]) -> None:
        """Continue from where an earlier run stopped."""
        if set(values) != set(self.values):
            raise DamierError(f"the values are of {', '.join(sorted(values))}, not {', '.join(sorted(self.values))}")
        self.done, self.values = done, {name: float(values[name]) for name in self.values}

    def best(self) -> dict[str, int]:
        """The values as used in play."""
        return {name: round(value) for name, value in self.values.items()}

    def _reach(self, parameter: Parameter, number: int) -> float:
        """How far a parameter is moved either way in a step."""
        assert parameter.c_end is not None
        return float(parameter.c_end * (self.steps / number) ** GAMMA)

    def _rate(self, parameter: Parameter, number: int) -> float:
        offset = STABILITY * self.steps
        assert parameter.c_end is not None
        a_end = parameter.r_end * parameter.c_end**2
        a = a_end * ((offset + self.steps) / (offset + number)) ** ALPHA
        return float(a / self._reach(parameter, number) ** 2)
