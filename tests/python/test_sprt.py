"""Elo, error bars and the sequential test, against published figures and against chance itself."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from common import out, refusal
from hypothesis import given
from hypothesis import strategies as st

from damier import DamierError
from damier.arena import Model, Pairs, Sprt, elo_of, share_of

# Counts, bounds, LLR of the logistic and of the normalised model, as fishtest and fastchess compute them.
VECTORS = [
    ((10789, 19328, 33806, 19402, 10543), (-3, 1), 2.131068, 0.300870),
    ((39, 2226, 31451, 2412, 40), (0.2, 0.9), 2.162543, 1.216597),
    ((46, 237, 513, 392, 94), (0, 3), 4.425044, 3.068017),
    ((8, 449, 1195, 613, 17), (0, 3), 5.519427, 2.946754),
    ((10, 20, 40, 30, 20), (0, 10), 1.081033, 0.925863),
]


@pytest.mark.parametrize(("counts", "bounds", "logistic", "normalized"), VECTORS)
def test_llr_is_that_of_fishtest(
    counts: tuple[int, ...], bounds: tuple[float, float], logistic: float, normalized: float
) -> None:
    pairs = Pairs(*counts)
    assert Sprt(*bounds, model="logistic").llr(pairs) == pytest.approx(logistic, abs=1e-6)
    assert Sprt(*bounds, model="normalized").llr(pairs) == pytest.approx(normalized, abs=1e-6)


def test_elo_is_that_of_fishtest() -> None:
    pairs = Pairs(46, 237, 513, 392, 94)
    elo, nelo = pairs.elo(), pairs.nelo()
    assert (elo.value, elo.error) == pytest.approx((34.121, 9.056), abs=1e-3)
    assert (nelo.value, nelo.error) == pytest.approx((51.011, 13.448), abs=1e-3)


@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_other_side_sees_the_mirror(model: Model) -> None:
    counts = (10, 25, 40, 31, 20)
    pairs, mirrored = Pairs(*counts), Pairs(*reversed(counts))
    assert Sprt(-7, 3, model=model).llr(pairs) == pytest.approx(-Sprt(-3, 7, model=model).llr(mirrored))
    assert pairs.elo().value == pytest.approx(-mirrored.elo().value)
    assert pairs.los() == pytest.approx(1 - mirrored.los())


def test_nothing_played_proves_nothing() -> None:
    nothing = Pairs()
    assert Sprt(0, 5).llr(nothing) == 0
    assert Sprt(0, 5).verdict(nothing) is None
    assert nothing.los() == 0.5
    assert nothing.elo().error == math.inf


def test_only_wins_have_no_finite_elo_but_a_verdict() -> None:
    pairs = Pairs(two=50)
    assert pairs.elo().value == math.inf
    assert pairs.los() == 1
    assert Sprt(0, 100).verdict(pairs) == "elo1"


@given(
    st.lists(st.integers(0, 10**6), min_size=5, max_size=5),
    st.floats(-200, 200),
    st.floats(-200, 200),
    st.sampled_from(["logistic", "normalized"]),
)
def test_whatever_was_played_the_test_has_an_answer(counts: list[int], one: float, other: float, model: Model) -> None:
    if one == other:
        return
    ratio = Sprt(min(one, other), max(one, other), model=model).llr(Pairs(*counts))
    assert math.isfinite(ratio)


@pytest.mark.parametrize("elo", [-300, -1, 0, 25, 700])
def test_share_and_elo_are_inverse(elo: float) -> None:
    assert elo_of(share_of(elo)) == pytest.approx(elo)


RUNS = 300
SPREAD = 3 * math.sqrt(0.05 * 0.95 / RUNS)  # three standard deviations of a share of 5 % in so many runs


@pytest.mark.parametrize("truth", [0, 1])
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_error_rates_hold(model: Model, truth: int) -> None:
    """Pairs drawn at random with a true Elo at one bound: the test may believe in the other in 5 % of runs."""
    dice = np.random.default_rng(2026 + truth)
    shape = np.array([0.06, 0.2, 0.48, 0.2, 0.06])
    test = Sprt(0, 60, model=model)
    distribution = tilted(shape, test, truth)
    wrong = 0
    for _ in range(RUNS):
        pairs = Pairs()
        while (verdict := test.verdict(pairs)) is None:
            pairs += Pairs(*(int(n) for n in dice.multinomial(8, distribution)))
        wrong += verdict != f"elo{truth}"
    assert wrong / RUNS <= 0.05 + SPREAD


def tilted(shape: np.ndarray, test: Sprt, truth: int) -> np.ndarray:
    """The shape moved to the Elo of a claim, found by bisection."""
    wanted = (test.elo0, test.elo1)[truth]
    low, high = -5.0, 5.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        moved = shape * np.exp(middle * np.arange(5))
        moved /= moved.sum()
        many = Pairs(*(round(1e9 * p) for p in moved))
        value = (many.elo() if test.model == "logistic" else many.nelo()).value
        low, high = (middle, high) if value < wanted else (low, middle)
    return moved


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Sprt(5, 5), "smaller"),
        (lambda: Sprt(0, math.nan), "smaller"),
        (lambda: Sprt(0, 1e9), "within"),
        (lambda: Sprt(0, 5, alpha=0), "alpha"),
        (lambda: Sprt(0, 5, beta=0.7), "beta"),
        (lambda: Sprt(0, 5, model="bayesian"), "logistic"),
        (lambda: Pairs(-1), "from 0 to"),
    ],
)
def test_what_makes_no_sense_is_refused(make: object, words: str) -> None:
    with pytest.raises(DamierError, match=words):
        make()  # type: ignore[operator]


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("sprt", "--counts", "46,237,513,392,94", "--bounds", "0,3")
    report = json.loads(out(capsys, *asked, "--json"))
    assert report["elo"] == pytest.approx(34.121, abs=1e-3)
    assert report["nelo"] == pytest.approx(51.011, abs=1e-3)
    assert report["llr_logistic"] == pytest.approx(4.425044, abs=1e-6)
    assert report["llr_normalized"] == pytest.approx(3.068017, abs=1e-6)
    shown = out(capsys, *asked)
    assert "+34.1 ± 9.1" in shown
    assert "H1 accepted" in shown


@pytest.mark.parametrize(
    ("counts", "bounds", "words"),
    [
        ("1,2,3,4", "0,5", "five whole numbers"),
        ("1,2,-3,4,5", "0,5", "five whole numbers"),
        ("1,2,3,4,5", "0", "two numbers"),
        ("1,2,3,4,5", "5,0", "smaller"),
        ("1,2,3,4,5", "nan,0", "smaller"),
        ("99999999999999999999,0,0,0,1", "0,3", "each from 0 to"),
    ],
)
def test_command_refuses(capsys: pytest.CaptureFixture[str], counts: str, bounds: str, words: str) -> None:
    assert words in refusal(capsys, "sprt", "--counts", counts, "--bounds", bounds)
