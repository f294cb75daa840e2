"""Tree searches of many boards: as the definition says, right where games end, and the same however they are run."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from slow_puct import SlowPuct

import damier
from damier import Board, BoardBatch
from damier._core import DamierError
from damier.players.simple import wins_at_once
from damier.puct import PuctSettings, Search

GAMES = ["loa5", "rennes", "english", "chess"]


@cache
def weights(inputs: int, outputs: int) -> Any:
    return np.random.default_rng(7).normal(size=(inputs, outputs))


def judged(planes: Any) -> tuple[Any, Any]:
    """A network that knows nothing: numbers that depend on the position alone, and on little else."""
    actions = {(5, 5, 5): 321, (7, 8, 8): 1280, (17, 8, 8): 1924, (5, 8, 8): 1457}[planes.shape[1:]]
    out = planes.reshape(len(planes), -1).astype(np.float64) @ weights(planes[0].size, actions + 1)
    return (out[:, :actions] / 2).astype(np.float32), np.tanh(out[:, actions] / 4).astype(np.float32)


def uniform(planes: Any) -> tuple[Any, Any]:
    logits, values = judged(planes)
    return np.zeros_like(logits), np.zeros_like(values)


def random_boards(game: str, plies: int, count: int, seed: int = 0) -> list[Board]:
    boards = []
    for number in range(count):
        board = damier.board(game)
        board.play_at_random(plies, seed=seed + number)
        boards.append(board)
    return boards


def batch_of(boards: list[Board]) -> BoardBatch:
    batch = BoardBatch(boards[0].variant, len(boards))
    for i, board in enumerate(boards):
        batch.put(i, board)
    return batch


def found(search: Search, i: int) -> dict[int, tuple[float, float, float]]:
    """Share, prior and value of each action of a board."""
    actions, shares, priors, values, ends = search.policies()
    part = slice(int(ends[i - 1]) if i else 0, int(ends[i]))
    columns = (actions[part], shares[part], priors[part], values[part])
    return {int(action): (float(s), float(p), float(v)) for action, s, p, v in zip(*columns, strict=True)}


@pytest.mark.parametrize(("game", "plies"), [("loa5", 3), ("loa5", 9), ("rennes", 34), ("english", 60)])
def test_trees_are_what_the_definition_says(game: str, plies: int) -> None:
    boards = random_boards(game, plies, 4)
    search = Search(batch_of(boards), judged)
    search.run(80)
    for i, board in enumerate(boards):
        slow = SlowPuct(board, judged, wins_on_board=game.startswith("loa"))
        slow.run(80)
        assert slow.root.children is not None
        fast = found(search, i)
        assert search.values()[i] == pytest.approx(-slow.root.mean(), abs=1e-5)
        assert set(fast) == {child.action for child in slow.root.children.values()}
        if slow.root.proof is not None:
            continue
        visits = sum(child.visits for child in slow.root.children.values() if child.proof != -1)
        for child in slow.root.children.values():
            share, prior, value = fast[child.action]
            assert prior == pytest.approx(float(child.prior), abs=1e-6)
            assert share == pytest.approx(0 if child.proof == -1 else child.visits / visits, abs=1e-6)
            if child.visits:
                assert value == pytest.approx(float(child.mean()), abs=1e-5)


def test_a_win_in_one_needs_no_network() -> None:
    def never(planes: Any) -> tuple[Any, Any]:
        raise AssertionError("it was asked")

    boards = []
    for board in random_boards("loa5", 10, 200):
        if wins := [move for move in board.legal_moves if wins_at_once(board, move)]:
            boards.append((board, wins))
    assert len(boards) > 10
    batch = batch_of([board for board, _ in boards])
    search = Search(batch, never)
    search.run(10)
    assert set(search.values()) == {1.0}
    for i, action in enumerate(search.choose(1.0)):
        assert batch.move(i, int(action)) in boards[i][1]


def test_a_mate_in_one_is_found() -> None:
    board = damier.board("chess", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    batch = batch_of([board])
    search = Search(batch, uniform)
    search.run(200)
    assert str(batch.move(0, int(search.choose()[0]))) == "a1a8"
    assert search.values()[0] == 1.0


def minimax(board: Board, known: dict[str, int]) -> int:
    """1 won, -1 lost, for the side to move; no game of these rules is drawn."""
    if outcome := board.outcome():
        return 1 if outcome.winner == board.turn else -1
    if (fen := board.fen) not in known:
        known[fen] = -1
        for move in list(board.legal_moves):
            board.push(move)
            known[fen] = max(known[fen], -minimax(board, known))
            board.pop()
            if known[fen] == 1:
                break
    return known[fen]


def test_proofs_are_those_of_minimax() -> None:
    boards = [board for board in random_boards("rennes", 54, 60) if len(board.legal_moves) in (2, 3)][:10]
    search = Search(batch_of(boards), judged)
    search.run(600)
    values = [minimax(board, {}) for board in boards]
    proved = np.abs(search.values()) == 1
    assert proved.sum() >= 5
    assert set(search.values()[proved]) == {-1, 1}
    assert search.values()[proved].tolist() == np.array(values)[proved].tolist()


def test_a_repetition_is_a_draw_in_the_tree() -> None:
    """One that completes a third occurrence is worth nothing, whatever the network says."""
    board = damier.board("loa")
    for text in ["b1-b3", "a2-c2", "b3-b1", "c2-a2"] * 2:
        if board.outcome():
            break
        last = board.parse(text)
        board.push(last)
    board.pop()
    batch = batch_of([board])
    search = Search(batch, lambda planes: (uniform(planes)[0], np.full(len(planes), 0.5, np.float32)))
    search.run(300)
    _, _, value = found(search, 0)[batch.action(0, last)]
    assert value == 0.0


def test_what_is_known_of_the_move_played_is_kept() -> None:
    boards = BoardBatch("loa5", 3)
    search = Search(boards, judged, seed=4)
    search.run(200)
    before = search.evaluations
    boards.play(search.choose())
    search.run(200)
    assert 0 < search.evaluations - before < 3 * 190
    fresh = Search(boards, judged)
    fresh.run(1)
    best = int(search.choose()[0])
    assert found(search, 0)[best][1] == pytest.approx(found(fresh, 0)[best][1])  # its prior
    boards.reset(seed=3, opening_plies=2)  # other games
    search.run(50)
    assert set(found(search, 1)) == {boards.action(1, move) for move in boards.board(1).legal_moves}


def test_threads_and_neighbours_change_nothing() -> None:
    boards = random_boards("loa5", 4, 9)
    one, many = Search(batch_of(boards), judged), Search(batch_of(boards), judged, threads=4)
    for search in (one, many):
        search.run(100, noisy=True)
    assert [a.tolist() for a in one.policies()[:3]] == [a.tolist() for a in many.policies()[:3]]
    quiet = Search(batch_of(boards), judged)
    quiet.run(100)
    for i, board in enumerate(boards):
        alone = Search(batch_of([board]), judged)
        alone.run(100)
        np.testing.assert_allclose(list(found(alone, 0).values()), list(found(quiet, i).values()), atol=1e-6)


def test_noise_is_in_the_priors_of_the_root_alone() -> None:
    boards = BoardBatch("loa", 50)
    search = Search(boards, uniform, PuctSettings(noise=0.25, dirichlet_concentration=10), seed=1)
    search.run(1, noisy=True)
    rows = np.array([[prior for _, prior, _ in found(search, i).values()] for i in range(50)])
    count = rows.shape[1]
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(rows.mean(axis=0), 1 / count, atol=0.02)
    alpha = 10 / count  # the variance of a symmetric Dirichlet distribution
    expected = 0.25**2 * (1 / count) * (1 - 1 / count) / (count * alpha + 1)
    assert rows.var() == pytest.approx(expected, rel=0.3)


def test_several_leaves_at_a_time_cost_little() -> None:
    boards = random_boards("english", 20, 5)
    search = Search(batch_of(boards), judged)
    calls = []

    def counted(planes: Any) -> tuple[Any, Any]:
        calls.append(len(planes))
        return judged(planes)

    search.evaluate = counted
    search.run(160, leaves=8)
    assert len(calls) < 60
    exact = Search(batch_of(boards), judged)
    exact.run(160)
    np.testing.assert_allclose(search.values(), exact.values(), atol=0.15)


def test_trees_stop_growing() -> None:
    boards = BoardBatch("loa", 2)
    search = Search(boards, judged, PuctSettings(most_nodes=500))
    search.run(300)
    assert search.trees.nodes <= 2 * 500
    assert search.evaluations == 600


@pytest.mark.parametrize("game", ["loa5", "loa", "rennes", "turkish", "chess"])
def test_images_of_boards_have_images_of_actions(game: str) -> None:
    cells, actions = BoardBatch(game, 1).symmetries()
    assert len(cells) == {"loa": 8, "turkish": 1}.get(damier.games.info(game).family, 1)
    for board in random_boards(game, 7, 5):
        batch = batch_of([board])
        planes = batch.planes().reshape(-1, cells.shape[1])
        legal = np.flatnonzero(batch.legal_mask()[0])
        seen = []
        for image in board.images():
            other = batch_of([image])
            seen.append((other.planes().reshape(planes.shape)[:-2], set(np.flatnonzero(other.legal_mask()[0]))))
        for to, becomes in zip(cells, actions, strict=True):
            turned = np.empty_like(planes)
            turned[:, to] = planes
            assert any((turned[:-2] == image).all() and set(becomes[legal]) == moves for image, moves in seen)
            assert sorted(becomes) == list(range(batch.action_count))


def test_refusals() -> None:
    boards = BoardBatch("loa5", 2)
    search = Search(boards, lambda planes: (np.full((2, 321), np.nan), np.zeros(2)))
    with pytest.raises(DamierError, match="a logit is not a finite number"):
        search.run(10)
    with pytest.raises(DamierError, match="2 leaves wait for back_up"):
        search.trees.select()
    with pytest.raises(DamierError, match="logits of shape 2 x 320 and 2 values, expected 2 x 321 and 2"):
        search.trees.back_up(np.zeros((2, 320), np.float32), np.zeros(2, np.float32))
    with pytest.raises(DamierError, match="a value is not a number from -1 to 1"):
        search.trees.back_up(np.zeros((2, 321), np.float32), np.full(2, 2, np.float32))
    search.evaluate = judged
    search.run(10)  # it begins again
    assert search.evaluations > 0
    with pytest.raises(DamierError, match="3 simulations for 2 boards, expected one for each"):
        search.trees.begin(np.ones(3, np.int64), np.ones(3, np.int64))
    with pytest.raises(DamierError, match="simulations is -1, expected 0 to"):
        search.run(-1)
    with pytest.raises(DamierError, match="exploration is"):
        Search(boards, judged, PuctSettings(exploration=-1))


def test_planes_of_leaves_stay_as_they_were() -> None:
    boards = BoardBatch("loa5", 8)
    search = Search(boards, lambda planes: (np.zeros((len(planes), 321)), np.zeros(len(planes))))
    kept = []
    for leaves in (1, 4, 16):  # each needs more room than the last one
        planes = search.trees.select(leaves)
        kept.append((planes, planes.copy()))
        search.trees.back_up(np.zeros((len(planes), 321), np.float32), np.zeros(len(planes), np.float32))
    assert all(np.array_equal(planes, before) for planes, before in kept)


def test_a_tree_is_not_kept_for_the_same_pieces_at_another_clock() -> None:
    batch = BoardBatch("chess", 1)
    search = Search(batch, judged)
    for quiet_plies in (0, 99):
        batch.put(0, damier.board("chess", f"k7/8/8/8/8/8/8/K6R w - - {quiet_plies} 80"))
        search.run(60)
    assert all(value == 0 for share, _, value in found(search, 0).values() if share)  # every move is the 50th
