"""The settings of a server: where its data are, and how much of the machine it may use."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from damier.web.clock import Clock, SystemClock

__all__ = ["Config", "data_folder", "default_database"]

STATIC = Path(__file__).with_name("static")


def data_folder() -> Path:
    """The folder of the user's games and players; DAMIER_DATA names another one."""
    return Path(os.environ.get("DAMIER_DATA") or platformdirs.user_data_path("damier"))


def default_database() -> str:
    """The database that DAMIER_DATABASE names, or a file among the user's data."""
    named = os.environ.get("DAMIER_DATABASE_URL") or os.environ.get("DAMIER_DATABASE")  # the first is an older name
    return named or str(data_folder() / "web.db")


@dataclass(frozen=True)
class Config:
    """Settings of a server; every limit is here.

    >>> Config(database="sqlite://", players=Path("nets")).threads >= 2
    True
    """

    database: str = field(default_factory=default_database)
    players: Path = field(default_factory=lambda: data_folder() / "players")
    named: Mapping[str, Path] = field(default_factory=dict)  # more players, by their ids
    static: Path = STATIC
    hosts: frozenset[str] = frozenset()  # names that may stand in the Host header besides those of this machine
    token: str | None = None  # whoever has it may come in; None where only this machine can
    token_file: Path = field(default_factory=lambda: data_folder() / "token")
    clock: Clock = field(default_factory=SystemClock)
    threads: int = field(default_factory=lambda: max(2, os.cpu_count() or 2))  # of all searches together
    hash: int = 256  # MiB of the table of one analysis
    memory: int = 1024  # MiB of the tables of all analyses
    analyses: int = 32  # under way or waiting
    slice_s: float = 2.0  # for which an analysis keeps its threads while others wait
    move_s: float = 1.0  # that the engine thinks about a move without a clock
    silence_s: float = 600.0  # after which the analysis of a tab that says nothing ends
    longest_s: float = 30.0  # after which any player has to move
    sockets: int = 1000
    rate: float = 50.0  # requests a second that a client may send for long
    burst: int = 200  # and at once
    largest_body: int = 8_000_000
    largest_message: int = 1_000_000
    games_open: int = 2000
    import_games: int = 200
    nodes: int = 10_000  # of a tree
    database_patience_s: float = 5.0
