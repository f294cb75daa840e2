"""Stored games: run folders, Parquet shards that any tool can read, lines of JSON, rows of a database."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.storage.shards import read_columns, read_games, shards_of

__all__ = ["read_columns", "read_games", "shards_of"]


def __getattr__(name: str) -> object:
    """Load pyarrow, which is slow to import, on first use."""
    if name in __all__:
        return getattr(importlib.import_module("damier.storage.shards"), name)
    raise AttributeError(f"module 'damier.storage' has no attribute {name!r}")
