"""Features against slow computations of the same, written from their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from common import walk

import damier
from damier import Side, chess, draughts, loa

Square = tuple[int, int]


def boards(variant: str, games: int, every: int) -> list[loa.Board]:
    found = []
    for seed in range(games):
        found += [b.copy() for b in walk(damier.board(variant), seed, plies=80) if b.ply % every == 0]
    return found  # type: ignore[return-value]


def places(board: loa.Board, side: Side) -> list[Square]:
    letter = "o" if side == Side.WHITE else "x"
    squares = {name: (file, rank) for name, file, rank in board.squares}
    return [squares[name] for name, piece in board.pieces().items() if piece == letter]


def far(a: tuple[float, float], b: tuple[float, float]) -> float:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def gravity(pieces: list[Square]) -> tuple[float, float]:
    return sum(x for x, _ in pieces) / len(pieces), sum(y for _, y in pieces) / len(pieces)


def groups_of(pieces: list[Square]) -> list[list[Square]]:
    left, groups = set(pieces), []
    while left:
        waiting, group = [left.pop()], []
        while waiting:
            here = waiting.pop()
            group.append(here)
            near = {other for other in left if far(here, other) == 1}
            left -= near
            waiting += near
        groups.append(group)
    return groups


def bing_side(board: loa.Board, side: Side, size: int) -> list[float]:
    ours, theirs = places(board, side), set(places(board, Side.BLACK if side == Side.WHITE else Side.WHITE))
    centre = gravity(ours)
    groups = 0.0
    for group in groups_of(ours):
        nearest = min(far(piece, centre) for piece in group)
        groups += 1 if nearest < 1.5 else len(group) if nearest > 2.5 else 1 + (len(group) - 1) * (nearest - 1.5)
    links = 0.0
    for a, b in itertools.combinations(ours, 2):
        if far(a, b) == 1:
            links += max(2.5 - far(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), centre), 0)
    blocked = 0.0
    for x, y in ours:
        here = far((x, y), centre)
        gains = [
            far((x + dx, y + dy), centre) - here
            for dx, dy in itertools.product((-1, 0, 1), repeat=2)
            if (dx or dy) and 0 <= x + dx < size and 0 <= y + dy < size and (x + dx, y + dy) not in theirs
        ]
        blocked += max(here - 2, 0) * max(0.5 + min(min(gains, default=math.inf), 1), 0)
    middle = ((size - 1) / 2, (size - 1) / 2)
    spread = sum(far(piece, centre) for piece in ours) / len(ours)
    return [len(ours), spread, far(centre, middle), groups, links, blocked]


@pytest.mark.parametrize(("variant", "size"), [("loa", 8), ("loa5", 5), ("loa6:olympiad", 6)])
def test_bing(variant: str, size: int) -> None:
    tested = boards(variant, 8, 3)
    assert len(tested) > 60
    blocked = False
    for board in tested:
        expected = [*bing_side(board, Side.WHITE, size), *bing_side(board, Side.BLACK, size)]
        expected += [1 if board.turn == Side.WHITE else -1, 1]
        np.testing.assert_allclose(board.features("bing"), expected, rtol=1e-5, atol=1e-5, err_msg=board.fen())
        blocked |= expected[5] > 0
    assert blocked or size < 8
    names = damier.eval.feature_names(tested[0], "bing")
    assert len(names) == 14
    assert names[-2:] == ["turn", "bias"]


def window_counts(pieces: list[Square]) -> list[int]:
    held = set(pieces)
    counts = [0] * 5
    for x, y in itertools.product(range(-1, 8), repeat=2):
        counts[sum(corner in held for corner in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)))] += 1
    return counts


def euler_of(pieces: list[Square]) -> float:
    held, diagonal = set(pieces), 0
    for x, y in itertools.product(range(-1, 8), repeat=2):
        window = [(x, y) in held, (x + 1, y + 1) in held, (x + 1, y) in held, (x, y + 1) in held]
        diagonal += window in ([True, True, False, False], [False, False, True, True])
    counts = window_counts(pieces)
    return (counts[1] - counts[3] - 2 * diagonal) / 4


def quads_side(board: loa.Board, side: Side) -> list[float]:
    ours = places(board, side)
    counts = window_counts(ours)
    x, y = gravity(ours)
    linear = sum(abs(px - x) + abs(py - y) for px, py in ours)
    exponential = sum(2 ** abs(px - x) + 2 ** abs(py - y) for px, py in ours)
    placement = board.fen().split()[0]
    mine, theirs = (
        loa.Board(f"{placement} {'o' if who == Side.WHITE else 'x'}", variant=board.variant)
        for who in (side, Side.BLACK if side == Side.WHITE else Side.WHITE)
    )
    moves = [mine.ends(move) for move in mine.legal_moves]
    held = set(mine.pieces())
    capturable = {to for _, to in map(theirs.ends, theirs.legal_moves) if to in held}
    stuck = len(ours) - len({start for start, _ in moves})
    return [euler_of(ours), counts[3], counts[4], linear, exponential, len(capturable), len(moves), stuck]


def test_quads() -> None:
    tested = [board for board in boards("loa", 8, 3) if not board.outcome()]
    for board in tested:
        other = Side.BLACK if board.turn == Side.WHITE else Side.WHITE
        expected = np.array(quads_side(board, board.turn)) - np.array(quads_side(board, other))
        np.testing.assert_allclose(board.features("quads"), expected, rtol=1e-5, atol=1e-4, err_msg=board.fen())
    assert len(tested) > 60


@pytest.mark.parametrize("variant", ["paris", "english", "international", "turkish", "rennes"])
def test_paris(variant: str) -> None:
    kings = 0
    for seed in range(10):
        for board in walk(draughts.Board(variant=variant), seed, plies=120):
            held = list(board.pieces().values())
            own, enemy = ("w", "b") if board.turn == Side.WHITE else ("b", "w")
            expected = [sum(p.lower() == side for p in held) for side in (own, enemy)]
            expected += [held.count(side.upper()) for side in (own, enemy)]
            assert board.features("paris").tolist() == expected
            assert board.evaluate(board.evaluator("paris")) == np.dot(expected, (100, -100, 200, -200))
            kings += expected[2]
    assert kings > 0 or variant == "rennes"


def test_ocap() -> None:
    values = {"p": 100, "n": 300, "b": 300, "r": 500, "q": 900, "k": 0}
    for seed in range(12):
        for board in walk(chess.Board(), seed, plies=120):
            if board.outcome():
                continue
            total = 0
            for name, piece in board.pieces().items():
                rank = int(name[1]) - 1
                total += values[piece.lower()] + 10 * rank if piece.isupper() else 0
                total -= values[piece.lower()] + 10 * (7 - rank) if piece.islower() else 0
            sign = 1 if board.turn == Side.WHITE else -1
            assert board.evaluate(board.evaluator("ocap")) == sign * total
            features = board.features("ocap")
            assert features @ np.array([100, 300, 300, 500, 900, 10]) == sign * total


def test_unknown_features_are_refused() -> None:
    expected = "'nope' is not a feature set of this game, expected one of bing, quads"
    with pytest.raises(damier.DamierError, match=expected):
        loa.Board().features("nope")
    assert loa.Board().features("bing").dtype == np.float32
