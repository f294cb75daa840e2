"""The tables: events, the players that met in them and their games; games that people play, as trees; settings."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Double, ForeignKey, Index, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from damier.files import JsonObject

Turn = list[int | float | None]  # score, depth, nodes, seconds

__all__ = [
    "VERSION",
    "Base",
    "EventRow",
    "GameRow",
    "PlayerRow",
    "SavedGameRow",
    "SavedMoveRow",
    "SchemaRow",
    "SettingRow",
]

VERSION = 2  # of the tables; whoever changes them adds one, and a migration from the version before


class Base(DeclarativeBase):
    """What the tables share: texts of any length, and JSON."""

    type_annotation_map = {str: Text, JsonObject: JSON, list[int]: JSON, list[Turn]: JSON}  # noqa: RUF012


class SchemaRow(Base):
    """One row: the version of these tables."""

    __tablename__ = "damier_schema"

    version: Mapped[int] = mapped_column(primary_key=True)


class EventRow(Base):
    """A match, tournament or ladder; `run` is the same whenever it is resumed."""

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[str] = mapped_column(unique=True)
    kind: Mapped[str]
    game: Mapped[str]
    settings: Mapped[JsonObject]
    started: Mapped[datetime]  # UTC


class PlayerRow(Base):
    """A player: its spec, and its name."""

    __tablename__ = "players"
    __table_args__ = (UniqueConstraint("name", "spec"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    spec: Mapped[str]


class GameRow(Base):
    """A game; `pair` is the key of its pair in the event, `half` which of the two games it is."""

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
    turns: Mapped[list[Turn]]  # of each move after the opening


class SavedGameRow(Base):
    """A game that a person plays, imported or analyses; its moves are a tree in `saved_moves`."""

    __tablename__ = "saved_games"
    __table_args__ = (Index("saved_games_updated", "updated", "id"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    revision: Mapped[int]  # grows with every change
    variant: Mapped[str]
    fen: Mapped[str | None]  # where it started, NULL for the usual position
    title: Mapped[str]
    headers: Mapped[JsonObject]
    white: Mapped[JsonObject]
    black: Mapped[JsonObject]
    clock: Mapped[JsonObject | None]
    created: Mapped[datetime]  # UTC, as is `updated`
    updated: Mapped[datetime]
    current: Mapped[int]  # the move that was played last
    next_move: Mapped[int]  # the id of the next one
    plies: Mapped[int]
    result: Mapped[str]
    reason: Mapped[str]
    last_fen: Mapped[str]
    words: Mapped[str]  # what it is found by, in small letters


class SavedMoveRow(Base):
    """A move of a saved game; `place` is its order among the moves after the same parent (0: the start)."""

    __tablename__ = "saved_moves"

    game_id: Mapped[str] = mapped_column(ForeignKey("saved_games.id", ondelete="CASCADE"), primary_key=True)
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    parent: Mapped[int]
    place: Mapped[int]
    move: Mapped[str]
    comment: Mapped[str]
    before: Mapped[str]
    nags: Mapped[list[int]]
    score: Mapped[JsonObject | None]
    seconds: Mapped[float | None] = mapped_column(Double)
    ending: Mapped[JsonObject | None]


class SettingRow(Base):
    """What a person chose, by name."""

    __tablename__ = "settings"

    name: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[JsonObject]
