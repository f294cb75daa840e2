"""The options of the ladder on the command line, shared by the commands that search with it."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.textbook import ORDERINGS

__all__ = [
    "Aspiration",
    "Depth",
    "Hash",
    "Iterative",
    "NullMove",
    "Quiescence",
    "Simulations",
    "Way",
]

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="D", min=1, max=60, help="Plies to look ahead.")]
Iterative = Annotated[bool, typer.Option("--iterative", help="Iterative deepening: depth 1, 2, ... first.")]
Way = Annotated[
    str,
    typer.Option("--ordering", metavar="WAY", help=f"What is tried first: {', '.join(ORDERINGS)}."),
]
Hash = Annotated[int, typer.Option("--hash", metavar="MIB", min=0, max=1024, help="Transposition table; 0 for none.")]
Aspiration = Annotated[
    int,
    typer.Option("--aspiration", metavar="WIDTH", min=0, max=100_000, help="Half the first window, with --iterative."),
]
NullMove = Annotated[bool, typer.Option("--null-move", help="Try passing first; may change the value.")]
Quiescence = Annotated[bool, typer.Option("--quiescence", help="Play exchanges out before judging.")]
Simulations = Annotated[int, typer.Option("--simulations", metavar="N", min=1, max=10**9, help="For mcts.")]
