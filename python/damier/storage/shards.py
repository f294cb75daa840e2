"""Whole games in Parquet shards: one row per game, its moves as 16-bit codes laid end to end in a binary column.

(A Parquet list of numbers is stored as 32-bit integers with levels: written three times as slowly, and no smaller.)
The file's metadata name the game and the start position, so that every state can be recovered by replaying, and have a
digest of the columns, so that a change is seen without replaying anything. Games that start elsewhere, or that
different players played, have further columns; a file in which games start elsewhere has FORMAT 2.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from damier import games
from damier._core import DamierError, DataError, Outcome, reasons, results
from damier.drawing.readable import readable
from damier.records import Entrant, GameRecord

__all__ = [
    "REASONS",
    "About",
    "Columns",
    "ForeignError",
    "check_columns",
    "digest_of",
    "joined",
    "packed_shard",
    "read_about",
    "read_columns",
    "read_games",
    "read_table",
    "records_of",
    "shards_of",
]

Columns = dict[str, npt.NDArray[Any]]  # as `Board.play_games` gives them

METADATA_KEY = b"damier"
FORMAT, FORMAT_WITH_STARTS = 1, 2
CODES = np.dtype("<u2")
SCORES = np.dtype("<i2")
NOT_SEARCHED = -(2**15)  # the score of a random move, as in the core's self-play
CHANGED = "its games were changed after they were written"
COLUMNS = ("number", "moves", "plies", "result", "reason")
TEXTS = {"fens": "fen", "whites": "white", "blacks": "black"}  # optional columns; "" where there is nothing to say

# By their number: how the rules end a game, and how else it may have ended.
REASONS = (
    *reasons(),
    *("unknown", "adjudication", "agreement", "resignation", "time"),
    *("crash", "stall", "illegal move", "garbage", "refusal"),
)


@dataclass(frozen=True)
class About:
    """What the games of a shard share."""

    variant: str
    start_fen: str
    seed: int


def packed_shard(about: About, first_game: int, columns: Columns) -> pa.Buffer:
    """Games played by a board or an engine as the content of one shard.

    An engine's scores, one per ply for the side to move, are stored in a binary column like the moves. Optional
    columns: `fens` of games that start elsewhere, `whites` and `blacks`, the names of the players, and `openings`, the
    plies before the players chose their moves.
    """
    known = reasons() if len(columns["reasons"]) == 0 or columns["reasons"].max() < len(reasons()) else REASONS
    held = {
        "number": pa.array(np.arange(first_game, first_game + len(columns["ends"]), dtype=np.int64)),
        "moves": _packed(columns["codes"].astype(CODES, copy=False), columns["ends"]),
        "plies": pa.array(columns["plies"]),
        "result": pa.DictionaryArray.from_arrays(pa.array(columns["results"]), pa.array(results())),
        "reason": pa.DictionaryArray.from_arrays(pa.array(columns["reasons"]), pa.array(known)),
    }
    if "scores" in columns:
        held["scores"] = _packed(columns["scores"].astype(SCORES, copy=False), columns["score_ends"])
    if "openings" in columns:
        held["opening_plies"] = pa.array(columns["openings"].astype(np.uint32, copy=False))
    for name, column in TEXTS.items():
        if name in columns:
            held[column] = pa.array(columns[name], pa.string()).dictionary_encode()
    format = FORMAT_WITH_STARTS if "fens" in columns else FORMAT
    metadata = json.dumps({"format": format, **asdict(about), "digest": digest_of(columns)})
    table = pa.table(held).replace_schema_metadata({METADATA_KEY: metadata.encode()})
    stream = pa.BufferOutputStream()
    pq.write_table(
        table,
        stream,
        compression="zstd",
        compression_level=1,
        use_dictionary=["result", "reason", *(column for column in TEXTS.values() if column in held)],
        write_statistics=["number"],
    )
    return stream.getvalue()


def _packed(items: npt.NDArray[np.generic], ends: npt.NDArray[np.int32]) -> pa.Array:
    """Rows of 16-bit numbers as a binary column, without copying them."""
    offsets = np.concatenate((np.zeros(1, np.int32), ends)) * np.int32(2)
    return pa.Array.from_buffers(pa.binary(), len(ends), [None, pa.py_buffer(offsets), pa.py_buffer(items)])


def digest_of(columns: Columns) -> str:
    """A digest of all columns of a shard."""
    digest = blake2b(digest_size=16)
    for name in ("codes", "ends", "plies", "results", "reasons", "scores", "score_ends"):
        if name in columns and len(columns[name]):
            digest.update(name.encode())
            digest.update(np.ascontiguousarray(columns[name]).data)
    if "openings" in columns:
        digest.update(b"openings")
        digest.update(columns["openings"].astype("<u4").data)
    for name in TEXTS:
        if name in columns:
            digest.update(name.encode())
            for text in columns[name]:
                digest.update(f"{len(text)} {text}".encode())
    return digest.hexdigest()


def joined(parts: Sequence[Columns]) -> Columns:
    """The columns of several pieces as one, in order.

    >>> one, other = (games.board("rennes").play_games(2, seed=1, first_game=first) for first in (0, 2))
    >>> whole = games.board("rennes").play_games(4, seed=1)
    >>> all((joined([one, other])[name] == column).all() for name, column in whole.items())
    True
    """
    whole: Columns = {}
    for name in TEXTS:
        if any(name in part for part in parts):
            nothing = (np.full(len(part["ends"]), "", object) for part in parts)
            whole[name] = np.concatenate([part.get(name, blank) for part, blank in zip(parts, nothing, strict=True)])
    for name in parts[0].keys() - {"number", *TEXTS}:
        if not all(name in part for part in parts):
            continue  # scores, of which a shard has none
        columns = [part[name] for part in parts]
        if name in ("ends", "score_ends"):
            lengths = [np.diff(column, prepend=np.int32(0)) for column in columns]
            whole[name] = np.cumsum(np.concatenate(lengths), dtype=columns[0].dtype)
        else:
            whole[name] = np.concatenate(columns)
    return whole


def read_table(path: Path) -> pa.Table:
    """One shard as an Arrow table, refused with a DataError if it is damaged or holds something else."""
    with _reading(path):
        table = pq.read_table(path)
    _check_names(path, table.schema)
    return table


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, TypeError) as error:
        words = readable((str(error).splitlines() or [type(error).__name__])[0])
        raise DataError(f"{path}: not a readable Parquet file ({words})") from None


def _check_names(path: Path, schema: pa.Schema) -> None:
    if not set(COLUMNS) <= set(schema.names):
        raise DataError(f"{path}: a Parquet file without games; expected the columns {', '.join(COLUMNS)}")


def read_about(shard: Path) -> tuple[About, int]:
    """What a shard's metadata say about its games, and their number, without reading the games.

    >>> import tempfile, damier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = damier.simulate("rennes", games=3, seed=1, out=folder)
    ...     about, count = read_about(shards_of(folder)[0])
    >>> about.variant, about.seed, count
    ('rennes', 1, 3)
    """
    with _reading(shard), pq.ParquetFile(shard) as file:
        schema, count = file.schema_arrow, file.metadata.num_rows
    _check_names(shard, schema)
    return _read_metadata(shard, schema)[0], count


def _read_metadata(path: Path, schema: pa.Schema) -> tuple[About, str | None]:
    """What a shard's metadata say about its games, and the digest of the columns if there is one."""
    try:
        held = json.loads((schema.metadata or {})[METADATA_KEY])
        if held["format"] in (FORMAT, FORMAT_WITH_STARTS):
            about = About(held["variant"], held["start_fen"], held["seed"])
            games.board(about.variant, about.start_fen)
            return about, held.get("digest")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise DataError(f"{path}: its metadata do not name a game and a start position") from None
    raise DataError(f"{path}: games in format {readable(repr(held['format']))}, expected {FORMAT}")


def shards_of(source: str | os.PathLike[str]) -> list[Path]:
    """The shards of a folder in order, or the one shard itself."""
    path = Path(source)
    shards = sorted(path.glob("games-*.parquet")) if path.is_dir() else [path]
    if not shards:
        raise DataError(f"{path}: there is no games-*.parquet in this folder")
    return shards


def read_columns(shard: Path) -> tuple[About, Columns]:
    """One shard as the columns `Board.play_games` gives, and the number of each game; scores may be empty.

    An older shard without a digest is replayed.
    """
    about, columns, digest = _read(shard)
    _check_games(shard, about, columns, digest)
    return about, columns


def check_columns(shard: Path, about: About, first: int, count: int) -> Columns:
    """As `read_columns`, if they are `count` games of this run from `first` on; DataError if anything is wrong."""
    found, columns, digest = _read(shard)
    if found != about:
        raise ForeignError(f"{shard}: belongs to another run; expected games of {about.variant} with seed {about.seed}")
    if not np.array_equal(columns["number"], first + np.arange(count)):
        raise DataError(f"{shard}: its games are not those numbered {first} to {first + count - 1}")
    _check_games(shard, about, columns, digest)
    return columns


def _check_games(shard: Path, about: About, columns: Columns, digest: str | None) -> None:
    """Raise if games are not what was written: by their digest, or without one by their moves."""
    if digest is None:
        _replay(shard, about, columns)
    elif digest != digest_of(columns):
        raise DataError(f"{shard}: {CHANGED}")


class ForeignError(DataError):
    """A shard of another run."""


def _replay(shard: Path, about: About, columns: Columns) -> None:
    """Raise if a game does not end as stored."""
    for game in records_of(about, columns):
        try:
            board = game.board()
        except DamierError as error:
            raise DataError(f"{shard}: game {game.pair}: {error}") from None
        if board.ply != game.plies or not _follows(game, board.outcome(claim_draw=True)):
            ended = f"{game.result} by {game.reason} after {game.plies} plies"
            raise DataError(f"{shard}: game {game.pair}: {ended} is not what its moves say")


def _follows(game: GameRecord, outcome: Outcome | None) -> bool:
    """Whether the result of a game follows from the outcome on the board, which players may have ended otherwise."""
    if outcome is None:
        too_long = game.result == "1/2-1/2" and game.reason == "move limit"  # as self-play once called it
        return too_long or game.reason not in reasons()
    if game.reason in reasons():
        return (game.result, game.reason) == (outcome.result, outcome.reason)
    return game.result == outcome.result


def _read(shard: Path) -> tuple[About, Columns, str | None]:
    table = read_table(shard)
    about, digest = _read_metadata(shard, table.schema)
    columns: Columns = {}
    for name, items, ends, kind in (("moves", "codes", "ends", CODES), ("scores", "scores", "score_ends", SCORES)):
        if name not in table.column_names:
            columns[items], columns[ends] = np.zeros(0, kind), np.zeros(0, np.int32)
            continue
        column = table[name].combine_chunks()
        if not pa.types.is_binary(column.type) or column.null_count:
            raise DataError(f"{shard}: its {name} are not sequences of 16-bit numbers")
        lengths = pc.binary_length(column).to_numpy()
        if (lengths % kind.itemsize).any():
            raise DataError(f"{shard}: its {name} are not sequences of 16-bit numbers")
        columns[ends] = (np.cumsum(lengths) // kind.itemsize).astype(np.int32)
        columns[items] = np.frombuffer(b"".join(column.to_pylist()), kind)
    columns["results"] = _known(shard, table, "result", results())
    columns["reasons"] = _known(shard, table, "reason", REASONS)
    for name, held, numbers in (
        ("number", "number", np.int64),
        ("plies", "plies", np.uint32),
        ("openings", "opening_plies", np.uint32),
    ):
        if held not in table.column_names:
            continue  # the last one only: the others were seen to be there
        column = table[held]
        if not pa.types.is_integer(column.type) or column.null_count:
            raise DataError(f"{shard}: column {held} holds values that are not integers")
        columns[name] = column.to_numpy().astype(numbers, copy=False)
    for name, held in TEXTS.items():
        if held in table.column_names:
            texts = table[held].combine_chunks()
            if pa.types.is_dictionary(texts.type):
                texts = texts.dictionary_decode()
            if not pa.types.is_string(texts.type) or texts.null_count:
                raise DataError(f"{shard}: its {name} are not texts")
            columns[name] = np.array(texts.to_pylist(), object)
    return about, columns, digest


def _known(shard: Path, table: pa.Table, name: str, words: Sequence[str]) -> npt.NDArray[np.uint8]:
    """A column of words as their numbers."""
    column = table[name].combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    known = {word: number for number, word in enumerate(words)}
    used = np.unique(column.indices.drop_null().to_numpy(zero_copy_only=False))
    names = column.dictionary.to_pylist()
    strange = [names[place] for place in used if names[place] not in known]
    if strange or column.null_count:
        raise DataError(f"{shard}: {readable(repr(strange[0] if strange else None))} is not a {name}")
    numbers = np.array([known.get(word, 0) for word in names] or [0], np.uint8)
    found: npt.NDArray[np.uint8] = numbers[column.indices.to_numpy(zero_copy_only=False)]
    return found


def records_of(about: About, columns: Columns, first: int | None = None, **more: Any) -> Iterator[GameRecord]:
    """Columns as records, the first with its number if the columns do not have them."""
    numbers = columns["number"].tolist() if first is None else range(first, first + len(columns["ends"]))
    codes, scores = columns["codes"].tolist(), columns["scores"].tolist() if "scores" in columns else []
    ends, plies = columns["ends"].tolist(), columns["plies"].tolist()
    score_ends = columns["score_ends"].tolist() if scores else [0] * len(ends)
    is_standard = games.board(about.variant).fen() == about.start_fen
    result_of, reason_of = results(), REASONS
    begin = first_score = 0
    for row, (number, result, reason) in enumerate(
        zip(numbers, columns["results"].tolist(), columns["reasons"].tolist(), strict=True)
    ):
        game_scores = scores[first_score : score_ends[row]]
        searched = next((place for place, score in enumerate(game_scores) if score != NOT_SEARCHED), len(game_scores))
        opening = int(columns["openings"][row]) if "openings" in columns else searched
        if "whites" in columns:
            more |= {"white": Entrant(columns["whites"][row]), "black": Entrant(columns["blacks"][row])}
        start = columns["fens"][row] if "fens" in columns else ""
        yield GameRecord(
            about.variant,
            start or (None if is_standard else about.start_fen),
            tuple(codes[begin : ends[row]]),
            plies[row],
            result_of[result],
            reason_of[reason],
            scores=tuple(None if score == NOT_SEARCHED else score for score in game_scores[opening:])
            if searched < len(game_scores)
            else (),
            opening_plies=opening,
            round=str(number + 1),
            pair=str(number),
            seed=about.seed,
            **more,
        )
        begin, first_score = ends[row], score_ends[row]


def read_games(source: str | os.PathLike[str]) -> Iterator[GameRecord]:
    """Read games back from a shard or a folder of shards, one at a time and in order.

    >>> import tempfile, damier
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = damier.simulate("rennes", games=3, seed=1, out=folder)
    ...     [game.board().ply == game.plies for game in read_games(folder)]
    [True, True, True]
    """
    for shard in shards_of(source):
        yield from records_of(*read_columns(shard))
