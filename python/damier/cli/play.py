"""`damier play`: a game in the terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from damier._core import Side
from damier.cli.options import Fen, console, set_up
from damier.players import Player, player
from damier.terminal import Session

SPEC = "human, or a player such as engine:time=1, oneply or random."
FRIENDLY = 5
Seconds = 1  # what the opponent may think about a move; only the highest levels need as much


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A name from `damier games`.")] = "loa",
    *,
    white: Annotated[str | None, typer.Option(metavar="SPEC", help=f"White: {SPEC}")] = None,
    black: Annotated[str | None, typer.Option(metavar="SPEC", help=f"Black: {SPEC}")] = None,
    level: Annotated[
        int | None, typer.Option(min=1, max=10, metavar="N", help=f"Strength of the engine; {FRIENDLY} by default.")
    ] = None,
    elo: Annotated[int | None, typer.Option(metavar="N", help="Strength of the engine as an Elo rating.")] = None,
    fen: Fen = None,
) -> None:
    """Play against the engine, or watch two players.

    By default you move first, against the engine at a friendly level.
    """
    board = set_up(game, fen)
    specs = {Side.WHITE: white, Side.BLACK: black}
    first, second = (Side.WHITE, Side.BLACK) if board.turn == Side.WHITE else (Side.BLACK, Side.WHITE)
    if level is not None and elo is not None:
        raise typer.BadParameter("give --level or --elo, not both")
    opponent = f"engine:{f'elo={elo}' if elo is not None else f'level={level or FRIENDLY}'},time={Seconds}"
    for side, other in ((first, second), (second, first)):
        specs[side] = specs[side] or ("human" if specs[other] != "human" else opponent)
    if (level is not None or elo is not None) and opponent not in specs.values():
        raise typer.BadParameter("--level and --elo are for the opponent of a human when no other is named")
    players = {side: _player(spec or "human") for side, spec in specs.items()}
    for each in filter(None, players.values()):
        each.new_game(board)  # a bad player is reported before the board is shown
    Session(board, players, console()).run()


def _player(spec: str) -> Player | None:
    return None if spec == "human" else player(spec)
