"""Games as rows of a database: SQLite in a file, PostgreSQL by its URL. See `Database`."""

from __future__ import annotations

from damier.arena.keep import Entrant, EventInfo
from damier.arena.referee import Turn
from damier.database.connect import DatabaseError
from damier.database.database import Database, EventCount
from damier.database.stored import StoredGame

__all__ = ["Database", "DatabaseError", "Entrant", "EventCount", "EventInfo", "StoredGame", "Turn"]
