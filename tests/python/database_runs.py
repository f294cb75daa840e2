"""Small matches whose games go to a folder and a database, and whether both hold the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from damier.arena.match import Match
from damier.records import GameRecord
from damier.storage.database import Database
from damier.storage.pairs import PairsFile


def match(place: Path, games: int = 8, **more: Any) -> Match:
    return Match("loa5", "engine:nodes=20", "random", games=games, seed=2, out=place, **more)


def kept(folder: Path) -> list[tuple[int, GameRecord]]:
    """The games in the folder of a match, each with the number of its pair."""
    game = json.loads((folder / "match.json").read_text())["game"]
    pairs = dict(PairsFile(folder, game, int).read())
    return [(number, game) for number in sorted(pairs) for game in pairs[number]]


def the_same(database: Database, folder: Path) -> bool:
    """Whether rows and folder hold the same games, each once."""
    rows = sorted(database.games(), key=lambda game: (int(game.pair), game.half))
    games = kept(folder)
    assert [(int(row.pair), row.half) for row in rows] == [(number, game.half) for number, game in games]
    about = ("white", "black", "event", "round", "date", "run", "pair")
    return all(
        replace(row, seconds=(), seed=played.seed)
        == replace(played, seconds=(), **{name: getattr(row, name) for name in about})
        and row.seconds == pytest.approx(played.seconds, abs=1e-6)
        for row, (_, played) in zip(rows, games, strict=True)
    )
