"""Games of any number of sources, cut into blocks that can be read in any order.

A shard is a block as it is. Games of other sources (the folder of a match, PGN, PDN, SGF, a database) are replayed and
packed once, into a temporary folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError
from damier.lab.sources import read_records, unfinished_in
from damier.records import GameRecord
from damier.storage.batches import Packer, is_finished, selected, starts_of
from damier.storage.shards import About, Columns, read_about, read_columns, shards_of
from damier.weights import Array

__all__ = ["Block", "BlockGames", "Blocks", "Where", "held_out_of"]

log = logging.getLogger(__name__)

BLOCK_GAMES = 1000  # of what is packed here
COLUMNS = ("codes", "ends", "results", "scores", "score_ends")
PARTS = 10  # of which one is held out

Where = str | os.PathLike[str]


class BlockGames(NamedTuple):
    """The games of a block as columns: game i began at fens[starts[i]], the standard start position for None."""

    fens: Sequence[str | None]
    starts: npt.NDArray[np.int32]
    columns: Columns

    def by_start(self, numbers: Array) -> Iterator[tuple[str | None, Columns]]:
        """Some of the games, grouped by start position."""
        for number in np.unique(self.starts[numbers]):
            yield self.fens[number], selected(self.columns, numbers[self.starts[numbers] == number])


@dataclass(frozen=True)
class Block:
    """Some games in a file: their name in messages, where they are, how many."""

    name: str
    path: Path
    games: int
    first: int = 0  # the number of its first game among those of all blocks

    def read(self) -> BlockGames:
        """All its games; a DataError where the file is broken."""
        if self.path.suffix == ".npz":
            with np.load(self.path) as held:
                return BlockGames(held["fens"].tolist(), held["starts"], {name: held[name] for name in COLUMNS})
        about, columns = read_columns(self.path)
        return BlockGames(*starts_of(about, columns), {name: columns[name] for name in COLUMNS})


class Blocks:
    """The finished games of sources, each of which must hold games of this game, as blocks.

    Games are numbered across all blocks; `numbers` says which of a block are held out, and which are for learning.

    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = simulate("rennes", games=25, out=run)
    ...     blocks = Blocks("rennes", run)
    ...     [(block.games, blocks.numbers(block, held_out=True).tolist()) for block in blocks]
    [(25, [18, 19])]
    """

    def __init__(self, game: str, sources: Where | Iterable[Where]) -> None:
        games.info(game)
        self.sources = [sources] if isinstance(sources, str | os.PathLike) else list(sources)
        folder = tempfile.mkdtemp(prefix="damier-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._blocks: list[Block] = []
        first = 0
        for number, source in enumerate(self.sources):
            first += first % 2  # pairs of games begin at even numbers
            for block in _blocks_of(game, source, Path(folder) / str(number)):
                self._blocks.append(replace(block, first=first))
                first += block.games
        self.games = sum(block.games for block in self._blocks)
        if self.games == 0:
            raise DataError(f"{self}: there are no games")

    @classmethod
    def of(cls, game: str, sources: Where | Iterable[Where] | Blocks) -> Blocks:
        """The blocks of sources, or blocks as given."""
        return sources if isinstance(sources, Blocks) else cls(game, sources)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def names(self) -> list[str]:
        """The sources as text."""
        return [os.fspath(source) for source in self.sources]

    def __str__(self) -> str:
        """The name of all of them in messages."""
        names = list(dict.fromkeys(block.name for block in self._blocks)) or self.names
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"{names[0] if names else 'no sources'}{more}"

    def numbers(self, block: Block, held_out: bool | None = None) -> npt.NDArray[np.int32]:
        """Which games of a block to take: those held out, those not, or all of them."""
        numbers = np.arange(block.games, dtype=np.int32)
        if held_out is None:
            return numbers
        found: npt.NDArray[np.int32] = numbers[held_out_of(block.first + numbers, self.games) == held_out]
        return found

    def digest(self) -> str:
        """A hash of all games, wherever they are stored."""
        digest = hashlib.sha256()
        for block in self._blocks:
            fens, starts, columns = block.read()
            digest.update("\n".join(fen or "" for fen in fens).encode())
            for column in (starts, *columns.values()):
                digest.update(np.ascontiguousarray(column).data)
        return digest.hexdigest()


def held_out_of(numbers: Array, total: int) -> npt.NDArray[np.bool_]:
    """Which games, given by number, are held out: one pair in ten, since both games of an opening are similar.

    >>> np.flatnonzero(held_out_of(np.arange(45), 45)).tolist(), np.flatnonzero(held_out_of(np.arange(6), 6)).tolist()
    ([18, 19, 38, 39], [4, 5])
    """
    found: npt.NDArray[np.bool_] = numbers // 2 % PARTS == min(PARTS - 1, (total - 1) // 2)
    return found


def _blocks_of(game: str, source: Where, folder: Path) -> Iterator[Block]:
    shards = _shards_in(source)
    if left_out := unfinished_in(source):
        log.warning("%s", left_out)
    if shards is None:
        return _packed(game, source, folder)
    return (_shard(game, shard) for shard in shards)


def _shards_in(source: Where) -> list[Path] | None:
    """The shards of a source that has them; None for one whose games `read_records` reads."""
    path = Path(source)
    if "://" in str(source):
        return None
    if not path.exists():
        raise DataError(f"{path}: No such file or directory")
    if path.suffix != ".parquet" and (not path.is_dir() or (path / "pairs.jsonl").exists()):
        return None
    try:
        return shards_of(path)
    except DataError as error:
        raise DataError(unfinished_in(path) or str(error)) from None


def _shard(game: str, shard: Path) -> Block:
    about, count = read_about(shard)
    if about.variant != game:
        raise DataError(f"{shard}: holds games of {about.variant}, expected {game}")
    return Block(str(shard), shard, count)


def _packed(game: str, source: Where, folder: Path) -> Iterator[Block]:
    finished = filter(is_finished, read_records(game, source))
    folder.mkdir()
    number = 0
    while some := list(islice(finished, BLOCK_GAMES)):
        path = folder / f"{number}.npz"
        _pack(game, path, some)
        yield Block(str(source), path, len(some))
        number += 1
    if number == 0:
        raise DataError(f"{source}: there are no finished games of {game}")


def _pack(game: str, path: Path, some: Sequence[GameRecord]) -> None:
    packer = Packer()
    for record in some:
        packer.add(record)
    columns = packer.columns()
    fens, starts = starts_of(About(game, games.board(game).fen(), 0), columns)
    arrays: dict[str, Any] = {"fens": np.array(fens), "starts": starts, **{name: columns[name] for name in COLUMNS}}
    np.savez(path, **arrays)
