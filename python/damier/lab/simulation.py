"""Random games by the million, kept as shards that survive an interruption at any moment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypedDict, Unpack

import pyarrow as pa

from damier import games as all_games
from damier import jobs
from damier._core import DamierError, StopFlag
from damier.engine.arguments import check_range
from damier.files import JsonObject
from damier.jobs.pace import Pace
from damier.lab.counts import GameCounts
from damier.records import Entrant
from damier.storage.shard_writer import Piece, ShardWriter
from damier.storage.shards import About, Columns, packed_shard
from damier.storage.writer import Destination, Rows

__all__ = ["Play", "RunOptions", "Simulation", "collect", "simulate"]

SHARD_GAMES = 20_000
MAX_THREADS = 1024
SECONDS_HERE, SECONDS_THERE = 2.0, 20.0  # of a piece, on threads and on a cluster

Play = Callable[[int, int, StopFlag], Columns]  # (first, count, stop): plays fewer once stopped; is picklable


class RunOptions(TypedDict, total=False):
    """Where the games of a run are played and kept."""

    threads: int | None  # games at a time here, or on each machine of the cluster; see `damier.jobs.run`
    cluster: str | None  # the Ray cluster to play on, none for this process
    out: str | os.PathLike[str] | None  # the folder for shards
    resume: bool  # whether a folder that holds part of the run is completed, or refused as it is by default
    database: Rows | None  # keeps the games as rows
    on_progress: Callable[[int], None] | None  # called with the number of finished games each time some are


@dataclass
class Simulation(GameCounts):
    """The result of a simulation: how many games, how they ended, how long it took."""

    game: str
    seed: int
    seconds: float = 0.0
    played: int = 0  # in this run; the others were found in the folder

    @property
    def games_per_second(self) -> float:
        """The speed of this run."""
        return self.played / self.seconds if self.seconds else 0.0


class _Done(NamedTuple):
    """A piece that was played: its columns, or only those to be counted if it is a whole shard, already packed."""

    piece: Piece
    columns: Columns
    packed: pa.Buffer | None
    seconds: float


@dataclass(frozen=True)
class _Work:
    """Plays the games of a piece and, if they are saved, packs them as a shard."""

    play: Play
    about: About | None
    needs_columns: bool

    def __call__(self, item: tuple[Piece, bool], stop: StopFlag) -> _Done | None:
        piece, is_complete = item
        start = time.perf_counter()
        columns = self.play(piece.first, piece.games, stop)
        if stop.is_set():
            return None
        packed = packed_shard(self.about, piece.first, columns) if self.about else None
        if not self.needs_columns and (is_complete or not packed):
            columns = {name: columns[name] for name in ("plies", "results", "reasons")}
        return _Done(piece, columns, packed, time.perf_counter() - start)

    def close(self) -> None:
        """Release the players, external engines included."""
        if close := getattr(self.play, "close", None):
            close()


@dataclass(frozen=True)
class _RandomPlay:
    """Plays random games."""

    game: str
    fen: str | None
    seed: int
    keep_moves: bool

    def __call__(self, first: int, count: int, stop: StopFlag) -> Columns:
        board = all_games.board(self.game, self.fen)
        return board.play_games(count, seed=self.seed, first_game=first, keep_moves=self.keep_moves, stop=stop)


def simulate(
    game: str,
    *,
    games: int,
    fen: str | None = None,
    seed: int = 0,
    **run: Unpack[RunOptions],
) -> Simulation:
    """Play random games of any game; with `out`, save all of them in that folder, with `database` as rows.

    Game number n depends only on the seed and n. With `resume`, a folder that holds part of the run is completed, and
    may grow by more games; one that holds another run is refused. `run` takes the fields of `RunOptions`.

    >>> simulation = simulate("rennes", games=100, seed=1)
    >>> simulation.games, sum(simulation.results.values())
    (100, 100)
    """
    return collect(
        "simulation",
        game,
        all_games.board(game, fen),
        _RandomPlay(game, fen, seed, keep_moves=run.get("out") is not None or run.get("database") is not None),
        games=games,
        seed=seed,
        guess=SHARD_GAMES,
        player=Entrant("random", "random"),
        **run,
    )


def collect(
    kind: str,
    game: str,
    board: all_games.Board,
    play: Play,
    *,
    games: int,
    seed: int,
    threads: int | None = None,
    cluster: str | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    database: Rows | None = None,
    on_progress: Callable[[int], None] | None = None,
    shard_games: int = SHARD_GAMES,
    guess: int = 1,
    settings: JsonObject | None = None,
    player: Entrant | None = None,
    specs: Sequence[str] = (),
) -> Simulation:
    """Collect games played by `play`, in pieces of a few seconds, as `simulate` does; `settings` also distinguish runs,
    and `guess` is the number of games per piece before it is known how long they take. `player` plays both sides,
    unless the columns name the players, whose specs may be in `specs`.
    """
    check_range("games", games, 0, 10**12)
    check_range("seed", seed, 0, 2**64 - 1)
    check_range("threads", 1 if threads is None else threads, 1, MAX_THREADS)
    if out is not None and not os.fspath(out):
        raise DamierError("out is empty, expected the name of a folder")
    done = Simulation(game, seed)
    report = on_progress or (lambda _: None)
    about = About(board.variant, board.fen(), seed)
    run = {"game": game, "fen": board.fen(), "seed": seed, "games": games, "shard_games": shard_games}
    run |= settings or {}
    folder = None if out is None else Path(out)
    pace = Pace(SECONDS_THERE if cluster else SECONDS_HERE, guess, least=0.5, most=shard_games)
    work = _Work(play, about if folder else None, needs_columns=database is not None)
    with ShardWriter(
        Destination(folder, database, resume),
        kind,
        run,
        about,
        games=games,
        shard_games=shard_games,
        player=player,
        specs=specs,
    ) as writer:

        def take_over(columns: Columns) -> None:
            done.count(columns)
            report(done.games)

        writer.take_over(take_over)
        with jobs.pool(work, threads=threads, cluster=cluster) as workers:
            runs = pace.pieces(writer.missing(), games - done.games, lambda: workers.width)
            pieces = ((piece, writer.is_complete(piece)) for piece in writer.pieces(runs))
            began = time.perf_counter()
            for finished in workers.results(pieces):
                if finished is None:  # cut off
                    continue
                writer.append(finished.piece.first, finished.columns, finished.packed)
                pace.add(finished.piece.games, finished.seconds)
                done.count(finished.columns)
                done.played += finished.piece.games
                done.seconds = time.perf_counter() - began
                report(done.games)
    return done
