"""Positions to learn from, out of whatever holds games: shards, the folder of a match, PGN, PDN, SGF, a database."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from damier import games, jobs
from damier._core import DataError, Samples, StopFlag, results
from damier.records import GameRecord
from damier.storage.batches import selected, starts_of
from damier.storage.run import kind_of
from damier.storage.shard_writer import unfinished_pieces
from damier.storage.shards import NOT_SEARCHED, Columns, read_columns, shards_of

__all__ = ["PackedGames", "game_batches", "load_samples", "read_records", "shards_in", "unfinished_in"]

PARTS = 10  # of which the last is held out
LEARNT_FROM = ("codes", "ends", "results", "scores", "score_ends")
DATABASES = (".db", ".sqlite", ".sqlite3")


def load_samples(
    game: str,
    source: str | os.PathLike[str],
    *,
    eval: str = "classic",
    skip: int = 10,
    every: int = 1,
    mix: float = 0.0,
    slope: float = 0.005,
    seed: int = 0,
    threads: int = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[Samples, Samples]:
    """The features of the calm positions of stored games: nine parts in ten to learn from, the tenth held out.

    The source is what `read_records` reads, or a folder of shards. `on_progress` is called with how many parts of how
    many are done.
    """
    parts = _parts(game, source)
    learnt, held_out = Samples(), Samples()

    def work(piece: tuple[int, _Part], stop: StopFlag) -> tuple[int, Samples]:
        number, part = piece
        samples = Samples()
        for fen, columns in part.batches():
            board = games.board(game, fen)
            try:
                more = board.sample_games(
                    board.evaluator(eval),
                    columns["codes"],
                    columns["ends"],
                    columns["results"],
                    columns["scores"],
                    columns["score_ends"],
                    skip=skip,
                    every=every,
                    seed=seed + number,
                    mix=mix,
                    slope=slope,
                    stop=stop,
                )
            except DataError as error:
                raise DataError(f"{part.name}: {error}") from None
            samples.extend(more)
        return number, samples

    # In order, so that the same games always give the same samples.
    done: dict[int, Samples] = {}
    for arrived, (number, samples) in enumerate(jobs.run(work, enumerate(parts), threads=threads), 1):
        done[number] = samples
        if on_progress:
            on_progress(arrived, len(parts))
    for number in sorted(done):
        is_last = parts[number].is_held_out(number) or number == len(parts) - 1 < PARTS
        (held_out if is_last else learnt).extend(done[number])
        del done[number]
    if min(len(learnt), len(held_out)) == 0:
        raise DataError(
            f"{source}: there are too few calm positions in these games to learn from some and hold some out"
        )
    return learnt, held_out


def game_batches(game: str, source: str | os.PathLike[str]) -> Iterator[tuple[str | None, Columns]]:
    """The finished games of a source in batches: the position they start from, and columns as shards have them."""
    for part in _parts(game, source):
        yield from part.batches()


def unfinished_in(source: str | os.PathLike[str]) -> str | None:
    """What is left out of a folder whose run was cut off, and how to complete it, in one line; None if nothing is.

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


def read_records(game: str, source: str | os.PathLike[str]) -> Iterator[GameRecord]:
    """The finished games of one game: of a .pgn, .pdn or .sgf file, a folder with pairs.jsonl, or a database.

    >>> import tempfile
    >>> from damier.arena.match import Match
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Match("loa5", "random", "random", games=4, out=Path(folder)).run()
    ...     len(list(read_records("loa5", folder))), len(list(read_records("loa5", f"{folder}/games.sgf")))
    (4, 4)
    """
    from damier.lab.sources import Source  # noqa: PLC0415  (which builds on this file)

    return Source(source, game=game).records()


@dataclass
class _Part:
    """Some games of a source, in batches that start from one position."""

    name: str
    shard: Path | None = None
    of_ten: int | None = None  # of a shard's games only those whose number ends with this digit
    game: str = ""
    records: dict[str | None, PackedGames] = field(default_factory=dict)

    def is_held_out(self, number: int) -> bool:
        """Whether the part of this number is one of the tenth."""
        return (number if self.of_ten is None else self.of_ten) % PARTS == PARTS - 1

    def batches(self) -> Iterator[tuple[str | None, Columns]]:
        if self.shard is None:
            yield from ((fen, batch.columns()) for fen, batch in self.records.items())
            return
        about, columns = read_columns(self.shard)
        if about.variant != self.game:
            raise DataError(f"{self.shard}: holds games of {about.variant}, expected {self.game}")
        columns = {name: columns[name] for name in (*LEARNT_FROM, "fens") if name in columns}
        if self.of_ten is not None:
            columns = selected(columns, slice(self.of_ten, None, PARTS))
        fens, starts = starts_of(about, columns)
        for number, fen in enumerate(fens):
            yield fen, columns if len(fens) == 1 else selected(columns, starts == number)


class PackedGames:
    """Games packed as columns as they come.

    >>> packed = PackedGames()
    >>> packed.add(GameRecord("chess", None, (26380,), 1, "1-0", scores=(35,)), 0)
    >>> packed.columns()["scores"].tolist()
    [35]
    """

    def __init__(self) -> None:
        self._codes: list[np.ndarray[Any, np.dtype[np.uint16]]] = []
        self._scores: list[np.ndarray[Any, np.dtype[np.int16]]] = []
        self._results: list[int] = []

    def add(self, game: GameRecord, result: int) -> None:
        """Add a game with the number of its result."""
        said: Iterable[int | None] = game.scores or (None,) * (game.plies - game.opening_plies)
        scores = [NOT_SEARCHED] * game.opening_plies + [NOT_SEARCHED if score is None else score for score in said]
        self._codes.append(np.array(game.moves, np.uint16))
        self._scores.append(np.array(scores, np.int64).clip(NOT_SEARCHED, 2**15 - 1).astype(np.int16))
        self._results.append(result)

    def columns(self) -> Columns:
        """The games so far, as shards give them."""
        return {
            "codes": np.concatenate(self._codes),
            "ends": np.cumsum([len(codes) for codes in self._codes], dtype=np.int32),
            "results": np.array(self._results, np.uint8),
            "scores": np.concatenate(self._scores),
            "score_ends": np.cumsum([len(scores) for scores in self._scores], dtype=np.int32),
        }


def shards_in(source: str | os.PathLike[str]) -> list[Path] | None:
    """The shards of a source that has them; None for one whose games `read_records` reads.

    >>> shards_in("sqlite:///games.db") is None
    True
    """
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


def _parts(game: str, source: str | os.PathLike[str]) -> list[_Part]:
    games.info(game)
    shards = shards_in(source)
    if shards is not None:
        if len(shards) >= PARTS:
            return [_Part(str(shard), shard, game=game) for shard in shards]
        return [_Part(str(shard), shard, digit, game) for digit in range(PARTS) for shard in shards]
    number_of = {result: number for number, result in enumerate(results())}
    parts: defaultdict[int, _Part] = defaultdict(lambda: _Part(str(source)))
    finished = (record for record in read_records(game, source) if record.result in number_of)
    for number, record in enumerate(finished):
        part = parts[number // 2 % PARTS]  # both games of an opening in the same
        part.records.setdefault(record.fen, PackedGames()).add(record, number_of[record.result])
    if not parts:
        raise DataError(f"{source}: there are no finished games of {game}")
    return [parts[number] for number in sorted(parts)]
