"""Efficiently updated networks: the engine computes what the trainer computes, and training makes them better."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import damier
from damier.lab import self_play
from damier.lab.loader import Loader
from damier.nnue import FEATURES, INPUT_ONE, Nnue, bucket_of

GAMES = ("loa", "chess", "english", "international")


def random_net(game: str, *, hidden: int = 32, buckets: int = 8, largest: float = 1.98, seed: int = 1) -> Nnue:
    """A network whose weights take all the room they have."""
    rng = np.random.default_rng(seed)
    inputs, _, _ = damier.board(game).nnue_shape()
    shapes: Sequence[tuple[int, ...]] = ((inputs, hidden), (hidden,), (buckets, 2 * hidden), (buckets,))
    return Nnue.quantised(*(rng.uniform(-largest, largest, shape) for shape in shapes), scale=150)


def random_positions(game: str, games: int) -> tuple[list[Any], Any]:
    """Boards of random games, and the inputs of each."""
    start = damier.board(game)
    played = start.play_games(games, seed=7)
    codes, ends, plies = played["codes"], played["ends"], len(played["codes"])
    buffer, chosen = start.sample_buffer(FEATURES), np.arange(games, dtype=np.int32)
    numbers = np.arange(plies, dtype=np.int16)  # as scores, which come back with the samples
    buffer.add_games([None], 0 * chosen, codes, ends, played["results"], numbers, ends, chosen)
    drawn = buffer.draw(plies)
    boards = []
    for ply in range(plies):
        board = start.copy() if ply == 0 or ply in ends else boards[-1].copy()
        if len(boards) and ply not in ends:
            board.replay(codes[ply - 1 : ply])
        boards.append(board)
    return boards, drawn["features"][np.argsort(drawn["score"])]


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_computes_what_the_trainer_computes(game: str) -> None:
    boards, inputs = random_positions(game, 25)
    assert len(boards) == len(inputs) > 1000
    for net in (random_net(game), random_net(game, hidden=16, buckets=1, largest=0.4, seed=2)):
        board = damier.board(game)
        evaluator = net.evaluator(board)
        scores = net.scores(board, inputs).tolist()
        assert [each.evaluate(evaluator) for each in boards] == scores
        assert len(set(scores)) > 100
