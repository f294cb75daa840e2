"""The options of the textbook algorithms, shared by `damier compare` and `damier trace`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

import typer

from damier.cli import options
from damier.textbook import ORDERINGS, Options

__all__ = ["Depth", "SearchOptions"]

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


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search besides its depth."""

    eval: options.Eval = None
    iterative: Iterative = False
    ordering: Ordering = "captures"
    hash: HashSize = 4
    aspiration: Aspiration = 0
    null_move: NullMove = False
    quiescence: Quiescence = False
    simulations: Simulations = 800

    def chosen(self) -> Options:
        """The same, as the algorithms take them."""
        return cast(Options, {**vars(self)})
