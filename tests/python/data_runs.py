"""Games in every form that data sets are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from damier.arena.match import Match
from damier.lab import self_play, simulate
from damier.storage.database import Database


def every_form(folder: Path) -> Path:
    """Folders `random`, `engine`, `pair` and `match`, a file match/games.sgf and a database games.db, all of loa5."""
    simulate("loa5", games=30, seed=1, out=folder / "random")
    self_play("loa5", games=10, nodes=50, seed=1, out=folder / "engine")
    self_play("loa5", games=10, player="mtdf:depth=1", opponent="random", seed=1, out=folder / "pair")
    with Database(folder / "games.db") as database:
        Match("loa5", "engine:nodes=20", "random", games=6, out=folder / "match", database=database).run()
    return folder


def self_played(game: str, folders: pytest.TempPathFactory, **options: Any) -> Path:
    """A folder of games to learn from."""
    folder = folders.mktemp("base") / "games"
    self_play(game, seed=2, out=folder, **options)
    return folder


def play_until(last: int, game: str, **options: Any) -> None:
    """Self-play that Ctrl-C ends after so many games, each of them a piece."""

    def stop(done: int) -> None:
        if done == last:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("damier.lab.simulation.SECONDS_HERE", 1e-9)
        with pytest.raises(KeyboardInterrupt):
            self_play(game, on_progress=stop, **options)


def many(count: int, path: Path) -> Path:
    """A file of short games."""
    with path.open("w") as file:
        for number in range(count):
            file.write(f'[Result "1-0"]\n[White "{number % 7}"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n')
    return path
