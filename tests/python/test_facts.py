"""What boards know besides their rules: what was captured, line counts and groups, checks, who has to capture."""

from __future__ import annotations

import numpy as np
import pytest
from common import EVERY_GAME, walk

import damier
from damier import Side, chess, draughts, loa
from damier.drawing.pieces import pieces_of


@pytest.mark.parametrize("variant", EVERY_GAME)
def test_what_is_captured_is_what_is_missing(variant: str) -> None:
    board = damier.board(variant)
    at_first = len(board.pieces())
    for board in walk(damier.board(variant), 5, plies=60):
        lost = board.captured()
        assert at_first - len(board.pieces()) == sum(sum(each.values()) for each in lost.values())
        for side, letters in lost.items():
            assert all(pieces_of(board)[letter].side == side for letter in letters)


@pytest.mark.parametrize("variant", ["loa", "loa5", "loa:olympiad"])
def test_pieces_move_as_far_as_their_lines_say(variant: str) -> None:
    for board in walk(loa.Board(variant=variant), 3):
        places = {name: (file, rank) for name, file, rank in board.squares}
        counts = board.line_counts()
        assert set(counts) == set(board.pieces())
        for move in board.legal_moves:
            if move.is_pass:
                continue
            (file, rank), (to_file, to_rank) = places[move.from_square], places[move.to_square]
            across, up = to_file - file, to_rank - rank
            line = "e-w" if up == 0 else "n-s" if across == 0 else "ne-sw" if across * up > 0 else "nw-se"
            assert counts[move.from_square][line] == max(abs(across), abs(up))


def test_a_side_with_one_group_has_won() -> None:
    for seed in range(4):
        for board in walk(loa.Board(variant="loa5"), seed):
            whole = [len(board.groups(side)) == 1 for side in (Side.WHITE, Side.BLACK)]
            outcome = board.outcome()
            connected = outcome is not None and "connection" in outcome.reason
            assert any(whole) == connected
            assert sum(map(len, board.groups(Side.BLACK))) == list(board.pieces().values()).count("x")


def test_the_checked_king_is_that_of_the_side_to_move() -> None:
    assert chess.Board().checked_king() is None
    assert chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checked_king() == "e1"


def test_whoever_can_capture_has_to() -> None:
    seen = 0
    for variant in draughts.VARIANTS:
        for board in walk(draughts.Board(variant=variant), 4, plies=60):
            must = board.must_capture()
            seen += bool(must)
            assert bool(must) == any(move.captured for move in board.legal_moves)
            if must:
                assert {move.from_square for move in board.legal_moves} == set(must)
    assert seen > 50


def test_blocked_pieces_are_those_of_the_features() -> None:
    for board in walk(loa.Board(), 9, plies=60):
        names = board.feature_names("bing")
        features = dict(zip(names, board.features("bing").tolist(), strict=True))
        for side, word in ((Side.WHITE, "white"), (Side.BLACK, "black")):
            expected = next(value for name, value in features.items() if "blocked" in name and word in name.lower())
            assert sum(board.blocked(side).values()) == pytest.approx(expected, abs=1e-4)


def test_the_centre_is_that_of_the_features() -> None:
    for variant in ("loa", "loa5"):
        for board in walk(loa.Board(variant=variant), 9, plies=60):
            names = board.feature_names("bing")
            features = dict(zip(names, board.features("bing").tolist(), strict=True))
            middle = max(file for _, file, _ in board.squares) / 2
            for side, word in ((Side.WHITE, "white"), (Side.BLACK, "black")):
                away = max(abs(part - middle) for part in board.centre(side))
                assert features[f"{word} off centre"] == pytest.approx(away, abs=1e-4)


def test_passed_pawns() -> None:
    assert chess.Board().passed_pawns(Side.WHITE) == []
    board = chess.Board("4k3/1p6/8/P2P4/3p4/8/6P1/4K3 w - - 0 1")
    assert board.passed_pawns(Side.WHITE) == ["d5", "g2"]
    assert board.passed_pawns(Side.BLACK) == ["d4"]


def passed_term(board: chess.Board, weight: int) -> tuple[float | None, float | None]:
    """The term of passed pawns for White and Black when one weight counts and the others do not."""
    evaluator = board.evaluator("classic")
    weights = np.zeros_like(board.weights(evaluator))
    weights[weight] = 64
    return next((w, b) for name, w, b, _ in board.explain(board.with_weights(evaluator, weights)) if "passed" in name)


def test_passed_pawns_are_those_of_the_evaluation() -> None:
    """Rank by rank: the weights of passed pawns are eight in a row, of which a lone pawn on the fifth has the fifth."""
    alone = chess.Board("4k3/8/8/3P4/8/8/8/4K3 w - - 0 1")
    count = len(alone.weights(alone.evaluator("classic")))
    first = next(weight for weight in range(count) if passed_term(alone, weight)[0]) - 4
    doubled = 0
    for seed in range(3):
        for board in walk(chess.Board(), seed, plies=120):
            ranks = [{int(pawn[1]) for pawn in board.passed_pawns(side)} for side in (Side.WHITE, Side.BLACK)]
            found = [passed_term(board, first + rank) for rank in range(8)]
            assert ranks[0] == {rank + 1 for rank, (white, _) in enumerate(found) if white}
            assert ranks[1] == {8 - rank for rank, (_, black) in enumerate(found) if black}
            doubled += any(len(each) > 1 for each in ranks)
    assert doubled
    board = chess.Board("4k3/8/8/3P4/8/3P4/8/4K3 w - - 0 1")
    assert board.passed_pawns(Side.WHITE) == ["d5"]
    assert not passed_term(board, first + 2)[0]
