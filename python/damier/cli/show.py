"""`damier show`: a position, on the terminal or in an SVG file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.options import Json, Position, console, print_json
from damier.terminal.board import draw, status_line


def show(
    position: Position,
    *,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an SVG picture to this file instead.")] = None,
    flip: Annotated[bool, typer.Option("--flip", help="Show the board from Black's side.")] = False,
    json: Json = False,
) -> None:
    """Draw a position in the terminal or as SVG."""
    board = position.board()
    if svg:
        svg.write_text(board.svg(flip=flip) + "\n", encoding="utf-8")
    outcome = board.outcome()
    if json:
        print_json(
            {
                "game": board.variant,
                "fen": board.fen(),
                "turn": board.turn.name.lower(),
                "legal_moves": [board.text(move) for move in board.legal_moves],
                "pieces": board.pieces(),
                "outcome": {"result": outcome.result, "reason": outcome.reason} if outcome else None,
            }
        )
    elif not svg:
        screen = console()
        screen.print(draw(board, screen, flip=flip))
        screen.print(status_line(board), board.fen(), sep="\n", markup=False)
