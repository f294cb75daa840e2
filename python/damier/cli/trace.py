"""`damier trace`: watch a search by looking at the tree it walked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier import textbook
from damier.cli import options, textbook_options
from damier.textbook.export import FORMATS
from damier.textbook.style import heading


def trace(
    game: options.Game,
    *,
    out: Annotated[
        Path,
        typer.Option(metavar="FILE", help="Output file: .json (everything), .dot (Graphviz) or .svg (a picture)."),
    ],
    fen: options.Fen = None,
    depth: textbook_options.Depth = 3,
    algorithm: Annotated[
        str, typer.Option(metavar="NAME", help=f"Algorithm: {', '.join(textbook.ALGORITHMS)}.")
    ] = "alphabeta",
    cap: Annotated[
        int, typer.Option(metavar="N", min=1, max=20_000_000, help="Record at most N nodes; the rest are only counted.")
    ] = 100_000,
    max_drawn: Annotated[
        int, typer.Option(metavar="N", min=1, help="Draw at most N nodes in a .dot or .svg file.")
    ] = 150,
    search: textbook_options.SearchOptions,
    json: options.Json = False,
) -> None:
    """Save the search tree of a textbook algorithm, or draw it.

    Each node has its move, window, value, and the reason why its search ended.
    """
    form = out.suffix.lower().removeprefix(".")
    if form not in FORMATS:
        raise typer.BadParameter(f"{out} should end in .json, .dot or .svg", param_hint="--out")
    tree = textbook.trace(options.set_up(game, fen), algorithm, depth=depth, cap=cap, **search.chosen())
    out.write_text(textbook.export(tree, form, max_drawn), encoding="utf-8")
    if json:
        options.print_json(
            {"out": str(out), "nodes": tree.result.nodes, "recorded": len(tree), "unrecorded": tree.unrecorded}
        )
    else:
        options.console().print(f"{heading(tree)}; {len(tree):,} recorded in {out}", markup=False)
