"""Data sets: games of any sources put together, without repeats if you like, in shards that all readers here accept.

Games are read in batches: memory does not grow with their number. A data set gets its name once it is complete.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from damier import games
from damier._core import DataError
from damier.files import JsonObject, new_folder
from damier.lab.counts import GameCounts
from damier.lab.duplicates import Duplicates
from damier.lab.sources import Source
from damier.storage.batches import digests, lean, rechunked, selected
from damier.storage.run import RunFolder
from damier.storage.shards import About, Columns, digest_of, packed_shard

__all__ = ["DataSet", "Part", "dedupe", "import_games", "merge"]

SHARD_GAMES = 10_000

Where = str | os.PathLike[str]
OnProgress = Callable[[int], None]


@dataclass(frozen=True)
class Part:
    """What a source contributed: `unfinished` games without a result, and `broken` ones, were left out."""

    source: str
    kind: str
    games: int
    sha256: str | None
    unfinished: int = 0
    broken: int = 0


@dataclass
class DataSet(GameCounts):
    """A new data set: where it is, of which game, and from which sources."""

    out: Path
    game: str
    sources: list[Part]
    dropped: int = 0  # repeats


def import_games(
    sources: Where | Sequence[Where],
    out: Where,
    *,
    game: str | None = None,
    skip_errors: bool = False,
    on_progress: OnProgress | None = None,
) -> DataSet:
    """Make a data set of files of PGN, PDN and SGF (.gz too), databases, and folders of matches and tournaments.

    Games without a result are left out. All must be of one game: `game`, or else that of the first one. A broken game
    is an error, unless `skip_errors` leaves it out. `on_progress` is called with how many games there are so far.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "two.pgn").write_text("1. e4 e5 1/2-1/2\\n\\n1. f3 e5 2. g4 Qh4# 0-1\\n")
    ...     made = import_games(f"{folder}/two.pgn", f"{folder}/set")
    >>> made.game, made.games, dict(made.results)
    ('chess', 2, {'0-1': 1, '1/2-1/2': 1})
    """
    return _make("import", sources, out, game=game, skip_errors=skip_errors, on_progress=on_progress)


def merge(
    sources: Where | Sequence[Where], out: Where, *, game: str | None = None, on_progress: OnProgress | None = None
) -> DataSet:
    """Put the games of several runs, or of whatever `import_games` takes, into one data set, in their order.

    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for seed in (1, 2):
    ...         _ = simulate("loa5", games=3, seed=seed, out=f"{folder}/{seed}")
    ...     merge([f"{folder}/1", f"{folder}/2"], f"{folder}/both").games
    6
    """
    return _make("merge", sources, out, game=game, on_progress=on_progress)


def dedupe(
    sources: Where | Sequence[Where],
    out: Where,
    *,
    game: str | None = None,
    plies: int | None = None,
    on_progress: OnProgress | None = None,
) -> DataSet:
    """The same as `merge`, without repeats: games with the same start and moves as an earlier one.

    With `plies`, games are the same if their first `plies` moves are: one game per opening is left.

    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = simulate("loa5", games=3, seed=1, out=f"{folder}/run")
    ...     made = dedupe([f"{folder}/run", f"{folder}/run"], f"{folder}/set")
    >>> made.games, made.dropped
    (3, 3)
    """
    if plies is not None and plies < 1:
        raise DataError(f"plies is {plies}, expected at least 1")
    with tempfile.TemporaryDirectory(prefix="damier-") as folder:
        known = Duplicates(Path(folder))
        for source, columns in _read(_sources(sources, game)):
            assert source.game
            known.add(digests(source.game, columns, plies))
        dropped = known.repeats()
        settings = {"plies": plies, "dropped": dropped}
        made = _make("dedupe", sources, out, game=game, on_progress=on_progress, known=known, settings=settings)
    made.dropped = dropped
    return made


def _sources(sources: Where | Sequence[Where], game: str | None, skip_errors: bool = False) -> list[Source]:
    listed: Iterable[Where] = [sources] if isinstance(sources, str | os.PathLike) else sources
    return [Source(where, game=game, skip_errors=skip_errors) for where in listed]


def _read(sources: Sequence[Source]) -> Iterator[tuple[Source, Columns]]:
    """The games of all sources, which must be of the same game as the first."""
    game = None
    for source in sources:
        source.game = source.game or game
        for columns in source.batches():
            yield source, columns
        game = game or source.game


def _make(
    command: str,
    where: Where | Sequence[Where],
    out: Where,
    *,
    game: str | None,
    on_progress: OnProgress | None,
    skip_errors: bool = False,
    known: Duplicates | None = None,
    settings: JsonObject | None = None,
) -> DataSet:
    if not os.fspath(out):
        raise DataError("out is empty, expected the name of a folder")
    sources = _sources(where, game, skip_errors)
    made = DataSet(Path(out), "", [])
    whole = hashlib.sha256()

    def kept() -> Iterator[Columns]:
        first = 0
        for source, columns in _read(sources):
            made.game = made.game or source.game or ""
            count = len(columns["ends"])
            yield columns if known is None else selected(columns, ~known.is_repeat(first, count))
            first += count

    with new_folder(made.out, DataError) as unfinished:
        for number, columns in enumerate(rechunked(kept(), SHARD_GAMES)):
            made.count(columns)
            about, stored = About(made.game, games.board(made.game).fen(), 0), lean(columns)
            whole.update(digest_of(stored).encode())
            shard = packed_shard(about, number * SHARD_GAMES, stored)
            (unfinished / f"games-{number:06d}.parquet").write_bytes(shard)
            if on_progress:
                on_progress(made.games)
        if not made.games:
            raise DataError(f"{', '.join(source.where for source in sources)}: there are no finished games")
        made.sources = [
            Part(source.where, source.kind, source.games, source.sha256(), source.unfinished, source.broken)
            for source in sources
        ]
        about_set = {
            "game": made.game,
            "fen": games.board(made.game).fen(),
            "seed": 0,
            "games": made.games,
            "shard_games": SHARD_GAMES,
            "command": command,
            "sources": [asdict(part) for part in made.sources],
            "digest": whole.hexdigest(),
        }
        RunFolder(unfinished, "data", about_set | (settings or {})).close()
    return made
