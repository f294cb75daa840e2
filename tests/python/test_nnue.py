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


def random_positions(game: str, count: int) -> tuple[list[Any], np.ndarray]:
    """Boards of random games, and the inputs of each."""
    start = damier.board(game)
    played = start.play_games(count // 30, seed=7)
    plies = len(played["codes"])
    buffer = start.sample_buffer(FEATURES, seed=1)
    games = len(played["ends"])
    numbers = np.arange(plies, dtype=np.int16)  # as scores, which come back with the samples
    starts = np.zeros(games, np.int32)
    buffer.add_games(
        [None],
        starts,
        played["codes"],
        played["ends"],
        played["results"],
        numbers,
        played["ends"],
        np.arange(games, dtype=np.int32),
    )
    drawn = buffer.draw(plies)
    boards = []
    for first, last in zip([0, *played["ends"][:-1]], played["ends"], strict=True):
        board = damier.board(game)
        for move in board.replay(played["codes"][first:last]):
            boards.append(board.copy())
            board.push(move)
    return boards, drawn["features"][np.argsort(drawn["score"])]


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_computes_the_same(game: str) -> None:
    boards, inputs = random_positions(game, 3000)
    print(len(boards), inputs.shape)
