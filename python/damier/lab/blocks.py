"""Games of any number of sources, cut into blocks that can be read in any order.

A shard is a block as it is. Games of other sources (the folder of a match, PGN, PDN, SGF, a database) are replayed and
packed once, and wait in a folder.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DataError, results
from damier.lab.samples import PackedGames, read_records, shards_in, unfinished_in
from damier.records import GameRecord
from damier.storage.batches import starts_of
from damier.storage.shards import Columns, read_about, read_columns

__all__ = ["Block", "BlockGames", "Source", "blocks_of"]

log = logging.getLogger(__name__)

BLOCK_GAMES = 1000  # of what is packed here
COLUMNS = ("codes", "ends", "results", "scores", "score_ends")

Source = str | os.PathLike[str]


class BlockGames(NamedTuple):
    """The games of a block as columns: game i began at fens[starts[i]], the usual start for None."""

    fens: Sequence[str | None]
    starts: npt.NDArray[np.int32]
    columns: Columns


@dataclass(frozen=True)
class Block:
    """Some games in a file: what they are known by in messages, where they are, how many."""

    name: str
    path: Path
    games: int

    def read(self) -> BlockGames:
        """All its games; a DataError where the file is broken."""
        if self.path.suffix == ".npz":
            with np.load(self.path) as held:
                fens = [fen or None for fen in held["fens"].tolist()]
                return BlockGames(fens, held["starts"], {name: held[name] for name in COLUMNS})
        about, columns = read_columns(self.path)
        return BlockGames(*starts_of(about, columns), {name: columns[name] for name in COLUMNS})


def blocks_of(game: str, sources: Iterable[Source], folder: Path) -> Iterator[Block]:
    """The finished games of all sources, each of which must hold games of this game; `folder` is for what is packed.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = simulate("rennes", games=5, out=run)
    ...     [(block.games, block.read().columns["ends"].shape) for block in blocks_of("rennes", [run], Path(run))]
    [(5, (5,))]
    """
    games.info(game)
    for number, source in enumerate(sources):
        shards = shards_in(source)
        if left_out := unfinished_in(source):
            log.warning("%s", left_out)
        if shards is None:
            yield from _packed(game, source, folder / str(number))
        else:
            yield from (_shard(game, shard) for shard in shards)


def _shard(game: str, shard: Path) -> Block:
    about, count = read_about(shard)
    if about.variant != game:
        raise DataError(f"{shard}: holds games of {about.variant}, expected {game}")
    return Block(str(shard), shard, count)


def _packed(game: str, source: Source, folder: Path) -> Iterator[Block]:
    number_of = {result: number for number, result in enumerate(results())}
    finished = (record for record in read_records(game, source) if record.result in number_of)
    folder.mkdir()
    number = 0
    while some := list(islice(finished, BLOCK_GAMES)):
        path = folder / f"{number}.npz"
        _pack(path, some, [number_of[record.result] for record in some])
        yield Block(str(source), path, len(some))
        number += 1
    if number == 0:
        raise DataError(f"{source}: there are no finished games of {game}")


def _pack(path: Path, some: Sequence[GameRecord], ended: Sequence[int]) -> None:
    packed, places = PackedGames(), dict[str, int]()
    starts = [places.setdefault(record.fen or "", len(places)) for record in some]
    for record, result in zip(some, ended, strict=True):
        packed.add(record, result)
    arrays: dict[str, Any] = {"fens": np.array(list(places)), "starts": np.array(starts, np.int32), **packed.columns()}
    np.savez(path, **arrays)
