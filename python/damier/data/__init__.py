"""Games and samples as files: Parquet shards that any tool can read."""

from __future__ import annotations

from damier.data.games import StoredGame, read_games
from damier.data.simulation import Simulation, simulate

__all__ = ["Simulation", "StoredGame", "read_games", "simulate"]
