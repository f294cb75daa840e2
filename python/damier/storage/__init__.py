"""What is kept: games as Parquet shards that any tool can read, run folders, and rows of a database."""

from __future__ import annotations

from damier.storage.games import StoredGame, read_columns, read_games, shards_of

__all__ = ["StoredGame", "read_columns", "read_games", "shards_of"]
