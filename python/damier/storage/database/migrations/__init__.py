"""How tables of each version are made from those of the previous version; Alembic runs them.

A new version is a file in `versions/`, the models changed to match, and `VERSION` one higher. A test compares what the
migrations make with the models.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

__all__ = ["VERSION_TABLE", "upgrade"]

VERSION_TABLE = "damier_alembic"


def upgrade(connection: Connection, version: int) -> None:
    """Bring tables of a version (0: there are none) up to date, within the transaction of the connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    command.stamp(config, f"v{version}" if version else "base", purge=True)
    command.upgrade(config, "head")
