"""The ladder: every algorithm finds minimax's value, and the trees they record hang together."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import numpy as np
import pytest
from common import EVERY_GAME, walk
from hypothesis import given, settings
from hypothesis import strategies as st

import damier
from damier import textbook
from damier._core import StopFlag
from damier.games import Board
from damier.players import player

CLEVER = [name for name in textbook.EXACT if name not in ("minimax", "negamax")]
SURE = 32000 - 400


def after(game: str, seed: int, plies: int) -> Board:
    """A board after some random moves with its game still going on."""
    for number in range(seed, seed + 100):
        *_, board = walk(damier.board(game), number, plies=plies)
        if not board.outcome(claim_draw=True):
            return board
    raise AssertionError(f"no game of {game} lasts {plies} plies")


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("hash", [0, 1])
def test_all_find_the_same_value(game: str, hash: int) -> None:
    for plies in (0, 12):
        board = after(game, 5, plies)
        depth = 2 if board.perft(3) > 30_000 else 3
        results = textbook.compare(board, depth, hash=hash)
        assert [result.algorithm for result in results] == list(textbook.EXACT)
        assert len({result.score.value for result in results}) == 1
        for result in results:
            assert result.move in board.legal_moves
            assert result.pv[0] == result.move
            assert result.depth == depth
            assert result.branching == pytest.approx(result.nodes ** (1 / depth))
            assert hash > 0 or result.table_hits == 0
        minimax, negamax, *rest = results
        assert minimax.nodes == negamax.nodes
        assert minimax.cutoffs == 0
        assert plies > 0 or all(result.cutoffs > 0 for result in rest)


@pytest.mark.parametrize("game", ["loa5", "loa6:openspiel", "chess", "english", "frisian", "russian"])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_no_option_but_the_null_move_changes_the_value(game: str, data: st.DataObject) -> None:
    board = after(game, data.draw(st.integers(0, 10_000), "seed"), data.draw(st.integers(0, 25), "plies"))
    depth = data.draw(st.integers(1, 3), "depth")
    quiescence = depth < 3 and data.draw(st.booleans(), "quiescence")
    iterative = data.draw(st.booleans(), "iterative")
    options: textbook.Options = {
        "ordering": data.draw(st.sampled_from(textbook.ORDERINGS), "ordering"),
        "hash": data.draw(st.sampled_from([0, 1]), "hash"),
        "iterative": iterative,
        "aspiration": data.draw(st.sampled_from([0, 1, 25]), "aspiration") if iterative else 0,
    }
    truth = textbook.search(board, "negamax", depth=depth, quiescence=quiescence).score.value
    for algorithm in CLEVER:
        found = textbook.search(board, algorithm, depth=depth, quiescence=quiescence, **options)
        assert found.score.value == truth, algorithm
        assert worth(board, found.move, depth, quiescence) == truth, algorithm


def worth(board: Board, move: Any, depth: int, quiescence: bool) -> int:
    """What a move gives: the value of the position after it, one ply further from a win."""
    board = board.copy()
    us = board.turn
    board.push(move)
    if outcome := board.outcome(claim_draw=True):
        return 0 if outcome.winner is None else 31999 if outcome.winner == us else -31999
    value = -textbook.search(board, "alphabeta", depth=depth - 1, quiescence=quiescence).score.value
    return value - 1 if value >= SURE else value + 1 if value <= -SURE else value


def test_every_evaluation_by_name_or_as_an_object() -> None:
    board = damier.loa.Board()
    for name in board.evaluations():
        by_name = textbook.search(board, "pvs", depth=2, eval=name)
        as_object = textbook.search(board, "pvs", depth=2, eval=board.evaluator(name))
        assert (by_name.score.value, by_name.nodes) == (as_object.score.value, as_object.nodes)
    with pytest.raises(damier.DamierError, match="belongs to another game"):
        textbook.search(board, eval=damier.chess.Board().evaluator("ocap"))


def test_a_python_function_judges() -> None:
    board = damier.board("loa5")
    values = {
        textbook.search(board, name, depth=2, eval=lambda at: 3 * len(at.legal_moves)).score.value
        for name in textbook.EXACT
    }
    assert len(values) == 1

    def broken(_: Board) -> float:
        raise RuntimeError("no idea")

    with pytest.raises(RuntimeError, match="no idea"):
        textbook.search(board, depth=2, eval=broken)


def test_the_null_move_saves_nodes() -> None:
    board = after("chess", 1, 16)
    plain = textbook.search(board, "alphabeta", depth=5)
    passing = textbook.search(board, "alphabeta", depth=5, null_move=True)
    assert passing.nodes < plain.nodes
    assert passing.move in board.legal_moves


def test_ordering_pays() -> None:
    board = after("chess", 3, 20)
    nodes = [textbook.search(board, "alphabeta", depth=4, ordering=ordering).nodes for ordering in textbook.ORDERINGS]
    assert nodes[3] < nodes[1] < nodes[0]


def test_a_finished_game_has_no_move() -> None:
    mated = damier.chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1")
    for result in textbook.compare(mated, 2, algorithms=textbook.ALGORITHMS):
        assert (result.move, result.pv) == (None, ())
        assert result.algorithm == "mcts" or result.score.value == -32000


def test_a_search_stops_when_asked() -> None:
    board = damier.chess.Board()
    for algorithm in textbook.ALGORITHMS:
        stop = StopFlag()
        timer = threading.Timer(0.05, stop.set)
        timer.start()
        start = time.monotonic()
        result = textbook.search(board, algorithm, depth=30, iterative=True, simulations=10_000_000, stop=stop)
        assert time.monotonic() - start < 5
        assert result.stopped
        assert result.move in board.legal_moves
        assert result.depth < 30 or algorithm == "mcts"


def test_mcts_is_reproducible_and_sees_a_mate() -> None:
    board = damier.chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    for leaves in ("random", "evaluated"):
        found = [textbook.search(board, "mcts", simulations=400, leaves=leaves, seed=3) for _ in range(2)]
        assert board.text(found[0].move) == "Ra8#"
        assert found[0].pv == found[1].pv
        assert found[0].branching is None


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"algorithm": "sss"}, "'sss' is not an algorithm, expected one of minimax, negamax"),
        ({"depth": 61}, "depth is 61, expected 0 to 60"),
        ({"depth": -1}, "depth is -1"),
        ({"eval": "vibes"}, "'vibes' is not an evaluation of this game"),
        ({"ordering": "best"}, "'best' is not an ordering, expected one of none, captures, killers, history"),
        ({"hash": 10**6}, "hash is 1000000, expected 0 to 1024"),
        ({"aspiration": 10}, "aspiration needs iterative deepening"),
        ({"simulations": 0}, "simulations is 0"),
        ({"exploration": float("nan")}, "exploration is nan"),
        ({"leaves": "x"}, "'x' is not a kind of leaves"),
        ({"tables": 1}, "'tables' is not an option, expected one of eval, iterative"),
    ],
)
def test_bad_options_are_refused_in_a_line(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(damier.DamierError) as caught:
        textbook.search(damier.loa.Board(), **wrong)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


# Trees.


@pytest.mark.parametrize("algorithm", textbook.ALGORITHMS)
@pytest.mark.parametrize("cap", [1, 10, 500, 10**6])
def test_recorded_and_counted_make_all_nodes(algorithm: str, cap: int) -> None:
    for game in ("loa6", "english"):
        tree = textbook.trace(after(game, 2, 10), algorithm, depth=4, cap=cap, simulations=300, null_move=True)
        assert len(tree) <= cap
        assert len(tree) + tree.unrecorded == tree.result.nodes
        assert (cap < 10**6) or tree.unrecorded == 0
        plies = tree.columns["ply"]
        assert plies.min() == 0
        assert list(np.unique(plies)) == list(range(plies.max() + 1))


@pytest.mark.parametrize("algorithm", textbook.ALGORITHMS)
def test_a_tree_is_walked_from_the_root(algorithm: str) -> None:
    board = after("chess", 4, 8)
    tree = textbook.trace(board, algorithm, depth=3, cap=3000, simulations=300)
    seen = 0
    stack = list(tree.passes)
    while stack:
        node = stack.pop()
        seen += 1
        if seen % 50 == 0 and node.move is not None:
            assert replay(node).text(node.move) == node.text
        for child in node.children:
            assert child.parent == node
            assert child.ply == node.ply + 1
            stack.append(child)
    assert seen == len(tree)
    if algorithm != "mcts":
        assert tree.root.value == tree.result.score.value


def replay(node: textbook.Node) -> Board:
    """The board in which the move of a node was played."""
    board: Any = node.tree.board.copy()
    line = []
    while node.parent and node.parent.move is not None:
        node = node.parent
        line.append(node.move)
    for move in reversed(line):
        board.push(move)
    result: Board = board
    return result


def test_values_follow_from_the_children() -> None:
    board = after("loa5", 7, 6)
    tree = textbook.trace(board, "minimax", depth=3, cap=10**6)
    for node in tree:
        children = list(node.children)
        if node.why == "searched":
            assert node.value == max(-child.value for child in children)
        else:
            assert node.why in ("leaf", "terminal")
            assert not children
        assert (node.alpha, node.beta) == (-32001, 32001)
    tree = textbook.trace(board, "alphabeta", depth=4, cap=10**6)
    for node in tree:
        assert (node.why == "cut") == (node.value >= node.beta and any(node.children))
        assert node.window_out[0] >= node.alpha
    whys = np.bincount(tree.columns["why"], minlength=7)
    assert whys[1] + whys[4] == tree.result.leaves
    assert whys[2] == tree.result.cutoffs


def test_passes_and_scouts_are_marked() -> None:
    board = after("loa", 7, 6)
    passes = textbook.trace(board, "mtdf", depth=3).passes
    assert [node.why == "re-search" for node in passes] == [True] * (len(passes) - 1) + [False]
    assert len(passes) == 1 + textbook.search(board, "mtdf", depth=3).researches
    assert all(node.beta == node.alpha + 1 for node in passes[1:])
    scouts = [node for node in textbook.trace(board, "pvs", depth=3) if node.why == "re-search"]
    assert len(scouts) == textbook.search(board, "pvs", depth=3).researches > 0
    deepening = textbook.trace(board, "alphabeta", depth=3, iterative=True)
    assert [node.depth for node in deepening.passes] == [1, 2, 3]
    nulls = [node for node in textbook.trace(board, "alphabeta", depth=4, null_move=True) if node.role == "null"]
    assert nulls
    assert {node.text for node in nulls} == {"pass"}
    quiet = [node for node in textbook.trace(board, "alphabeta", depth=2, quiescence=True) if node.role == "quiescence"]
    assert all("x" in node.text for node in quiet)
    assert quiet


def test_columns_are_seen_in_place() -> None:
    tree = textbook.trace(damier.loa.Board(), depth=2, eval="material")
    assert not tree.columns["value"].flags.owndata
    assert not tree.columns["value"].flags.writeable
    value = tree.columns["value"]
    del tree
    assert value[0] == 0  # the memory lives as long as someone looks at it


def test_a_deep_tree_is_explored_without_being_kept() -> None:
    tree = textbook.trace(damier.chess.Board(), "alphabeta", depth=6, cap=20_000, ordering="history")
    assert tree.result.nodes > 20_000 >= len(tree)
    assert sum(child.visits for child in tree.root.children) + 1 == tree.result.nodes
    assert sum(1 for _ in tree.root.children) == 20


# Players.


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=2",
        "negamax:depth=2",
        "alphabeta:depth=3,eval=material",
        "alphabeta-memory:hash=1,ordering=history",
        "mtdf:depth=3",
        "pvs:depth=3,quiescence=on,iterative=1,aspiration=20",
        "mcts:nodes=100,seed=2",
        "mcts:leaves=evaluated",
    ],
)
def test_players_of_the_ladder_play(spec: str) -> None:
    board = damier.board("loa")
    chooser = player(spec)
    for _ in range(4):
        board.push(chooser.play(board).move)  # type: ignore[arg-type]
    assert chooser.name == spec.partition(":")[0]
    with pytest.raises(damier.MoveError, match="no legal move"):
        player(spec).play(damier.chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"))


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("minimax:nodes=3", "'nodes' is not a key of minimax, expected one of depth"),
        ("mcts:depth=3", "'depth' is not a key of mcts, expected one of nodes"),
        ("pvs:quiescence=maybe", "quiescence is 'maybe', expected on or off"),
    ],
)
def test_bad_specs_are_refused(spec: str, words: str) -> None:
    with pytest.raises(damier.DamierError, match=words):
        player(spec)


def test_a_deeper_search_wins() -> None:
    dice = random.Random(4)
    wins = 0
    for _ in range(4):
        board = damier.board("loa5")
        board.push(dice.choice(list(board.legal_moves)))  # type: ignore[arg-type]
        searcher, us = player("pvs:depth=4"), board.turn
        while not board.outcome(claim_draw=True):
            move = searcher.play(board).move if board.turn == us else dice.choice(list(board.legal_moves))
            board.push(move)
        outcome = board.outcome(claim_draw=True)
        wins += outcome is not None and outcome.winner == us
    assert wins == 4
