"""Games as rows of a database: SQLite in a file, PostgreSQL by its URL. See `Database`."""

from __future__ import annotations

from damier.storage.database.connect import DatabaseError
from damier.storage.database.database import Database, RunCount

__all__ = ["Database", "DatabaseError", "RunCount"]
