"""Saves numbered games in shards of a fixed size, in whatever pieces they are played."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, NamedTuple

import pyarrow as pa

from damier._core import DataError
from damier.files import rename, write_atomically
from damier.records import Entrant, GameRecord
from damier.storage.run import settings_in
from damier.storage.shards import (
    About,
    Columns,
    ForeignError,
    check_columns,
    joined,
    packed_shard,
    read_about,
    records_of,
)
from damier.storage.writer import Destination, RunWriter

__all__ = ["Piece", "ShardWriter", "unfinished_pieces"]

log = logging.getLogger(__name__)


class Piece(NamedTuple):
    """Consecutive games of one shard."""

    first: int
    games: int


class ShardWriter(RunWriter):
    """The shards of a run of numbered games. A piece that does not fill its shard has a file of its own until others
    complete it, so that at most the pieces in progress are lost, whatever happens.

    >>> import tempfile
    >>> from damier import loa
    >>> about = About("loa", loa.Board().fen(), 1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = Destination(Path(folder)), "simulation", {"game": "loa"}, about
    ...     with ShardWriter(*run, games=5, shard_games=2) as writer:
    ...         list(writer.missing())
    [0, 1, 2, 3, 4]
    """

    growing: ClassVar[Sequence[str]] = ("games",)

    def __init__(
        self,
        to: Destination,
        kind: str,
        settings: Mapping[str, object],
        about: About,
        *,
        games: int,
        shard_games: int,
        player: Entrant | None = None,
        specs: Sequence[str] = (),
    ) -> None:
        super().__init__(to, kind, settings)
        self._specs = frozenset(specs)  # players that go by these names
        self.about, self.games, self.shard_games, self._player = about, games, shard_games, player or Entrant()
        self._parts: dict[int, dict[int, Columns]] = {}  # by shard and first game
        self._complete: set[int] = set()  # numbers of shards

    def take_over(self, count: Callable[[Columns], None]) -> None:
        """Count the games of an earlier run; a damaged shard is reported, and its games are played again."""
        there = self.rows.begin(self.info, self.games_per_pair) if self.rows else None
        for path, piece in self._files():
            try:
                columns = check_columns(path, self.about, *piece)
            except ForeignError:
                raise
            except DataError as error:
                log.warning("%s; these games are not counted", error)
                continue
            count(columns)
            if there is not None and self.rows:
                games = self._records(columns, None)
                self.rows.keep(self.info, [game for game in games if game.pair not in there])
            if piece == self._shard(piece.first // self.shard_games):
                self._complete.add(piece.first // self.shard_games)
            else:
                self._parts.setdefault(piece.first // self.shard_games, {})[piece.first] = columns

    def _files(self) -> Iterator[tuple[Path, Piece]]:
        """Shards, then parts of those that are not whole; parts of whole ones are removed.

        The last shard of a run that grows is a part of the shard that a longer run has in its place.
        """
        if not self.folder:
            return
        for path in sorted(self.folder.folder.glob("games-*.parquet")):
            number = path.stem.removeprefix("games-")
            if not number.isdecimal() or int(number) * self.shard_games >= self.games:
                raise ForeignError(f"{path}: belongs to another run; expected shards of {self.games} games")
            shard = self._shard(int(number))
            if (count := _count(path)) is not None and count < shard.games:
                rename(path, self._part_path(Piece(shard.first, count)))
            else:
                yield path, shard
        for path, piece in _part_files(self.folder.folder):
            if piece.first // self.shard_games in self._complete:
                path.unlink()
            else:
                yield path, piece

    def missing(self) -> Iterator[int]:
        """The numbers of the missing games, lazily."""
        for number in range(-(-self.games // self.shard_games)):
            if number not in self._complete:
                shard = self._shard(number)
                parts = self._parts.get(number, {})
                there = {game for first, part in parts.items() for game in range(first, first + len(part["plies"]))}
                yield from (game for game in range(shard.first, shard.first + shard.games) if game not in there)

    def pieces(self, runs: Iterator[tuple[int, ...]]) -> Iterator[Piece]:
        """Numbers to be played together, cut where a shard ends or a number is missing."""
        for run in runs:
            first = last = run[0]
            for number in run[1:]:
                if number != last + 1 or number % self.shard_games == 0:
                    yield Piece(first, last + 1 - first)
                    first = number
                last = number
            yield Piece(first, last + 1 - first)

    def is_complete(self, piece: Piece) -> bool:
        """Whether a piece is a shard."""
        return piece == self._shard(piece.first // self.shard_games)

    def append(self, first: int, columns: Columns, packed: pa.Buffer | None) -> None:
        """Save games from a number on; they are on disk when this returns, if there is a folder."""
        if self.folder:
            self._keep(Piece(first, len(columns["plies"])), columns, packed)
        if self.rows:
            self.write_rows(self._records(columns, first))

    def _keep(self, piece: Piece, columns: Columns, packed: pa.Buffer | None) -> None:
        number = piece.first // self.shard_games
        shard = self._shard(number)
        if piece == shard:
            self._write_shard(number, columns, packed)
            return
        parts = self._parts.setdefault(number, {})
        parts[piece.first] = columns
        if sum(len(part["plies"]) for part in parts.values()) == shard.games:
            self._write_shard(number, joined([parts[first] for first in sorted(parts)]), None)
            for first, part in self._parts.pop(number).items():
                self._part_path(Piece(first, len(part["plies"]))).unlink(missing_ok=True)
        else:
            content = packed or packed_shard(self.about, piece.first, columns)
            write_atomically(self._part_path(piece), content, DataError)

    def _write_shard(self, number: int, columns: Columns, packed: pa.Buffer | None) -> None:
        assert self.folder
        content = packed or packed_shard(self.about, number * self.shard_games, columns)
        write_atomically(_shard_path(self.folder.folder, number), content, DataError)
        self._complete.add(number)

    def _shard(self, number: int) -> Piece:
        first = number * self.shard_games
        return Piece(first, min(self.shard_games, self.games - first))

    def _part_path(self, piece: Piece) -> Path:
        assert self.folder
        return self.folder.folder / f"part-{piece.first:012d}-{piece.games}.parquet"

    def _records(self, columns: Columns, first: int | None) -> Iterator[GameRecord]:
        """Games with their players and event."""
        about = {
            "event": f"damier {self.info.kind}",
            "date": self.info.started.strftime("%Y.%m.%d"),
            "run": self.info.run,
        }
        for game in records_of(self.about, columns, first, **about):
            if "whites" not in columns:
                yield replace(game, white=self._player, black=self._player)
            else:
                yield replace(game, white=self._entrant(game.white), black=self._entrant(game.black))

    def _entrant(self, player: Entrant) -> Entrant:
        return Entrant(player.name, player.name) if player.name in self._specs else player


def unfinished_pieces(folder: Path) -> list[Piece]:
    """Pieces left by an interrupted run: games that are not yet part of a shard.

    >>> unfinished_pieces(Path("no such folder"))
    []
    """
    size = settings_in(folder).get("shard_games")
    size = size if isinstance(size, int) and size > 0 else None
    pieces = [piece for _, piece in _part_files(folder)]
    return [piece for piece in pieces if not size or not _shard_path(folder, piece.first // size).exists()]


def _count(shard: Path) -> int | None:
    """How many games a shard holds; None if it cannot be read."""
    try:
        return read_about(shard)[1]
    except DataError:
        return None


def _part_files(folder: Path) -> Iterator[tuple[Path, Piece]]:
    for path in sorted(folder.glob("part-*.parquet")):
        first, _, games = path.stem.removeprefix("part-").partition("-")
        if first.isdecimal() and games.isdecimal():
            yield path, Piece(int(first), int(games))


def _shard_path(folder: Path, number: int) -> Path:
    return folder / f"games-{number:06d}.parquet"
