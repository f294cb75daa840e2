"""Tournaments: who meets whom and how often, that they end as they should, and that they go on from stored results."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damier import DamierError
from damier.arena import (
    Fixed,
    KnockOut,
    Meeting,
    Pairing,
    Schedule,
    Swiss,
    cross_table,
    gauntlet,
    round_robin,
    standings,
)
from damier.arena.schedule.matching import matching

NAMES = [f"p{number}" for number in range(40)]
SIZES = st.integers(2, 17)
DICE = st.integers(0, 10_000)


def met(pairings: Sequence[Pairing | Meeting]) -> Counter[frozenset[str]]:
    return Counter(frozenset(pairing[:2]) for pairing in pairings)


def played(pairing: Pairing, seed: int) -> Meeting:
    """The result of a pairing by chance, always the same."""
    dice = random.Random(f"{seed} {sorted(pairing[:2])} {pairing.round} {pairing.replay}")
    points = dice.choice((0, 0.5, 1, 1, 1.5, 2))
    first = pairing.first == min(pairing[:2])
    return Meeting(pairing.first, pairing.second, points if first else 2 - points, pairing.round)


def play_out(schedule: Schedule, seed: int) -> list[Meeting]:
    """Play one pairing at a time, any that is due, asking anew after each."""
    dice = random.Random(seed)
    meetings: list[Meeting] = []
    while due := schedule.due(meetings):
        meetings.append(played(dice.choice(due), seed))
        dice.shuffle(meetings)
    return meetings


@given(SIZES, st.integers(1, 3))
def test_round_robin(size: int, rounds: int) -> None:
    names = NAMES[:size]
    pairings = round_robin(names, rounds)
    assert met(pairings) == {frozenset(pair): rounds for pair in combinations(names, 2)}
    last = rounds * (size - 1 + size % 2)
    assert [pairing.round for pairing in pairings] == sorted(pairing.round for pairing in pairings)
    for number in range(1, last + 1):
        busy = [name for pairing in pairings if pairing.round == number for name in pairing[:2]]
        assert len(busy) == len(set(busy)) == size - size % 2
    assert pairings[-1].round == last


@given(st.integers(1, 3), st.integers(1, 8), st.integers(1, 3))
def test_gauntlet(challengers: int, others: int, rounds: int) -> None:
    ours, theirs = NAMES[:challengers], NAMES[10 : 10 + others]
    pairings = gauntlet(ours, theirs, rounds)
    assert met(pairings) == {frozenset((a, b)): rounds for a in ours for b in theirs}
    assert all(pairing.first in ours for pairing in pairings)
    assert len(set(pairings)) == len(pairings)


@settings(deadline=None, max_examples=25)
@given(SIZES, DICE)
def test_a_fixed_schedule_ends(size: int, seed: int) -> None:
    pairings = round_robin(NAMES[:size])
    meetings = play_out(Fixed(pairings), seed)
    assert met(meetings) == met(pairings)


@settings(deadline=None)
@given(SIZES, DICE, st.integers(0, 2))
def test_knockout_has_one_winner(size: int, seed: int, replays: int) -> None:
    cup = KnockOut(NAMES[:size], replays=replays)
    meetings = play_out(cup, seed)
    matches = {(meeting.round, frozenset(meeting[:2])) for meeting in meetings}
    assert len(matches) == size - 1
    winner = cup.winner(meetings)
    assert winner in cup.names
    rounds = cup.rounds(meetings)
    assert len(rounds) == (size - 1).bit_length()
    assert cup.winner([meeting for meeting in meetings if meeting.round < len(rounds)]) is None
    byes = [name for drawn in rounds for name in drawn.byes]
    assert byes == list(rounds[0].byes)
    assert set(byes) == set(NAMES[: 2 ** len(rounds) - size])  # the best seeds rest
    assert winner in rounds[-1].pairings[0]


def test_knockout_goes_by_seed_when_the_better_always_win() -> None:
    cup = KnockOut(NAMES[:8])
    meetings: list[Meeting] = []
    while due := cup.due(meetings):
        meetings += [Meeting(first, second, 2.0 if first < second else 0.0, number) for first, second, number, _ in due]
    assert [sorted(drawn.pairings) for drawn in cup.rounds(meetings)] == [
        [Pairing("p0", "p7"), Pairing("p1", "p6"), Pairing("p2", "p5"), Pairing("p3", "p4")],
        [Pairing("p0", "p3", 2), Pairing("p1", "p2", 2)],
        [Pairing("p0", "p1", 3)],
    ]
    assert cup.winner(meetings) == "p0"


def test_knockout_ties() -> None:
    tie = Meeting("b", "a", 1)
    assert KnockOut(["a", "b"]).winner([tie]) == "a"  # the better seed
    cup = KnockOut(["a", "b"], replays=2)
    assert cup.due([tie]) == [Pairing("a", "b", 1, replay=1)]
    assert cup.due([tie, tie]) == [Pairing("a", "b", 1, replay=2)]
    assert cup.winner([tie, tie, tie]) == "a"
    assert cup.winner([tie, Meeting("a", "b", 0.5)]) == "b"


@settings(deadline=None, max_examples=60)
@given(SIZES, DICE, st.data())
def test_swiss(size: int, seed: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(1, max(1, size // 2)))
    swiss = Swiss(NAMES[:size], number)
    meetings = play_out(swiss, seed)
    rounds = swiss.rounds(meetings)
    assert len(rounds) == number
    assert max(met(meetings).values()) == 1  # so few rounds never need a rematch
    assert max(Counter(name for drawn in rounds for name in drawn.byes).values(), default=0) <= 1
    for drawn in rounds:
        assert sorted([*drawn.byes, *(name for pairing in drawn.pairings for name in pairing[:2])]) == sorted(
            swiss.names
        )
        assert len(drawn.byes) == size % 2
    rows = swiss.standings(meetings)
    assert sum(row.points for row in rows) == pytest.approx(number * 2 * ((size + 1) // 2))
    assert all(row.games + row.byes == 2 * number for row in rows)


@settings(deadline=None, max_examples=30)
@given(st.integers(2, 9), DICE)
def test_swiss_with_more_rounds_than_opponents(size: int, seed: int) -> None:
    swiss = Swiss(NAMES[:size], size + 2)
    meetings = play_out(swiss, seed)
    byes = Counter(name for drawn in swiss.rounds(meetings) for name in drawn.byes)
    assert not byes or max(byes.values()) - min(byes[name] for name in swiss.names) <= 1
    assert max(met(meetings).values()) <= (size + 2 if size == 2 else 4)


def test_swiss_pairs_equals() -> None:
    """Eight players, the better always wins: after each round winners meet winners."""
    swiss = Swiss(NAMES[:8], 3)
    meetings: list[Meeting] = []
    points: Counter[str] = Counter()
    while due := swiss.due(meetings):
        assert all(points[first] == points[second] for first, second, _, _ in due)
        for first, second, number, _ in due:
            meetings.append(Meeting(first, second, 2.0 if first < second else 0.0, number))
            points[min(first, second)] += 2
    assert swiss.standings(meetings)[0].name == "p0"


def test_swiss_finds_the_only_way_without_a_rematch() -> None:
    """In the late rounds of a small tournament there may be none: only then do some meet again."""
    for seed in range(20):
        swiss = Swiss(NAMES[:6], 5)
        rounds = swiss.rounds(play_out(swiss, seed))
        for drawn in rounds:
            before = met([pairing for earlier in rounds[: drawn.number - 1] for pairing in earlier.pairings])
            free = [[j for j in range(6) if j != i and not before[frozenset((NAMES[i], NAMES[j]))]] for i in range(6)]
            if -1 not in matching(free):
                assert not any(before[frozenset(pairing[:2])] for pairing in drawn.pairings)


@settings(deadline=None, max_examples=40)
@given(SIZES, DICE, st.sampled_from(["swiss", "knockout"]))
def test_only_the_results_matter(size: int, seed: int, kind: str) -> None:
    """In whatever order results come, round by round or one by one, the tournament is the same."""

    def new() -> Swiss | KnockOut:
        return Swiss(NAMES[:size], 3) if kind == "swiss" else KnockOut(NAMES[:size], replays=1)

    by_one = play_out(new(), seed)
    by_round: list[Meeting] = []
    while due := new().due(by_round):
        by_round += [played(pairing, seed) for pairing in due]
    assert sorted(by_one) == sorted(by_round)
    assert new().rounds(by_one) == new().rounds(by_round)


@settings(max_examples=200)
@given(st.integers(1, 8), st.randoms(use_true_random=False), st.floats(0.1, 0.9))
def test_matching_is_the_largest(size: int, dice: random.Random, density: float) -> None:
    edges = [pair for pair in combinations(range(size), 2) if dice.random() < density]
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)

    def largest(rest: list[tuple[int, int]]) -> int:
        if not rest:
            return 0
        (a, b), others = rest[0], rest[1:]
        return max(largest(others), 1 + largest([edge for edge in others if not {a, b} & set(edge)]))

    mates = matching(neighbours)
    assert all(mate == -1 or (mates[mate] == one and mate in neighbours[one]) for one, mate in enumerate(mates))
    assert sum(mate != -1 for mate in mates) == 2 * largest(edges)


def test_standings_by_hand() -> None:
    meetings = [Meeting("a", "b", 1, games=1), Meeting("b", "c", 1, games=1), Meeting("c", "d", 0.5, games=1)]
    meetings += [Meeting("a", "c", 0.5, games=1), Meeting("b", "d", 0, games=1), Meeting("d", "a", 0.5, games=1)]
    rows = {row.name: row for row in standings(meetings)}
    assert [row.name for row in standings(meetings)] == ["a", "d", "c", "b"]
    assert {name: row.points for name, row in rows.items()} == {"a": 2, "b": 1, "c": 1, "d": 2}
    assert {name: row.buchholz for name, row in rows.items()} == {"a": 4, "b": 5, "c": 5, "d": 4}
    assert rows["a"].sonneborn_berger == 1 + 0.5 + 1
    assert rows["d"].sonneborn_berger == 0.5 + 1 + 1
    assert rows["a"].rank == rows["d"].rank == 1
    assert (rows["b"].rank, rows["b"].sonneborn_berger, rows["c"].sonneborn_berger) == (4, 1, 2)


@settings(deadline=None, max_examples=15)
@given(SIZES, DICE)
def test_cross_table_adds_up(size: int, seed: int) -> None:
    meetings = play_out(Fixed(round_robin(NAMES[:size], 2)), seed)
    table, rows = cross_table(meetings), standings(meetings)
    assert list(table) == [row.name for row in rows]
    for row in rows:
        assert sum(score.points for score in table[row.name].values()) == row.points
        assert row.name not in table[row.name]
        for other, score in table[row.name].items():
            assert score.games == 4
            assert score.points + table[other][row.name].points == 4


def test_nothing_played() -> None:
    assert standings([]) == []
    assert cross_table([]) == {}
    assert [row.points for row in Swiss(["a", "b"], 1).standings([])] == [0, 0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: round_robin(["a"]), "expected at least 2 players, not 1"),
        (lambda: round_robin(["a", "b", "a"]), "'a' plays twice"),
        (lambda: round_robin(["a", "b"], 0), "rounds is 0"),
        (lambda: gauntlet("a", ["b", "a"]), "'a' plays twice"),
        (lambda: gauntlet([], ["b", "a"]), "expected at least one player on each side"),
        (lambda: KnockOut([]), "expected at least 2 players, not 0"),
        (lambda: KnockOut(["a", "b"], replays=-1), "replays is -1"),
        (lambda: Swiss(["a", "b"], 0), "rounds is 0"),
        (lambda: Swiss(["a", "b"], 1).due([Meeting("a", "c", 1)]), "a - c in round 1 was played but never due"),
        (lambda: KnockOut(["a", "b"]).due([Meeting("a", "b", 1, 2)]), "a - b in round 2 was played but never due"),
        (lambda: Swiss(["a", "b"], 1).due([Meeting("a", "b", 1)] * 2), "was played 2 times, expected at most 1"),
        (lambda: Fixed(round_robin(["a", "b"])).due([Meeting("a", "b", 3)]), "gave 3 points in 2 games"),
    ],
)
def test_what_makes_no_sense_is_refused(make: object, words: str) -> None:
    with pytest.raises(DamierError, match=words):
        make()  # type: ignore[operator]
