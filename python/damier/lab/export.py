"""Games for other programs: PGN, PDN and SGF, tables of CSV, arrays of NumPy."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np

from damier import games, records
from damier._core import DataError, results
from damier.files import naming_file, replacing
from damier.lab.sources import Source
from damier.records import GameRecord
from damier.records.source import opened
from damier.storage.shards import REASONS, TEXTS, About, Columns, records_of

__all__ = ["export_games"]

FIELDS = ("number", "fen", "moves", "plies", "result", "reason", "white", "black", "opening_plies", "scores")
CHUNK_ROWS = 1000  # texts that are made as wide as the longest at a time


def export_games(
    where: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    game: str | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Write the games of a source to a .pgn, .pdn, .sgf or .csv file (.gz too), or a .npz file; return how many.

    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = simulate("rennes", games=3, seed=1, out=f"{folder}/run")
    ...     export_games(f"{folder}/run", f"{folder}/games.npz"), sorted(np.load(f"{folder}/games.npz"))[:3]
    (3, ['blacks', 'codes', 'ends'])
    """
    source, target = Source(where, game=game), Path(path)
    suffix = (target.with_suffix("") if target.suffix == ".gz" else target).suffix.lower()
    if target.suffix == ".npz":
        return _write_arrays(source, target, on_progress)
    if suffix == ".csv":
        return _write_table(_records(source, on_progress), target)
    if suffix[1:] not in records.FORMATS:
        raise DataError(f"{target}: expected a name that ends with .npz, .csv, .pgn, .pdn or .sgf")
    return records.write(_fitting(_records(source, on_progress), suffix[1:]), target)


def _records(source: Source, on_progress: Callable[[int], None] | None) -> Iterator[GameRecord]:
    first = 0
    for columns in source.batches():
        assert source.game
        about = About(source.game, games.board(source.game).fen(), 0)
        yield from records_of(about, columns, first)
        first += len(columns["ends"])
        if on_progress:
            on_progress(first)


def _fitting(some: Iterator[GameRecord], format: str) -> Iterator[GameRecord]:
    for game in some:
        wanted = games.info(game.variant).record_format
        if wanted != format:
            raise DataError(f"games of {game.variant} are written as .{wanted}, .csv or .npz, not as .{format}")
        yield game


def _write_table(some: Iterator[GameRecord], path: Path) -> int:
    """One row per game; scores are separated by semicolons, and empty where there is none."""
    count = 0
    with replacing(path, DataError) as unfinished, opened(unfinished, "w", path) as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(FIELDS)
        for game in some:
            count += 1
            scores = ";".join("" if score is None else str(score) for score in game.scores)
            about = game.plies, game.result, game.reason, game.white.name, game.black.name, game.opening_plies, scores
            table.writerow((game.pair, game.fen or "", " ".join(game.texts()), *about))
    return count


def _write_arrays(source: Source, path: Path, on_progress: Callable[[int], None] | None) -> int:
    """The columns as arrays, each kept in a temporary file until its length is known."""
    beside = path.resolve().parent if path.is_file() or not path.exists() else None  # not beside a device
    with naming_file(path, DataError), tempfile.TemporaryDirectory(prefix="damier-", dir=beside) as folder:
        arrays = _Arrays(Path(folder))
        for columns in source.batches():
            arrays.add(columns)
            if on_progress:
                on_progress(arrays.games)
        with (
            replacing(path, DataError) as unfinished,
            unfinished.open("wb") as file,
            zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zipped,
        ):
            words = {"game": source.game or "", "start": _start_fen(source.game)}
            arrays.write(zipped, words | {"result_names": results(), "reason_names": REASONS})
    return arrays.games


def _start_fen(game: str | None) -> str:
    return games.board(game).fen() if game else ""


class _Arrays:
    """Columns that grow on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.games = 0
        self._kinds: dict[str, np.dtype[np.generic]] = {}
        self._lengths = {"ends": 0, "score_ends": 0}  # of what was added so far
        self._widths = dict.fromkeys(TEXTS, 1)

    def add(self, columns: Columns) -> None:
        self.games += len(columns["ends"])
        for name, column in columns.items():
            with (self._folder / name).open("ab") as file:
                if name in TEXTS:
                    texts = [str(text).replace("\n", " ") for text in column]
                    self._widths[name] = max([self._widths[name], *map(len, texts)])
                    file.write("".join(f"{text}\n" for text in texts).encode())
                    continue
                held = column
                if name in self._lengths:
                    held = column.astype(np.int64) + self._lengths[name]
                    self._lengths[name] = int(held[-1]) if len(held) else self._lengths[name]
                self._kinds[name] = held.dtype
                file.write(np.ascontiguousarray(held).data)

    def write(self, zipped: zipfile.ZipFile, words: Mapping[str, str | Sequence[str]]) -> None:
        """Write all of them, as `numpy.load` reads them."""
        for name, word in words.items():
            with zipped.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.array(word))
        for name in sorted(self._kinds):
            kind, length = self._kinds[name], (self._folder / name).stat().st_size
            with zipped.open(f"{name}.npy", "w", force_zip64=True) as member, (self._folder / name).open("rb") as file:
                _write_header(member, kind, length // kind.itemsize)
                shutil.copyfileobj(file, member)
        for name in TEXTS if self.games else ():
            with zipped.open(f"{name}.npy", "w", force_zip64=True) as member:
                self._write_texts(member, name)

    def _write_texts(self, member: IO[bytes], name: str) -> None:
        kind = np.dtype(f"<U{self._widths[name]}")
        _write_header(member, kind, self.games)
        rows: list[str] = []
        with (self._folder / name).open(encoding="utf-8", newline="\n") as file:
            for line in file:
                rows.append(line[:-1])
                if len(rows) == CHUNK_ROWS:
                    member.write(np.array(rows, kind).tobytes())
                    rows.clear()
        member.write(np.array(rows, kind).tobytes())


def _write_header(member: IO[bytes], kind: np.dtype[np.generic], length: int) -> None:
    header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": (length,)}
    np.lib.format.write_array_header_2_0(member, header)
