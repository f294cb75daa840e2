"""`damier play`: a game in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from damier._core import Side
from damier.cli.options import Fen, console, set_up
from damier.players import Player, player
from damier.terminal import Session

SPEC = "human, or a player such as oneply or random:seed=3."


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name of `damier games`.")] = "loa",
    white: Annotated[str | None, typer.Option(metavar="SPEC", help=f"White: {SPEC}")] = None,
    black: Annotated[str | None, typer.Option(metavar="SPEC", help=f"Black: {SPEC}")] = None,
    fen: Fen = None,
) -> None:
    """Play a game; by default you move first, against the one-ply player."""
    board = set_up(game, fen)
    specs = {Side.WHITE: white, Side.BLACK: black}
    first, second = (Side.WHITE, Side.BLACK) if board.turn == Side.WHITE else (Side.BLACK, Side.WHITE)
    specs[first] = specs[first] or ("human" if specs[second] != "human" else "oneply")
    specs[second] = specs[second] or ("human" if specs[first] != "human" else "oneply")
    players = {side: _seat(spec or "human") for side, spec in specs.items()}
    Session(board, players, console()).run()


def _seat(spec: str) -> Player | None:
    return None if spec == "human" else player(spec)
