"""Alembic runs this file to find the connection that migrations are for."""

from __future__ import annotations

from alembic import context

from damier.storage.database.migrations import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
context.run_migrations()
