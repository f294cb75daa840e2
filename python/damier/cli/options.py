"""Arguments that several commands share, and how they become boards."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any

import typer
from rich.console import Console

from damier._core import FenError, MoveError
from damier.games import Board, board
from damier.terminal.prompt import readable

__all__ = ["Fen", "Game", "Json", "console", "print_json", "set_up"]

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A name of `damier games`; sizes and rules combine: loa6:olympiad.")
]
Fen = Annotated[str | None, typer.Option("--fen", metavar="FEN", help="Start from this position.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for scripts.")]


def console() -> Console:
    """Where commands print: colours on a terminal, plain text in a pipe."""
    return Console(highlight=False, soft_wrap=True)


def print_json(report: Any) -> None:
    """Print a report as one line of JSON."""
    typer.echo(json.dumps(report))


def set_up(game: str, fen: str | None = None, moves: str = "") -> Board:
    """Set up a game and play moves, such as `1. e4 e5 2. Nf3`, saying which one cannot be played.

    >>> set_up("chess", moves="1.e4 e5 2. Nf3").ply
    3
    """
    try:
        start: Any = board(game, fen and readable(fen))
    except FenError as error:
        raise FenError(f"--fen: {error}") from None
    for number, word in enumerate(re.sub(r"(?<!\S)\d+\.+", " ", readable(moves)).split(), 1):
        try:
            start.play(word)
        except MoveError as error:
            raise MoveError(f"--moves, move {number}: {error}") from None
    result: Board = start
    return result
