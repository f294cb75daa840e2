"""Evaluations of every game: the two sides are treated alike, and the terms people see are the score."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from common import EVERY_GAME, ROOT, walk
from test_symmetry import chess_images, draughts_images, loa_images

import damier
from damier import Side, chess, games
from damier.cli.app import run
from damier.games import Board

# Games with a network of their own.
NETS = {"chess", "chess960", "loa", "loa:olympiad", "loa:openspiel", "loa:bing"}
NETS |= {"english", "international", "russian", "brazilian", "frisian"}
NONE = np.zeros(0, np.int16), np.zeros(0, np.int32)


def undecided(variant: str, seeds: int = 2, every: int = 3) -> Iterator[Board]:
    for seed in range(seeds):
        for board in walk(damier.board(variant), 40 + seed, plies=150):
            if board.ply % every == seed % every and not board.outcome():
                yield board


def swapped(board: Board) -> list[Board]:
    """The position with White and Black exchanged, none where a FEN cannot hold all of it. Networks turn the board for
    the other side: in Lines of Action that is the first of two."""
    fen = board.fen()
    match games.info(board.variant).family:
        case "loa":
            turned = loa_images(fen)[3], fen
            images = [image.translate(str.maketrans("xo", "ox")) for image in turned]
        case "chess":
            images = chess_images(fen)
        case _:
            images = [] if "+" in fen else draughts_images(fen, len(board.squares))
    return [damier.board(board.variant, image) for image in images]


@pytest.mark.parametrize("variant", EVERY_GAME)
def test_sides_are_alike(variant: str) -> None:
    start = damier.board(variant)
    evaluators = [start.evaluator(name) for name in start.evaluations()]
    assert evaluators[0].name == ("nnue" if variant in NETS else "classic")
    seen = 0
    for board in undecided(variant):
        images = swapped(board)
        seen += len(images) > 0
        for evaluator in evaluators:
            for image in images[:1] if evaluator.name == "nnue" else images[-1:]:
                assert board.evaluate(evaluator) == image.evaluate(evaluator), (evaluator.name, board.fen())
    assert seen > 10


@pytest.mark.parametrize("variant", EVERY_GAME)
def test_terms_add_up(variant: str) -> None:
    start = damier.board(variant)
    for name in start.evaluations():
        evaluator = start.evaluator(name)
        for board in undecided(variant, seeds=1, every=5):
            total = sum(term[3] for term in board.explain(evaluator))
            for_white = board.evaluate(evaluator) * (1 if board.turn == Side.WHITE else -1)
            assert total == pytest.approx(for_white, abs=1.01), (name, board.fen())


@pytest.mark.parametrize("variant", ["chess", "loa", "loa6", "english", "international", "turkish", "frisian", "paris"])
def test_counted_features_times_weights_are_the_score(variant: str) -> None:
    board = damier.board(variant)
    evaluator = board.evaluator("classic")
    weights = board.weights(evaluator)
    played = board.play_games(3, seed=5)
    samples = board.sample_games(evaluator, played["codes"], played["ends"], played["results"], *NONE, skip=0)
    rows = samples.rows()
    begins = np.concatenate(([0], rows["ends"][:-1]))
    mine = []
    for begin, end, start, finish in zip(begins, rows["ends"], rows["start_shares"], rows["end_shares"], strict=True):
        totals = rows["times"][begin:end] @ weights[rows["features"][begin:end]]
        mine.append(totals @ np.array([start, finish]))
    np.testing.assert_allclose(samples.values(weights), mine, atol=0.01)

    scores = []  # of the same positions, as the search sees them
    first = 0
    for end in played["ends"]:
        game = damier.board(variant)
        game.replay(played["codes"][first:end])
        first = end
        again = damier.board(variant)
        for move in game.moves:
            if is_calm(again, move):
                scores.append(again.evaluate(evaluator) * (1 if again.turn == Side.WHITE else -1))
            again.push(move)
    if variant == "chess":  # elsewhere the facts about quiet positions are not known to Python
        assert len(scores) == len(samples)
        np.testing.assert_allclose(samples.values(weights), scores, atol=1.01)
    else:
        assert 0 < len(samples) <= len(scores)


def is_calm(board: Board, move: object) -> bool:
    if isinstance(board, chess.Board):
        assert isinstance(move, chess.Move)
        return not board.is_check() and not board.is_capture(move) and move.promotion is None
    return True


def test_weights_can_be_changed() -> None:
    board = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    evaluator = board.evaluator("classic")
    weights = board.weights(evaluator)
    heavy = weights.copy()
    heavy[0] += 100  # a pawn
    more = board.evaluate(board.with_weights(evaluator, heavy)) - board.evaluate(evaluator)
    assert more > 50
    with pytest.raises(damier.DamierError, match=r"classic has 458 weights, not 3"):
        board.with_weights(evaluator, weights[:3])
    with pytest.raises(damier.DamierError, match="'ocap' is not a sum of weighted features"):
        board.weights(board.evaluator("ocap"))


@pytest.mark.parametrize(
    ("fen", "least"),
    [
        ("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", 600),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", 3000),
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 300),
        ("8/P7/8/8/8/8/7k/K7 w - - 0 1", 400),  # a runner
    ],
)
def test_chess_knows_who_is_winning(fen: str, least: int) -> None:
    board = chess.Board(fen)
    assert board.evaluate(board.evaluator("classic")) > least


@pytest.mark.parametrize("fen", ["4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1"])
def test_chess_knows_what_cannot_win(fen: str) -> None:
    board = chess.Board(fen)
    assert board.evaluate(board.evaluator("classic")) == 0


def columns(board: Board, name: str) -> dict[str, tuple[float | None, float | None, float]]:
    return {term: (white, black, total) for term, white, black, total in board.explain(board.evaluator(name))}


def test_terms_stand_in_the_column_of_their_side() -> None:
    for fen_turn in "xo":
        board = damier.board("loa", f"1xxxxxx1/o6o/o6o/o6o/o6o/o6o/o6o/1xxxx3 {fen_turn}")
        bing = columns(board, "bing-linear")
        assert list(bing) == ["pieces", "spread", "off centre", "groups", "connections", "blocked", "turn", "bias"]
        white, black, total = bing["pieces"]
        assert {white, black} == {12.0 * 12, 12.0 * 10}
        assert total == white - black  # type: ignore[operator]
        assert bing["turn"][:2] == (None, None)
        assert all(term[:2] == (None, None) for term in columns(board, "quads").values())  # differences


@pytest.mark.parametrize("turn", ["W", "B"])
def test_own_and_enemy_follow_the_colour(turn: str) -> None:
    board = damier.board("international", f"{turn}:W31,32,K33:B1,2")
    assert columns(board, "paris") == {"pieces": (300, 200, 100), "kings": (200, 0, 200)}


def test_eval_command_leaves_columns_of_differences_empty(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "loa", "--eval", "quads"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "freedom" in line)
    assert len(line.split()) == 2  # the term and its total
    assert run(["eval", "loa", "--eval", "quads", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["terms"][0]["white"] is None


def test_eval_command_prints_no_negative_zero(capsys: pytest.CaptureFixture[str]) -> None:
    """What rounding leaves of a term that cancels out."""
    fen = "1x1xxxx1/2o4o/o3x3/o6o/o4o1o/o4x1o/o6o/1xxxx1x1 x"
    assert run(["eval", "loa", "--eval", "quads", "--fen", fen]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if "distance, exponential" in line)
    assert line.split()[-1] == "+0.0"


def test_eval_command(capsys: pytest.CaptureFixture[str]) -> None:
    for name, choice in (("nnue", []), ("classic", ["--eval", "classic"])):
        assert run(["eval", "chess", "--moves", "1. e4 e5", "--json", *choice]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["eval"] == name
        assert report["score"] == report["white"]
        assert sum(term["total"] for term in report["terms"]) == pytest.approx(report["white"], abs=1.01)
    assert run(["eval", "loa", "--eval", "quads"]) == 0
    assert "quads of 3" in capsys.readouterr().out
    assert run(["eval", "loa", "--eval", "nonsense"]) == 1
    assert "'nonsense' is not an evaluation of this game, expected one of nnue, classic, " in capsys.readouterr().err


def test_bare_kings_are_judged_by_hand(tmp_path: Path) -> None:
    """How a bare king is mated is in no game that networks learn from, whether they are built in or come as a file."""
    copy = tmp_path / "net.safetensors"
    copy.write_bytes((ROOT / "cpp/damier/games/chess/nnue.safetensors").read_bytes())
    for fen, alike in (("8/8/8/4k3/8/8/8/KBN5 w - - 0 1", True), ("8/7p/8/4k3/8/8/8/KBN5 w - - 0 1", False)):
        board = damier.board("chess", fen)
        by_hand = board.evaluate(board.evaluator("classic"))
        for net in ("nnue", str(copy)):
            assert (board.evaluate(board.evaluator(net)) == by_hand) is alike
            names = [name for name, *_ in board.explain(board.evaluator(net))]
            assert ("together" in names) is not alike
