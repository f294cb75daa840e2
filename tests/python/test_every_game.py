"""One examination for every game and variant: what must hold of any rules, whatever they are."""

from __future__ import annotations

import pickle

import pytest
from common import EVERY_GAME, check_texts, walk

import damier
from damier.games import Board

GAMES_EACH = 4
pytestmark = pytest.mark.parametrize("variant", EVERY_GAME)


def test_random_games_keep_every_promise(variant: str) -> None:
    for seed in range(GAMES_EACH):
        for board in walk(damier.board(variant), seed):
            assert board.key == board.fresh_key()
            assert_moves_are_sound(board)


def assert_moves_are_sound(board: Board) -> None:
    moves = list(board.legal_moves)
    assert len(moves) == len(board.legal_moves) == len(set(moves))
    assert bool(board.legal_moves) == bool(moves)
    check_texts(board, Board.text, Board.parse)
    assert all(board.is_legal(move) and move in board.legal_moves for move in moves)


def test_fen_gives_the_whole_position(variant: str) -> None:
    for board in walk(damier.board(variant), 11):
        read = damier.board(variant, board.fen())
        assert read == board
        assert read.key == board.key
        assert read.fen() == board.fen()
        assert list(read.legal_moves) == list(board.legal_moves)


def test_taking_back_restores_everything(variant: str) -> None:
    fens = [board.fen() for board in walk(damier.board(variant), 12)]
    *_, board = walk(damier.board(variant), 12)
    for fen in reversed(fens):
        assert board.fen() == fen
        assert board.key == board.fresh_key()
        if board.ply:
            assert board.peek() == board.pop()
    with pytest.raises(damier.MoveError, match="no move to take back"):
        board.pop()


def test_copies_are_equal_and_independent(variant: str) -> None:
    for board in walk(damier.board(variant), 13, plies=40):
        twin = board.copy()
        assert type(twin) is type(board)
        assert twin == board
        assert twin.moves == board.moves
        assert pickle.loads(pickle.dumps(board)).moves == board.moves
        if not board.outcome():
            twin.push(next(iter(twin.legal_moves)))
            assert twin != board
            assert twin.ply == board.ply + 1


def test_generated_moves_are_exactly_the_legal_ones(variant: str) -> None:
    """Moves of other positions are accepted here only if they are generated here."""
    others = {move for board in walk(damier.board(variant), 14, plies=60) for move in board.legal_moves}
    for board in walk(damier.board(variant), 15, plies=60):
        legal = set(board.legal_moves)
        assert {move for move in others if board.is_legal(move)} == others & legal
        for move in sorted(others - legal, key=str)[:3]:
            with pytest.raises(damier.MoveError, match="is illegal in"):
                board.push(move)


def test_stored_games_replay_to_the_same_outcome(variant: str) -> None:
    columns = damier.board(variant).play_games(30, seed=5)
    begin = 0
    for end, plies, result, reason in zip(
        columns["ends"], columns["plies"], columns["results"], columns["reasons"], strict=True
    ):
        board = damier.board(variant)
        board.replay(columns["codes"][begin:end])
        outcome = board.outcome()
        assert outcome is not None
        assert board.ply == plies
        assert outcome.result == damier._core.results()[result]
        assert outcome.reason == damier._core.reasons()[reason]
        assert list(board.codes()) == list(columns["codes"][begin:end])
        begin = end


def test_an_outcome_ends_the_game_and_not_before(variant: str) -> None:
    for board in walk(damier.board(variant), 16):
        if not board.legal_moves:
            assert board.outcome() is not None
        assert board.is_over() == (board.outcome() is not None)
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner is None) == (outcome.result == "1/2-1/2")
    assert outcome.reason in damier._core.reasons()


def test_the_same_seed_plays_the_same_games(variant: str) -> None:
    board = damier.board(variant)
    whole = board.play_games(6, seed=9)
    second_half = board.play_games(3, seed=9, first_game=3)
    assert list(whole["plies"][3:]) == list(second_half["plies"])
    assert list(whole["codes"][whole["ends"][2] :]) == list(second_half["codes"])


def test_moves_can_be_pickled_and_belong_to_their_game(variant: str) -> None:
    for board in walk(damier.board(variant), 17, plies=40):
        for move in board.legal_moves:
            assert pickle.loads(pickle.dumps(move)) == move
