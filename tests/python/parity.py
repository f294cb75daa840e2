"""Boards with what a network or tables see of them, on which Python and the engine have to give the same scores."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

import damier
from damier.nnue import Nnue
from damier.patterns import Patterns


def random_positions(game: str, games: int, features: str) -> tuple[list[Any], Any]:
    """Boards of random games, and the features of each."""
    start = damier.board(game)
    played = start.play_games(games, seed=7)
    codes, ends, score_ends = played["codes"], played["ends"], np.cumsum(played["plies"], dtype=np.int32)
    buffer, chosen = start.sample_buffer(features), np.arange(games, dtype=np.int32)
    numbers = np.arange(score_ends[-1], dtype=np.int16)  # as scores, which come back with the samples
    buffer.add_games([None], 0 * chosen, codes, ends, played["results"], numbers, score_ends, chosen)
    drawn, boards = buffer.draw(len(numbers)), []
    for first, last in pairwise([0, *ends]):
        whole, board = start.copy(), start.copy()
        whole.replay(codes[first:last])
        for move in whole.moves:
            boards.append(board.copy())
            board.push(move)
    return boards, drawn["features"][np.argsort(drawn["score"])]


def check_parity(evaluation: Nnue | Patterns, game: str, boards: list[Any], features: Any, *, distinct: int) -> None:
    """The engine gives the scores that Python gives, more than so many different ones."""
    board = damier.board(game)
    evaluator, scores = evaluation.evaluator(board), evaluation.scores(board, features).tolist()
    assert [each.evaluate(evaluator) for each in boards] == scores
    assert len(set(scores)) > distinct
