"""Games as rows of a database: SQLite in a file, PostgreSQL by its URL. See `Database`."""

from __future__ import annotations

from damier.arena.play.referee import Turn
from damier.storage.database.connect import DatabaseError
from damier.storage.database.database import Database, EventCount
from damier.storage.database.stored import StoredGame
from damier.storage.keep import Entrant, EventInfo

__all__ = ["Database", "DatabaseError", "Entrant", "EventCount", "EventInfo", "StoredGame", "Turn"]
