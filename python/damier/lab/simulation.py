"""Random games by the million, kept as shards that survive an interruption at any moment."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from damier import games as all_games
from damier import jobs
from damier._core import DamierError, DataError, StopFlag, reasons, results
from damier.storage.games import About, packed_shard, read_about, read_table, write_shard

__all__ = ["Play", "Simulation", "collect", "simulate"]

SHARD_GAMES = 20_000
MAX_THREADS = 1024


Columns = dict[str, npt.NDArray[Any]]
Play = Callable[[int, int, StopFlag], Columns]  # plays so many games from a number on, fewer once stopped; is picklable


@dataclass
class Simulation:
    """What a simulation did: how many games, how they ended, how long it took."""

    game: str
    seed: int
    games: int = 0
    plies: int = 0
    results: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    played: int = 0  # in this run; the others were found in the folder

    @property
    def games_per_second(self) -> float:
        """The speed of this run."""
        return self.played / self.seconds if self.seconds else 0.0

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        return self.plies / self.games if self.games else 0.0


@dataclass(frozen=True)
class _Piece:
    """Consecutive games that fill one shard."""

    number: int
    first: int
    games: int

    def path(self, folder: Path) -> Path:
        return folder / f"games-{self.number:06d}.parquet"


@dataclass(frozen=True)
class _Work:
    """Plays the games of a piece and packs them, if they are kept, as a shard about something."""

    play: Play
    about: About | None

    def __call__(self, piece: _Piece, stop: StopFlag) -> tuple[_Piece, Columns, pa.Buffer | None]:
        columns = self.play(piece.first, piece.games, stop)
        shard = packed_shard(self.about, piece.first, columns) if self.about and not stop.is_set() else None
        return piece, {name: columns[name] for name in ("plies", "results", "reasons")}, shard


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


def _pieces(games: int, each: int) -> Iterator[_Piece]:
    for number, first in enumerate(range(0, games, each)):
        yield _Piece(number, first, min(each, games - first))


def simulate(
    game: str,
    *,
    games: int,
    fen: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    cluster: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> Simulation:
    """Play random games of any game; with `out`, keep every one of them in that folder.

    Game number n depends on the seed and n alone. A folder that holds part of the run is completed; one that holds
    another run is refused. `progress` is called with the number of games finished each time some are. Shards are
    played on `threads` here, or on each machine of a `cluster`; see `damier.jobs.run`.

    >>> simulation = simulate("rennes", games=100, seed=1)
    >>> simulation.games, sum(simulation.results.values())
    (100, 100)
    """
    board = all_games.board(game, fen)
    play = _RandomPlay(game, fen, seed, keep_moves=out is not None)
    return collect(
        game, board, play, games=games, seed=seed, threads=threads, cluster=cluster, out=out, progress=progress
    )


def collect(
    game: str,
    board: all_games.Board,
    play: Play,
    *,
    games: int,
    seed: int,
    threads: int | None = None,
    cluster: str | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
    shard_games: int = SHARD_GAMES,
    settings: dict[str, Any] | None = None,
) -> Simulation:
    """Have games played by `play`, shard by shard, as `simulate` does; `settings` also tell one run from another."""
    _check("games", games, 0, 10**12)
    _check("seed", seed, 0, 2**64 - 1)
    _check("threads", 1 if threads is None else threads, 1, MAX_THREADS)
    done = Simulation(game, seed)
    pieces = _pieces(games, shard_games)
    folder = None
    about = About(board.variant, board.fen(), seed)
    if out is not None:
        if not os.fspath(out):
            raise DamierError("out is empty, expected the name of a folder")
        folder = out_folder = Path(out)
        run = {"game": game, "fen": board.fen(), "seed": seed, "games": games, "shard_games": shard_games}
        _claim(folder, run | (settings or {}))
        pieces = (piece for piece in pieces if not _taken_over(piece, out_folder, about, done, progress))

    work = _Work(play, about if folder else None)
    began = time.perf_counter()
    with closing(jobs.run(work, pieces, threads=threads, cluster=cluster)) as finished:
        for piece, columns, shard in finished:
            if folder and shard is not None:
                write_shard(piece.path(folder), shard)
            _add(done, columns)
            done.seconds = time.perf_counter() - began
            if progress:
                progress(done.games)
    return done


def _check(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise DamierError(f"{what} is {value}, expected {least} to {most}")


def _claim(folder: Path, run: dict[str, Any]) -> None:
    """Make the folder this run's own, or see that it already is."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        about = folder / "run.json"
        if not about.exists():
            unfinished = folder / f"run.{os.getpid()}.tmp"
            unfinished.write_text(json.dumps(run, indent=2) + "\n")
            unfinished.replace(about)
        found = json.loads(about.read_text())
    except OSError as error:
        raise DataError(f"{folder}: cannot hold games ({error.strerror})") from None
    except (ValueError, RecursionError):
        raise DataError(f"{folder / 'run.json'}: no JSON, so this folder is not known to hold a simulation") from None
    for key, value in run.items():
        if not isinstance(found, dict) or found.get(key) != value:
            held = found.get(key) if isinstance(found, dict) else found
            raise DataError(f"{folder}: holds another run, with {key} {held!r} instead of {value!r}")
    _sweep(folder)


def _sweep(folder: Path) -> None:
    """Remove what runs that were killed left half written, but not what a run under way is writing."""
    for left_over in (*folder.glob("games-*.*.tmp"), *folder.glob("run.*.tmp")):
        writer = left_over.name.split(".")[-2]
        if writer.isdigit() and not _is_running(int(writer)):
            left_over.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _taken_over(
    piece: _Piece, folder: Path, about: About, done: Simulation, progress: Callable[[int], None] | None
) -> bool:
    """Count a shard that an earlier run left, if there is one."""
    path = piece.path(folder)
    if not path.exists():
        return False
    table = read_table(path)
    numbers = table["number"].to_numpy()
    if read_about(path, table) != about or not np.array_equal(numbers, piece.first + np.arange(piece.games)):
        raise DataError(f"{path}: belongs to another run; expected {piece.games} games of {about.variant}")
    done.games += table.num_rows
    done.plies += pc.sum(table["plies"]).as_py() or 0
    for column, counter in (("result", done.results), ("reason", done.reasons)):
        for entry in pc.value_counts(table[column].combine_chunks()).to_pylist():
            counter[entry["values"]] += entry["counts"]
    if progress:
        progress(done.games)
    return True


def _add(done: Simulation, columns: Columns) -> None:
    games = len(columns["plies"])
    done.games += games
    done.played += games
    done.plies += int(columns["plies"].sum())
    for codes, names, counter in (
        (columns["results"], results(), done.results),
        (columns["reasons"], reasons(), done.reasons),
    ):
        for code, count in enumerate(np.bincount(codes, minlength=len(names)).tolist()):
            if count:
                counter[names[code]] += count
