"""Games of the engine against itself, kept as shards that survive an interruption at any moment."""

from __future__ import annotations

import os
import threading
import zlib
from collections.abc import Callable
from typing import Any

import numpy.typing as npt

from damier import games as all_games
from damier._core import DamierError, Evaluator, StopFlag
from damier.data import Simulation, collect

__all__ = ["self_play"]

SHARD_GAMES = 250
TABLE_MEGABYTES = 4  # a few thousand nodes a move fill no more


def self_play(
    game: str,
    *,
    games: int,
    nodes: int = 1000,
    depth: int = 0,
    random_plies: int = 8,
    eval: str | Evaluator | None = None,
    fen: str | None = None,
    seed: int = 0,
    threads: int = 1,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play games of the engine against itself; with `out`, keep them there with the score of every move.

    Each game starts with random moves (one more in every second game), then every move is searched for so many nodes.
    Game number n depends on the settings, the seed and n alone, and a run that was cut off is completed.

    >>> self_play("rennes", games=2, nodes=100, seed=1).games
    2
    """
    if nodes < 1 and depth < 1:
        raise DamierError("self-play needs a limit of nodes or depth a move")
    if not 0 <= nodes <= 10**12:
        raise DamierError(f"nodes is {nodes}, expected 0 to {10**12}")
    board = all_games.board(game, fen)
    evaluator = eval if isinstance(eval, Evaluator) else board.evaluator(eval or board.evaluations()[0])
    own = threading.local()

    def play(first: int, count: int, stop: StopFlag) -> dict[str, npt.NDArray[Any]]:
        if not hasattr(own, "engine"):
            own.engine = board.engine()
            own.engine.set_hash(TABLE_MEGABYTES)
            own.engine.set_evaluator(evaluator)
        columns: dict[str, npt.NDArray[Any]] = own.engine.play_games(
            board, count, seed=seed, first_game=first, random_plies=random_plies, nodes=nodes, depth=depth, stop=stop
        )
        return columns

    settings = {
        "nodes": nodes,
        "depth": depth,
        "random_plies": random_plies,
        "eval": evaluator.name,
        "weights": _fingerprint(board, evaluator),
    }
    return collect(
        game,
        board,
        play,
        games=games,
        seed=seed,
        threads=threads,
        out=out,
        progress=progress,
        shard_games=SHARD_GAMES,
        settings=settings,
    )


def _fingerprint(board: all_games.Board, evaluator: Evaluator) -> int | None:
    """A number that tells the weights of an evaluation from others, None where it has none to show."""
    try:
        return zlib.crc32(board.weights(evaluator).tobytes())
    except DamierError:
        return None
