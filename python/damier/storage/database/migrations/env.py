"""Alembic runs this file to find the connection that migrations are for."""

from __future__ import annotations

from alembic import context

from damier.storage.database.migrations import VERSION_TABLE

if hasattr(context, "config"):  # which it has only while Alembic runs
    context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
    context.run_migrations()
