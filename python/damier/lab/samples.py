"""Positions described by the terms of a hand-written evaluation, to fit its weights to: see damier.lab.classic.

Positions described by planes or by feature sets come from damier.lab.loader.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from damier import games, jobs
from damier._core import DataError, Evaluator, Samples, StopFlag
from damier.lab.blocks import Blocks
from damier.storage.shards import Columns

__all__ = ["load_samples"]

PIECE_GAMES = 2000  # that a thread replays at a time


class _Piece(NamedTuple):
    number: int
    held_out: bool
    name: str  # of the source, in messages
    fen: str | None
    columns: Columns


def load_samples(
    game: str,
    blocks: Blocks,
    *,
    evaluator: Evaluator | None = None,
    skip: int = 10,
    every: int = 1,
    mix: float = 0.0,
    slope: float = 0.005,
    seed: int = 0,
    threads: int = 1,
) -> tuple[Samples, Samples]:
    """The quiet positions of stored games: nine tenths to learn from, one tenth held out.

    `evaluator` is the evaluation whose terms are counted, `classic` by default.
    """
    counted = evaluator or games.board(game).evaluator("classic")

    def work(piece: _Piece, stop: StopFlag) -> tuple[_Piece, Samples]:
        columns = piece.columns
        try:
            found = games.board(game, piece.fen).sample_games(
                counted,
                columns["codes"],
                columns["ends"],
                columns["results"],
                columns["scores"],
                columns["score_ends"],
                skip=skip,
                every=every,
                seed=seed + piece.number,
                mix=mix,
                slope=slope,
                stop=stop,
            )
        except DataError as error:
            raise DataError(f"{piece.name}: {error}") from None
        return piece, found

    # In order, so that the same games always give the same samples.
    done: dict[int, tuple[bool, Samples]] = {}
    for piece, found in jobs.run(work, _pieces(blocks), threads=threads):
        done[piece.number] = piece.held_out, found
    learnt, held_out = Samples(), Samples()
    for number in sorted(done):
        is_held_out, found = done.pop(number)
        (held_out if is_held_out else learnt).extend(found)
    if min(len(learnt), len(held_out)) == 0:
        raise DataError(
            f"{blocks}: there are too few quiet positions in these games to learn from some and hold some out"
        )
    return learnt, held_out


def _pieces(blocks: Blocks) -> Iterator[_Piece]:
    number = 0
    for block in blocks:
        held = block.read()
        for held_out in (False, True):
            numbers = blocks.numbers(block, held_out)
            for some in np.array_split(numbers, -(-len(numbers) // PIECE_GAMES) or 1):
                for fen, columns in held.by_start(some):
                    yield _Piece(number, held_out, block.name, fen, columns)
                    number += 1
