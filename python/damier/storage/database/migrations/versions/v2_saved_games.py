"""Version 2: games that people play in the browser, move by move, and their settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v2"
down_revision = "v1"


def upgrade() -> None:
    op.create_table(
        "saved_games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("fen", sa.Text),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("headers", sa.JSON, nullable=False),
        sa.Column("white", sa.JSON, nullable=False),
        sa.Column("black", sa.JSON, nullable=False),
        sa.Column("clock", sa.JSON),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("updated", sa.DateTime, nullable=False),
        sa.Column("current", sa.Integer, nullable=False),
        sa.Column("next_move", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("result", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("last_fen", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )
    op.create_index("saved_games_updated", "saved_games", ["updated", "id"])
    op.create_table(
        "saved_moves",
        sa.Column("game_id", sa.Text, sa.ForeignKey("saved_games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("parent", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("move", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("nags", sa.JSON, nullable=False),
        sa.Column("score", sa.JSON),
        sa.Column("seconds", sa.Double),
        sa.Column("ending", sa.JSON),
    )
    op.create_table(
        "settings",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    op.execute("UPDATE damier_schema SET version = 2")
