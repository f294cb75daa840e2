"""The options of the textbook algorithms, shared by `damier compare` and `damier trace`."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.textbook import ORDERINGS

__all__ = ["Aspiration", "Depth", "HashSize", "Iterative", "NullMove", "Ordering", "Quiescence", "Simulations"]

Depth = Annotated[int, typer.Option("--depth", "-d", metavar="PLIES", min=1, max=60, help="Search depth.")]
Iterative = Annotated[bool, typer.Option("--iterative", help="Iterative deepening: search depth 1, 2, ... first.")]
Ordering = Annotated[str, typer.Option("--ordering", metavar="NAME", help=f"Move ordering: {', '.join(ORDERINGS)}.")]
HashSize = Annotated[
    int, typer.Option("--hash", "--table", metavar="MIB", min=0, max=1024, help="Transposition table size; 0 for none.")
]
Aspiration = Annotated[
    int,
    typer.Option(
        "--aspiration",
        metavar="CP",
        min=0,
        max=100_000,
        help="Half the width of the aspiration window, for --iterative; 0 for none.",
    ),
]
NullMove = Annotated[bool, typer.Option("--null-move", help="Null-move pruning; may change the value.")]
Quiescence = Annotated[bool, typer.Option("--quiescence", help="Quiescence search: play captures out at the leaves.")]
Simulations = Annotated[
    int, typer.Option("--simulations", metavar="N", min=1, max=10**9, help="Simulations of mcts, which has no depth.")
]
