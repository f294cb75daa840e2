"""Where games come from: run folders, shards, files of PGN, PDN and SGF, databases; read in batches, never whole."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from damier import games, records
from damier._core import DataError
from damier.files import JsonObject, JsonView, read_text
from damier.lab.selfplay import engine_spec
from damier.records import GameRecord, RecordError
from damier.records.record import Entrant
from damier.storage.batches import Packer, completed, is_finished
from damier.storage.pairs import PairsFile
from damier.storage.run import MANIFESTS, kind_of, settings_in
from damier.storage.shard_writer import unfinished_pieces
from damier.storage.shards import REASONS, About, Columns, check_columns, digest_of, read_columns, shards_of

__all__ = ["BATCH_GAMES", "Source", "read_records", "unfinished_in"]

log = logging.getLogger(__name__)

BATCH_GAMES = 2000  # of records, which are packed as they are read
CHUNK = 1 << 20  # bytes that are hashed at a time
SHARDED = ("simulation", "selfplay", "data")
DATABASES = (".db", ".sqlite", ".sqlite3")


class Source:
    """Games somewhere. `kind` is that of a run, "shard", "shards", "database", or the format of a file.

    With `game` others are refused; without it the first game decides. `skip_errors` leaves out games of a file that are
    broken or of another game. Games left out are counted: `broken`, and `unfinished`, those without a result.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = simulate("rennes", games=5, seed=1, out=folder)
    ...     source = Source(folder)
    ...     [(len(columns["ends"]), columns["whites"][0]) for columns in source.batches()], source.kind, source.game
    ([(5, 'random')], 'simulation', 'rennes')
    """

    def __init__(self, where: str | os.PathLike[str], *, game: str | None = None, skip_errors: bool = False) -> None:
        self.where, self.path = os.fspath(where), Path(where)
        if not self.where:
            raise DataError("the name of a source is empty, expected a run folder, a file of games or a database")
        if game is not None:
            games.info(game)
        self.game, self._skip_errors = game, skip_errors
        self.games = self.broken = self.unfinished = 0
        self._first_error: RecordError | None = None
        self.kind = self._kind()
        self.settings: JsonObject = settings_in(self.path) if self.path.is_dir() else {}

    def _kind(self) -> str:
        if "://" in self.where or self.path.suffix in DATABASES:
            return "database"
        if not self.path.exists():
            raise DataError(f"{self.where}: No such file or directory")
        if not self.path.is_dir():
            return "shard" if self.path.suffix == ".parquet" else records.format_of(self.path)
        _check_manifest(self.path)
        return kind_of(self.path) or ("match" if (self.path / "pairs.jsonl").exists() else "shards")

    @property
    def is_sharded(self) -> bool:
        """Whether games are read as columns rather than one by one."""
        return self.kind in (*SHARDED, "shard", "shards")

    @property
    def files(self) -> list[Path]:
        """The files that hold the games; none for a database on a server."""
        if self.is_sharded:
            return shards_of(self.path)
        path = self.path / "pairs.jsonl" if self.path.is_dir() else self.path
        return [path] if path.exists() else []

    def sha256(self) -> str | None:
        """A hash of the content of its files, one after the other; for a single file, as printed by `sha256sum`."""
        if not self.files or not all(file.is_file() for file in self.files):
            return None
        digest = hashlib.sha256()
        for file in self.files:
            with file.open("rb") as stream:
                while chunk := stream.read(CHUNK):
                    digest.update(chunk)
        return digest.hexdigest()

    def batches(self) -> Iterator[Columns]:
        """The finished games with all columns of `damier.storage.batches.completed`, counted as they are read."""
        self.games = self.broken = self.unfinished = 0
        for columns in self._shards() if self.is_sharded else self._packed():
            self.games += len(columns["ends"])
            yield columns
        if self._first_error and not self.games:  # there is nothing to go on with
            raise self._first_error

    def _is_of(self, variant: str) -> bool:
        self.game = self.game or variant
        return variant == self.game

    def _shards(self) -> Iterator[Columns]:
        if self.kind in SHARDED:
            yield from self._run()
            return
        for shard in self.files:
            about, columns = read_columns(shard)
            if not self._is_of(about.variant):
                raise DataError(f"{shard}: holds games of {about.variant}, expected {self.game}")
            yield completed(about, columns)

    def _run(self) -> Iterator[Columns]:
        """The shards of a run, each checked against the settings of the run."""
        about, total, size = _read_settings(self.path, self.settings)
        if not self._is_of(about.variant):
            raise DataError(f"{self.where}: holds games of {about.variant}, expected {self.game}")
        try:
            shards = {_number(shard): shard for shard in self.files}
        except DataError as error:
            raise DataError(unfinished_in(self.path) or str(error)) from None
        missing = [number for number in range(-(-total // size)) if number not in shards]
        if missing:
            self._report_missing(missing)
        whole = hashlib.sha256()
        for number, shard in sorted(shards.items()):
            columns = check_columns(shard, about, number * size, max(0, min(size, total - number * size)))
            whole.update(digest_of(columns).encode())
            yield self._named(completed(about, columns))
        if self.kind == "data" and self.settings.get("digest") != whole.hexdigest():
            raise DataError(f"{self.where}: its shards are not the ones it was made from; make the data set again")

    def _report_missing(self, missing: list[int]) -> None:
        if self.kind == "data":
            raise DataError(
                f"{self.where}: games-{missing[0]:06d}.parquet is missing; restore it, or make the data set again"
            )
        command = "simulate" if self.kind == "simulation" else "selfplay"
        more = f" and {len(missing) - 1} more are" if len(missing) > 1 else " is"
        log.warning(
            "%s",
            f"{self.where}: games-{missing[0]:06d}.parquet{more} not there yet, left out; to complete the run, "
            f"run its `damier {command}` command again with --resume",
        )

    def _named(self, columns: Columns) -> Columns:
        """Name the player of a run that has only one, from its settings."""
        if self.kind == "data" or any(columns["whites"]):
            return columns
        name = "random"
        if self.kind == "selfplay":
            name = engine_spec(*(self.settings.get(key) for key in ("eval", "nodes", "depth")))
        return columns | {side: np.full(len(columns["ends"]), name, object) for side in ("whites", "blacks")}

    def _packed(self) -> Iterator[Columns]:
        packer = Packer()
        for game in self.records():
            if not is_finished(game):
                self.unfinished += 1
                continue
            packer.add(_explained(game), _start(game.variant, game.fen))
            if len(packer) == BATCH_GAMES:
                yield packer.columns()
        if len(packer):
            yield packer.columns()

    def records(self) -> Iterator[GameRecord]:
        """The games of a source that has no shards, including those without a result."""
        if self.kind == "database":
            from damier.storage.database import Database  # noqa: PLC0415  (SQLAlchemy is slow to load)

            with Database(self.where, read_only=True) as database:
                for game in database.games(game=self.game):
                    if not self._is_of(game.variant):
                        both = f"{self.game} and of {game.variant}"
                        raise DataError(f"{self.where}: holds games of {both}; name one, with --game")
                    yield game
        elif self.path.is_dir():
            held = self.settings.get("game")
            if not isinstance(held, str):
                raise DataError(f"{self.where}: its settings do not name a game")
            if not self._is_of(held):
                raise DataError(f"{self.where}: holds games of {held}, expected {self.game}")
            for key, pair in PairsFile(self.path, held, json.dumps).read():
                one, other = self._met(json.loads(key))
                yield replace(pair[0], white=one, black=other)
                yield replace(pair[1], white=other, black=one)
        else:
            yield from self._file()

    def _met(self, key: object) -> tuple[Entrant, Entrant]:
        """Who played a pair: in a tournament its key begins with the names."""
        named = key if isinstance(key, list) else [self.settings.get(name) for name in ("first", "second")]
        one, other = (Entrant(name) if isinstance(name, str) else Entrant() for name in (*named, None, None)[:2])
        return one, other

    def _file(self) -> Iterator[GameRecord]:
        for number, tree in enumerate(records.read(self.path, variant=self.game, on_error=self._broken), 1):
            if not self._is_of(tree.variant):
                words = f"holds games of {tree.variant}, expected {self.game}"
                self._broken(RecordError(f"{self.where}: {words} (game {number})"))
                continue
            try:
                yield GameRecord.from_game(tree)
            except RecordError as error:
                self._broken(RecordError(f"{self.where}: game {number}: {error}"))

    def _broken(self, error: RecordError) -> None:
        if not self._skip_errors:
            raise error
        self.broken += 1
        self._first_error = self._first_error or error


def read_records(game: str, where: str | os.PathLike[str]) -> Iterator[GameRecord]:
    """The games of one game: of a .pgn, .pdn or .sgf file, a folder with pairs.jsonl, or a database.

    >>> import tempfile
    >>> from damier.arena.match import Match
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Match("loa5", "random", "random", games=4, out=Path(folder)).run()
    ...     len(list(read_records("loa5", folder))), len(list(read_records("loa5", f"{folder}/games.sgf")))
    (4, 4)
    """
    return Source(where, game=game).records()


def unfinished_in(source: str | os.PathLike[str]) -> str | None:
    """What is left out of the folder of an interrupted run, and how to complete it, in one line; None if nothing is.

    >>> unfinished_in("no such folder") is None
    True
    """
    pieces = unfinished_pieces(Path(source))
    if not pieces:
        return None
    command = "simulate" if kind_of(Path(source)) == "simulation" else "selfplay"
    played = sum(piece.games for piece in pieces)
    left = f"{len(pieces)} unfinished piece{'s' * (len(pieces) > 1)}, {played} games in all"
    return f"{source}: {left}, left out; to complete them, run its `damier {command}` command again with --resume"


def _check_manifest(folder: Path) -> None:
    """Refuse settings that cannot be read, since they say which games belong to a run."""
    for name in dict.fromkeys(MANIFESTS.values()):
        if not (folder / name).exists():
            continue
        try:
            held = json.loads(read_text(folder / name))
        except (ValueError, RecursionError):
            held = None
        if not isinstance(held, dict):
            raise DataError(f"{folder / name}: these are not the settings of a run")


def _read_settings(folder: Path, settings: JsonView) -> tuple[About, int, int]:
    """What the games of a run share, how many there should be, and how many a shard holds."""
    try:
        game, fen, seed = settings["game"], settings["fen"], settings["seed"]
        total, size = settings["games"], settings["shard_games"]
        if not all(type(number) is int for number in (seed, total, size)) or total < 0 or size < 1:
            raise TypeError
        return About(game, games.board(game, fen).fen(), seed), total, size
    except (KeyError, TypeError, ValueError):
        raise DataError(f"{folder / 'run.json'}: these are not the settings of a run of games") from None


def _number(shard: Path) -> int:
    number = shard.stem.removeprefix("games-")
    if not number.isdecimal():
        raise DataError(f"{shard}: belongs to another run; expected shards with a number")
    return int(number)


def _explained(game: GameRecord) -> GameRecord:
    """The game with the reason why it ended, as far as its moves or its record tell."""
    if game.reason in REASONS:
        return game
    outcome = game.board().outcome(claim_draw=True)
    if outcome and outcome.result == game.result:
        return replace(game, reason=outcome.reason)
    return replace(game, reason="time" if "time" in game.reason.lower() else "unknown")


@lru_cache(maxsize=4096)
def _start(variant: str, fen: str | None) -> str:
    """Where a game starts, "" for the standard start position; the same position is always written the same."""
    if fen is None:
        return ""
    start = games.board(variant, fen).fen()
    return "" if start == games.board(variant).fen() else start
