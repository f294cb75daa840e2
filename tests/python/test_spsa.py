"""Tuning by simultaneous perturbation, on games whose best values are known."""

from __future__ import annotations

import math
import random

import pytest

import damier
from damier.arena.tuning.spsa import Parameter, Spsa


def expected(up: dict[str, int], down: dict[str, int], best: dict[str, float]) -> float:
    """The share of points of `up`: Elo falls with the square of the distance from the best values."""

    def elo(values: dict[str, int]) -> float:
        return -sum(((values[name] - best[name]) / 10) ** 2 for name in best)

    return float(1 / (1 + 10 ** ((elo(down) - elo(up)) / 400)))


@pytest.mark.parametrize("seed", range(4))
def test_noisy_games_lead_to_the_best_values(seed: int) -> None:
    best = {"a": 140.0, "b": 20.0}
    tuner = Spsa(
        [Parameter("a", 60, 0, 200, c_end=20, r_end=0.02), Parameter("b", 90, 0, 200, c_end=20, r_end=0.02)],
        steps=3000,
        seed=seed,
    )
    dice = random.Random(seed)
    while tuner.done < tuner.steps:
        step = tuner.step()
        share = expected(step.up, step.down, best)
        tuner.learn(step, sum(dice.random() < share for _ in range(8)), 8)
    for name, value in best.items():
        start = 60 if name == "a" else 90
        assert abs(tuner.values[name] - value) < abs(start - value) / 2


def test_the_ways_of_a_step_lie_on_both_sides_and_within_bounds() -> None:
    tuner = Spsa([Parameter("x", 50, 0, 100, c_end=10), Parameter("edge", 0, 0, 3, c_end=2)], steps=50)
    for _ in range(50):
        step = tuner.step()
        assert (step.up["x"] - step.down["x"]) * step.flips[0] >= 19
        for tried in (step.up, step.down):
            assert 0 <= tried["edge"] <= 3
        tuner.learn(step, 1, 2)
    assert tuner.values == {"x": 50, "edge": 0}  # draws teach nothing


def test_a_value_between_two_numbers_is_tried_as_both() -> None:
    tuner = Spsa([Parameter("x", 2.5, 0, 9, c_end=0.01)], steps=400)
    tried = []
    for _ in range(400):
        step = tuner.step()
        tried.append(step.up["x"])
        tuner.learn(step, 1, 2)
    assert set(tried) == {2, 3}
    assert 0.4 < sum(tried) / len(tried) - 2 < 0.6


def test_the_same_seed_takes_the_same_steps_and_a_restored_one_goes_on() -> None:
    def played(tuner: Spsa, until: int) -> Spsa:
        while tuner.done < until:
            step = tuner.step()
            tuner.learn(step, float(step.number % 3), 2)
        return tuner

    parameters = [Parameter("x", 50, 0, 100, c_end=10, r_end=0.02)]
    whole = played(Spsa(parameters, steps=40, seed=7), 40)
    half = played(Spsa(parameters, steps=40, seed=7), 20)
    again = Spsa(parameters, steps=40, seed=7)
    again.restore(half.done, half.values)
    assert played(again, 40).values == whole.values


def test_steps_shrink_as_fishtest_has_it() -> None:
    parameter = Parameter("x", 50, 0, 100, c_end=4, r_end=0.002)
    tuner = Spsa([parameter], steps=1000)
    assert tuner._reach(parameter, 1000) == pytest.approx(4)
    assert tuner._reach(parameter, 1) == pytest.approx(4 * 1000**0.101)
    assert tuner._rate(parameter, 1000) == pytest.approx(0.002)
    first = 0.002 * 16 * (1100 / 101) ** 0.602 / (4 * 1000**0.101) ** 2
    assert tuner._rate(parameter, 1) == pytest.approx(first)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Parameter("x", 5, 6, 9, c_end=1), "start is 5"),
        (lambda: Parameter("x", 5, 5, 5, c_end=1), "nothing can be tuned"),
        (lambda: Parameter("x", 5, 9, 0, c_end=1), "least is 9, expected no more than most, 0"),
        (lambda: Parameter("x", 5, 0, 9, c_end=0), "c_end is 0"),
        (lambda: Parameter("x", 5, 0, 9, c_end=1, r_end=math.nan), "r_end is nan"),
        (lambda: Spsa([], steps=5), "no parameter"),
        (lambda: Spsa([Parameter("x", 5, 0, 9, c_end=1)] * 2, steps=5), "named twice"),
        (lambda: Spsa([Parameter("x", 5, 0, 9, c_end=1)], steps=0), "steps is 0"),
        (lambda: Spsa([Parameter("x", 5, 0, 9, c_end=1)], steps=5).restore(1, {"y": 2}), "not x"),
    ],
)
def test_what_makes_no_sense_is_refused(make: object, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        make()  # type: ignore[operator]
