"""What a source of games holds, in numbers."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from damier.files import JsonObject
from damier.lab.counts import GameCounts
from damier.lab.duplicates import Duplicates
from damier.lab.sources import Source, unfinished_in
from damier.storage.batches import digests
from damier.storage.shards import NOT_SEARCHED, Columns

__all__ = ["Description", "describe"]

MOST_PLAYERS = 10_000  # whose games are counted
SHOWN_APART = ("kind", "game", "seed", "run", "started")  # settings that have their own lines


@dataclass
class Description(GameCounts):
    """Counts of games: `scored` have a score somewhere, in `scored_plies` moves; `repeats` repeat an earlier game.

    `unfinished` games without a result, and `broken` ones, are not counted. `size` is in bytes, of all files.
    """

    source: str
    kind: str
    game: str | None = None
    scored: int = 0
    scored_plies: int = 0
    other_starts: int = 0
    players: Counter[str] = field(default_factory=Counter)  # games of each
    repeats: int | None = None
    unfinished: int = 0
    broken: int = 0
    files: int = 0
    size: int = 0
    seed: int | None = None
    started: str | None = None
    settings: JsonObject = field(default_factory=dict)
    left_out: str | None = None  # what an interrupted run left, and how to complete it

    def count(self, columns: Columns) -> None:
        """Add games."""
        super().count(columns)
        searched = columns["scores"] != NOT_SEARCHED
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(searched)))
        ends = columns["score_ends"]
        starts = np.concatenate((np.zeros(1, ends.dtype), ends[:-1]))
        self.scored += int((before[ends] > before[starts]).sum())
        self.scored_plies += int(searched.sum())
        self.other_starts += sum(map(bool, columns["fens"]))
        others = (black for white, black in zip(columns["whites"], columns["blacks"], strict=True) if black != white)
        for name, count in Counter([*columns["whites"], *others]).items():
            if name and (name in self.players or len(self.players) < MOST_PLAYERS):
                self.players[name] += count


def describe(
    where: str | os.PathLike[str],
    *,
    game: str | None = None,
    duplicates: bool = True,
    on_progress: Callable[[int], None] | None = None,
) -> Description:
    """Read all games of a source and count them; without `duplicates`, nobody looks for repeats, which is faster.

    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = simulate("loa5", games=20, seed=1, out=folder)
    ...     about = describe(folder)
    >>> about.kind, about.game, about.games, about.repeats, dict(about.players)
    ('simulation', 'loa5', 20, 0, {'random': 20})
    """
    source = Source(where, game=game, skip_errors=True)
    about = Description(source.where, source.kind)
    with tempfile.TemporaryDirectory(prefix="damier-") as folder:
        known = Duplicates(Path(folder))
        for columns in source.batches():
            about.count(columns)
            if duplicates and source.game:
                known.add(digests(source.game, columns))
            if on_progress:
                on_progress(about.games)
        about.repeats = known.repeats() if duplicates else None
    settings, files = source.settings, source.files
    about.game, about.unfinished, about.broken = source.game, source.unfinished, source.broken
    about.files, about.size = len(files), sum(file.stat().st_size for file in files)
    about.seed, about.started = (settings.get(name) for name in ("seed", "started"))
    about.settings = {name: value for name, value in settings.items() if name not in SHOWN_APART}
    about.left_out = unfinished_in(source.path) if source.is_sharded else None
    return about
