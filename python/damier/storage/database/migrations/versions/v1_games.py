"""Version 1: events, players and their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v1"
down_revision = None


def upgrade() -> None:
    schema = op.create_table("damier_schema", sa.Column("version", sa.Integer, primary_key=True))
    op.create_table(
        "events",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("run", sa.Text, nullable=False, unique=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("settings", sa.JSON, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.UniqueConstraint("name", "spec"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("event_id", sa.Integer, sa.ForeignKey("events.id"), nullable=False),
        sa.Column("pair", sa.Text, nullable=False),
        sa.Column("half", sa.Integer, nullable=False),
        sa.Column("round", sa.Text, nullable=False),
        sa.Column("white_id", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("black_id", sa.Integer, sa.ForeignKey("players.id"), nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("fen", sa.Text),
        sa.Column("opening", sa.Text, nullable=False),
        sa.Column("opening_plies", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("ending", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("turns", sa.JSON, nullable=False),
        sa.UniqueConstraint("event_id", "pair", "half"),
    )
    op.create_index("games_game_result", "games", ["game", "result"])
    op.create_index("games_white", "games", ["white_id"])
    op.create_index("games_black", "games", ["black_id"])
    op.bulk_insert(schema, [{"version": 1}])
