"""The tables: events, the players that met in them, and their games."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = ["VERSION", "Base", "EventRow", "GameRow", "PlayerRow", "SchemaRow"]

VERSION = 1  # of the tables; whoever changes them adds one, and says how rows of before are brought up to it


class Base(DeclarativeBase):
    """What the tables have in common: texts of any length, and JSON."""

    type_annotation_map = {str: Text, dict[str, Any]: JSON, list[Any]: JSON}  # noqa: RUF012


class SchemaRow(Base):
    """One row: which version of these tables it is."""

    __tablename__ = "damier_schema"

    version: Mapped[int] = mapped_column(primary_key=True)


class EventRow(Base):
    """A match, tournament or ladder; `run` is the same whenever it is resumed."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    game: Mapped[str]
    settings: Mapped[dict[str, Any]]
    started: Mapped[datetime]  # UTC


class PlayerRow(Base):
    """A player: its spec, and the name it went by."""

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("name", "spec"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    spec: Mapped[str]


class GameRow(Base):
    """A game; `pair` is what its pair is known by in the event, `half` which of the two it is."""

    __tablename__ = "games"
    __table_args__ = (
        UniqueConstraint("event_id", "pair", "half"),
        Index("games_game_result", "game", "result"),
        Index("games_white", "white_id"),
        Index("games_black", "black_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    pair: Mapped[str]
    half: Mapped[int]
    round: Mapped[str]
    white_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    black_id: Mapped[int] = mapped_column(ForeignKey("players.id"))
    game: Mapped[str]
    fen: Mapped[str | None]  # where it started, NULL for the usual position
    opening: Mapped[str]
    opening_plies: Mapped[int]
    result: Mapped[str]
    ending: Mapped[str]
    note: Mapped[str]
    plies: Mapped[int]
    moves: Mapped[str]  # in the notation of the game, those of the opening included
    turns: Mapped[list[Any]]  # [score, depth, nodes, seconds] of each move after the opening
