"""Ratings against known strengths, closed forms and each other; and what cannot be rated, said in words."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damier import DamierError
from damier.arena import Ratings, Result, elo_of, rate

TRUTH = dict(zip("abcdefgh", (-300, -200, -80, -20, 40, 110, 180, 270), strict=True))  # mean 0


def games_of(
    truth: Mapping[str, float], *, advantage: float, draw_rate: float, games: int, seed: int
) -> list[tuple[str, str, float]]:
    """Games drawn at random from the model, a number per pairing with either side first."""
    dice = np.random.default_rng(seed)
    nu = 2 * draw_rate / (1 - draw_rate)
    played: list[tuple[str, str, float]] = []
    for first in truth:
        for second in truth:
            if first != second:
                x = (1 + nu / 2) * math.log(10) / 400 * (truth[first] - truth[second] + advantage)
                weights = np.array([math.exp(-x / 2), nu, math.exp(x / 2)])
                for points, count in enumerate(dice.multinomial(games, weights / weights.sum())):
                    played += [(first, second, points / 2)] * int(count)
    return played


def elos(ratings: Ratings) -> dict[str, float]:
    return {row.name: row.elo for row in ratings}


@pytest.mark.parametrize("draw_rate", [0.0, 0.2, 0.6])
def test_intervals_hold_the_truth_in_95_percent_of_cases(draw_rate: float) -> None:
    runs, held, advantages, leads, rates = 200, 0, 0, 0, []
    for seed in range(runs):
        ratings = rate(games_of(TRUTH, advantage=35, draw_rate=draw_rate, games=10, seed=seed))
        held += sum(abs(row.elo - TRUTH[row.name]) <= row.error for row in ratings)
        advantages += abs(ratings.advantage.value - 35) <= ratings.advantage.error
        lead = ratings.difference("e", "d")
        leads += abs(lead.value - 60) <= lead.error
        rates.append(ratings.draw_rate)
    assert held / (runs * len(TRUTH)) == pytest.approx(0.95, abs=0.02)
    spread = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert advantages / runs == pytest.approx(0.95, abs=spread)
    assert leads / runs == pytest.approx(0.95, abs=spread)
    assert np.mean(rates) == pytest.approx(draw_rate, abs=0.015)


def test_many_games_find_the_truth() -> None:
    ratings = rate(games_of(TRUTH, advantage=-20, draw_rate=0.4, games=3000, seed=1))
    assert elos(ratings) == pytest.approx(TRUTH, abs=8)
    assert ratings.advantage.value == pytest.approx(-20, abs=4)
    assert ratings.draw_rate == pytest.approx(0.4, abs=0.01)
    assert [row.name for row in ratings] == sorted(TRUTH, key=lambda name: -TRUTH[name])


@pytest.mark.parametrize(("wins", "losses"), [(7, 3), (60, 40), (500, 20)])
def test_two_players_without_draws_are_rated_by_their_share(wins: int, losses: int) -> None:
    played = [("a", "b", 1.0)] * wins + [("a", "b", 0.0)] * losses
    ratings = rate(played, {"b": 0}, prior=0, advantage=0)
    share, games = wins / (wins + losses), wins + losses
    assert ratings["a"].elo == pytest.approx(elo_of(share))
    deviation = 400 / math.log(10) / math.sqrt(games * share * (1 - share))
    assert ratings["a"].error == pytest.approx(1.96 * deviation, rel=1e-4)
    with_prior = rate(played, {"b": 0}, prior=2, advantage=0)
    assert with_prior["a"].elo == pytest.approx(elo_of((wins + 1) / (games + 2)))


@pytest.mark.parametrize(("wins", "draws", "losses"), [(10, 10, 5), (30, 60, 20), (5, 40, 4)])
def test_two_players_with_draws(wins: int, draws: int, losses: int) -> None:
    """By hand: wins / losses = exp(x), nu = draws / sqrt(wins * losses), Elo = x * 400 / ln 10 / (1 + nu / 2)."""
    played = [("a", "b", 1.0)] * wins + [("a", "b", 0.5)] * draws + [("a", "b", 0.0)] * losses
    ratings = rate(played, {"b": 0}, prior=0, advantage=0)
    nu = draws / math.sqrt(wins * losses)
    assert ratings["a"].elo == pytest.approx(400 * math.log10(wins / losses) / (1 + nu / 2), abs=1e-3)
    assert ratings.draw_rate == pytest.approx(nu / (2 + nu), abs=1e-5)
    assert ratings["a"].elo == pytest.approx(elo_of((wins + draws / 2) / (wins + draws + losses)), rel=0.05)


def test_advantage_by_hand() -> None:
    """Two equals: the first mover's share is all there is to explain."""
    played = [("a", "b", 1.0), ("b", "a", 1.0), ("a", "b", 1.0), ("b", "a", 1.0), ("a", "b", 0.0), ("b", "a", 0.0)]
    ratings = rate(played, prior=0)
    assert ratings.advantage.value == pytest.approx(elo_of(2 / 3))
    assert elos(ratings) == pytest.approx({"a": 0, "b": 0}, abs=1e-6)
    assert rate(played, prior=0, advantage=50).advantage.value == pytest.approx(50)
    assert rate(played, prior=0, advantage=50).advantage.error == 0


def test_symmetric_results_give_equal_ratings() -> None:
    circle = [("a", "b", 1), ("b", "c", 1), ("c", "a", 1), ("b", "a", 0.5), ("c", "b", 0.5), ("a", "c", 0.5)]
    ratings = rate(circle)
    assert elos(ratings) == pytest.approx({"a": 0, "b": 0, "c": 0}, abs=1e-6)
    assert ratings.los("a", "c") == pytest.approx(0.5)
    assert len({round(row.error, 6) for row in ratings}) == 1


def test_the_table_adds_up() -> None:
    ratings = rate([Result("a", "b", 1), Result("b", "c", 0.5), Result("c", "b", 0.5), Result("b", "a", 0)])
    a, b = ratings["a"], ratings["b"]
    assert (a.games, a.points, a.share) == (2, 2.0, 1.0)
    assert (b.games, b.points, b.share) == (4, 1.0, 0.25)
    assert a.opponents == pytest.approx(b.elo)
    assert b.opponents == pytest.approx((a.elo + ratings["c"].elo) / 2)
    assert sum(row.elo for row in ratings) == pytest.approx(0, abs=1e-9)
    assert ratings.los("a", "b") == pytest.approx(1 - ratings.los("b", "a"))


@pytest.mark.parametrize("anchors", [{"c": 0.0}, {"a": -150.0, "h": 350.0}])
def test_shifting_the_anchors_shifts_the_ratings(anchors: dict[str, float]) -> None:
    played = games_of(TRUTH, advantage=30, draw_rate=0.3, games=4, seed=3)
    base = rate(played, anchors)
    moved = rate(played, {name: value + 1234.5 for name, value in anchors.items()})
    assert elos(moved) == pytest.approx({name: elo + 1234.5 for name, elo in elos(base).items()}, abs=1e-3)
    for name in TRUTH:
        assert moved[name].error == pytest.approx(base[name].error, abs=1e-4)
    assert all(base[name].elo == pytest.approx(value) and base[name].error == 0 for name, value in anchors.items())


def test_one_anchor_is_the_mean_of_zero_moved() -> None:
    played = games_of(TRUTH, advantage=30, draw_rate=0.3, games=4, seed=4)
    free, anchored = rate(played), rate(played, {"c": 0})
    shift = anchored["a"].elo - free["a"].elo
    assert elos(anchored) == pytest.approx({name: elo + shift for name, elo in elos(free).items()}, abs=1e-3)
    for a, b in (("a", "b"), ("c", "h")):
        assert anchored.difference(a, b).error == pytest.approx(free.difference(a, b).error, rel=1e-5)
        assert anchored.los(a, b) == pytest.approx(free.los(a, b))


RESULTS = st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([0, 0.5, 1]))
SPANNING = [("a", "b", 0.5), ("b", "c", 1.0), ("c", "d", 0.0)]


@settings(max_examples=100, deadline=None)
@given(st.lists(RESULTS.filter(lambda result: result[0] != result[1]), max_size=30), st.randoms())
def test_order_does_not_matter_and_any_games_can_be_rated(
    some: list[tuple[str, str, float]], dice: random.Random
) -> None:
    played = SPANNING + some
    ratings = rate(played)
    dice.shuffle(played)
    assert rate(played) == ratings
    assert all(math.isfinite(row.elo) and 0 < row.error < 5000 for row in ratings)
    mirrored = rate([(first, second, 1 - points) for first, second, points in played])
    assert elos(mirrored) == pytest.approx({name: -elo for name, elo in elos(ratings).items()}, abs=1e-2)
    assert mirrored.advantage.value == pytest.approx(-ratings.advantage.value, abs=1e-2)


def test_who_won_everything_is_finite_with_a_prior_only() -> None:
    played = [("a", "b", 1), ("b", "a", 0)] * 10 + [("b", "c", 1), ("c", "b", 1)] * 5
    assert 300 < rate(played).difference("a", "b").value < 1000
    assert rate(played, prior=0.1).difference("a", "b").value > rate(played).difference("a", "b").value
    with pytest.raises(DamierError, match="do not determine the ratings: give a prior"):
        rate(played, prior=0)


def test_only_draws() -> None:
    ratings = rate([("a", "b", 0.5), ("b", "c", 0.5), ("c", "a", 0.5)] * 10)
    assert elos(ratings) == pytest.approx({"a": 0, "b": 0, "c": 0}, abs=1e-6)
    assert ratings.draw_rate > 0.95
    with pytest.raises(DamierError, match="give a prior"):
        rate([("a", "b", 0.5)], prior=0)


def test_one_game() -> None:
    ratings = rate([("a", "b", 1)])
    assert 0 < ratings.difference("a", "b").value < ratings.difference("a", "b").error
    assert 0.5 < ratings.los("a", "b") < 0.95


def test_everybody_may_be_an_anchor() -> None:
    ratings = rate([("a", "b", 1), ("b", "a", 0.5)], {"a": 100, "b": 0})
    assert ratings.los("a", "b") == 1
    assert ratings.difference("a", "b").value == pytest.approx(100)


def test_an_anchor_in_each_group_joins_them() -> None:
    played = [("a", "b", 1), ("b", "a", 1), ("c", "d", 1), ("d", "c", 1)]
    ratings = rate(played, {"a": 1000, "c": 2000})
    assert elos(ratings) == pytest.approx({"a": 1000, "b": 1000, "c": 2000, "d": 2000}, abs=1e-3)


@pytest.mark.parametrize(
    ("played", "keywords", "words"),
    [
        ([], {}, "there are no games to rate"),
        ([("a", "b", 1), ("c", "d", 1)], {}, "no games lead from a, b to c, d, expected a path of games"),
        ([("a", "b", 1), ("c", "d", 1)], {"anchors": {"a": 0}}, "no games lead from c, d to a, b"),
        ([("a", "b", 1)], {"anchors": {"z": 0}}, "anchor 'z' played no game, expected one of a, b"),
        ([("a", "b", 1)], {"anchors": {"a": math.nan}}, "a is nan, expected a finite number"),
        ([("a", "b", 1)], {"prior": -1}, "prior is -1"),
        ([("a", "b", 1)], {"prior": math.inf}, "prior is inf"),
        ([("a", "b", 1)], {"advantage": math.inf}, "advantage is inf"),
        ([("a", "b", 0.75)], {}, "a - b gave 0.75 points, expected 0, 0.5 or 1"),
        ([("a", "a", 1)], {}, "a played against itself"),
        ([("a", "b", 1), ("a", "b", 0)], {"prior": 0}, "do not determine"),  # first mover and player are one
    ],
)
def test_what_cannot_be_rated(played: list[tuple[str, str, float]], keywords: dict[str, float], words: str) -> None:
    with pytest.raises(DamierError, match=words):
        rate(played, **keywords)  # type: ignore[arg-type]


def test_a_stranger_has_no_rating() -> None:
    with pytest.raises(DamierError, match="'z' has no rating, expected one of a, b"):
        rate([("a", "b", 1)]).los("a", "z")
