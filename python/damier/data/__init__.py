"""Games and samples as files: Parquet shards that any tool can read."""

from __future__ import annotations

from damier.data.games import StoredGame, read_columns, read_games, shards_of
from damier.data.simulation import Simulation, collect, simulate

__all__ = ["Simulation", "StoredGame", "collect", "read_columns", "read_games", "shards_of", "simulate"]
