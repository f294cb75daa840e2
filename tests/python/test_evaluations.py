"""Evaluations of every game: the two sides are treated alike, and the terms people see are the score."""

from __future__ import annotations

import random

import pytest

import damier
from damier import chess

GAMES = ["chess"]


def random_boards(game: str, games: int, seed: int = 1):
    """Boards of random games that are not over, every third ply."""
    chooser = random.Random(seed)
    for number in range(games):
        board = damier.board(game)
        for ply in range(160):
            if board.is_over():
                break
            if ply % 3 == number % 3:
                yield board
            board.push(chooser.choice(list(board.legal_moves)))


def swapped_chess(board: chess.Board) -> chess.Board:
    """The same position with White and Black exchanged."""
    squares, turn, castling, passant, *_ = board.fen().split()
    swapped = "/".join(reversed(squares.split("/"))).swapcase()
    castling = "".join(sorted(castling.swapcase()))
    passant = passant[0] + str(9 - int(passant[1])) if passant != "-" else "-"
    return chess.Board(f"{swapped} {'w' if turn == 'b' else 'b'} {castling} {passant} 0 1")


@pytest.mark.parametrize("name", chess.Board().evaluations())
def test_chess_sides_are_alike(name: str) -> None:
    evaluator = chess.Board().evaluator(name)
    for board in random_boards("chess", 30):
        assert board.evaluate(evaluator) == swapped_chess(board).evaluate(evaluator), board.fen()


@pytest.mark.parametrize("game", GAMES)
def test_terms_add_up(game: str) -> None:
    for name in damier.board(game).evaluations():
        evaluator = damier.board(game).evaluator(name)
        for board in random_boards(game, 6):
            total = sum(term[3] for term in board.explain(evaluator))
            sign = 1 if board.turn == damier.Side.WHITE else -1
            assert abs(total - sign * board.evaluate(evaluator)) < 1.001, (name, board.fen())
