"""Whole games in Parquet shards: one row a game, its moves as 16-bit codes laid end to end in a binary column.

(A Parquet list of numbers is stored as 32-bit integers with levels: written three times as slowly, and no smaller.)
The file's metadata name the game and the start position, so that every state can be recovered by replaying.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from damier import games
from damier._core import DataError, reasons, results

__all__ = [
    "About",
    "StoredGame",
    "packed_shard",
    "read_about",
    "read_columns",
    "read_games",
    "read_table",
    "shards_of",
    "write_shard",
]

METADATA_KEY = b"damier"
FORMAT = 1
CODES = np.dtype("<u2")
SCORES = np.dtype("<i2")
COLUMNS = ("number", "moves", "plies", "result", "reason")


@dataclass(frozen=True)
class About:
    """What the games of a shard have in common."""

    variant: str
    start_fen: str
    seed: int


@dataclass(frozen=True)
class StoredGame:
    """One game of a shard: what it takes to play it again."""

    variant: str
    start_fen: str
    number: int
    moves: npt.NDArray[np.uint16]
    plies: int
    result: str
    reason: str

    def board(self) -> games.Board:
        """Replay the game and return the board after its last move."""
        board = games.board(self.variant, self.start_fen)
        board.replay(self.moves)
        return board

    def states(self) -> npt.NDArray[np.uint64]:
        """Every position of the game, the first included, as rows of `board.planes()`."""
        return self.board().states()


def packed_shard(about: About, first_game: int, columns: Mapping[str, npt.NDArray[Any]]) -> pa.Buffer:
    """Games played by a board or an engine as the content of one shard.

    An engine's scores, one a ply for the side to move, are kept in a binary column as the moves are.
    """
    held = {
        "number": pa.array(np.arange(first_game, first_game + len(columns["ends"]), dtype=np.int64)),
        "moves": _packed(columns["codes"].astype(CODES, copy=False), columns["ends"]),
        "plies": pa.array(columns["plies"]),
        "result": pa.DictionaryArray.from_arrays(pa.array(columns["results"]), pa.array(results())),
        "reason": pa.DictionaryArray.from_arrays(pa.array(columns["reasons"]), pa.array(reasons())),
    }
    if "scores" in columns:
        held["scores"] = _packed(columns["scores"].astype(SCORES, copy=False), columns["score_ends"])
    table = pa.table(held)
    metadata = json.dumps({"format": FORMAT, **asdict(about)})
    table = table.replace_schema_metadata({METADATA_KEY: metadata.encode()})
    stream = pa.BufferOutputStream()
    pq.write_table(
        table,
        stream,
        compression="zstd",
        compression_level=1,
        use_dictionary=["result", "reason"],
        write_statistics=["number"],
    )
    return stream.getvalue()


def write_shard(path: Path, shard: pa.Buffer) -> None:
    """Write the content of a shard, which appears whole or not at all."""
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    try:
        unfinished.write_bytes(shard)
        unfinished.replace(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be written ({error.strerror or error})") from None
    finally:
        unfinished.unlink(missing_ok=True)


def _packed(items: npt.NDArray[Any], ends: npt.NDArray[np.int32]) -> pa.Array:
    """Rows of 16-bit numbers as a binary column, without copying them."""
    offsets = np.concatenate((np.zeros(1, np.int32), ends)) * np.int32(2)
    return pa.Array.from_buffers(pa.binary(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(items)])


def read_table(path: Path) -> pa.Table:
    """One shard as an Arrow table, refused with a DataError when it is broken or holds something else."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path}: no readable Parquet file ({str(error).splitlines()[0]})") from None
    if not set(COLUMNS) <= set(table.column_names):
        raise DataError(f"{path}: a Parquet file, but no damier games; expected the columns {', '.join(COLUMNS)}")
    return table


def read_about(path: Path, table: pa.Table) -> About:
    """What a shard's metadata say of its games."""
    try:
        held = json.loads((table.schema.metadata or {})[METADATA_KEY])
        if held["format"] == FORMAT:
            about = About(held["variant"], held["start_fen"], held["seed"])
            games.board(about.variant, about.start_fen)
            return about
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{path}: its metadata name no game and start position") from None
    raise DataError(f"{path}: games in format {held['format']!r}, expected {FORMAT}")


def shards_of(source: str | os.PathLike[str]) -> list[Path]:
    """The shards of a folder in order, or the one shard itself."""
    path = Path(source)
    shards = sorted(path.glob("games-*.parquet")) if path.is_dir() else [path]
    if not shards:
        raise DataError(f"{path}: no games-*.parquet in this folder")
    return shards


def read_columns(shard: Path) -> tuple[About, dict[str, npt.NDArray[Any]]]:
    """One shard as the columns `Board.play_games` gives: codes, ends, results; scores and score_ends, maybe empty."""
    table = read_table(shard)
    about = read_about(shard, table)
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, items, ends, kind in (("moves", "codes", "ends", CODES), ("scores", "scores", "score_ends", SCORES)):
        if name not in table.column_names:
            columns[items], columns[ends] = np.zeros(0, kind), np.zeros(0, np.int32)
            continue
        column = table[name].combine_chunks()
        if not pa.types.is_binary(column.type) or column.null_count:
            raise DataError(f"{shard}: its {name} are no sequences of 16-bit numbers")
        lengths = pc.binary_length(column).to_numpy()
        if (lengths % kind.itemsize).any():
            raise DataError(f"{shard}: its {name} are no sequences of 16-bit numbers")
        columns[ends] = (np.cumsum(lengths) // kind.itemsize).astype(np.int32)
        columns[items] = np.frombuffer(b"".join(column.to_pylist()), kind)
    known = {text: number for number, text in enumerate(results())}
    try:
        columns["results"] = np.array([known[text] for text in table["result"].to_pylist()], np.uint8)
    except KeyError as error:
        raise DataError(f"{shard}: {error} is no result") from None
    return about, columns


def read_games(source: str | os.PathLike[str]) -> Iterator[StoredGame]:
    """Read games back from a shard or a folder of shards, one at a time and in order.

    >>> import tempfile, damier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = damier.simulate("rennes", games=3, seed=1, out=folder)
    ...     [game.board().ply == game.plies for game in read_games(folder)]
    [True, True, True]
    """
    for shard in shards_of(source):
        table = read_table(shard)
        about = read_about(shard, table)
        for batch in table.to_batches(max_chunksize=4096):
            columns = [batch.column(name).to_pylist() for name in COLUMNS]
            for number, moves, plies, result, reason in zip(*columns, strict=True):
                if not isinstance(moves, bytes) or len(moves) % CODES.itemsize:
                    raise DataError(f"{shard}: the moves of game {number} are no sequence of 16-bit codes")
                codes = np.frombuffer(moves, CODES).astype(np.uint16, copy=False)
                yield StoredGame(about.variant, about.start_fen, number, codes, plies, result, reason)
