"""`damier perft`: count move sequences, the standard test of move generators."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from damier.cli.options import Fen, Game, Json, console, print_json, set_up
from damier.files import JsonObject
from damier.games import Board


def perft(
    game: Game,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=60, help="Depth in plies.")],
    *,
    fen: Fen = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count for each first move.")] = False,
    threads: Annotated[int, typer.Option(min=1, max=1024, metavar="N", help="Number of threads.")] = 1,
    json: Json = False,
) -> None:
    """Count the leaf nodes of the move tree (perft)."""
    if divide and not depth:
        raise typer.BadParameter("--divide needs a DEPTH of at least 1", param_hint="DEPTH")
    board = set_up(game, fen)
    with Console(stderr=True).status(f"counting {depth} plies of {board.variant}"):
        counts, seconds = _counted(board, depth, divide, threads)
    nodes = sum(counts.values())
    report: JsonObject = {"game": board.variant, "fen": board.fen(), "depth": depth, "nodes": nodes}
    report |= {"seconds": round(seconds, 6), "nps": round(nodes / max(seconds, 1e-9))}
    if json:
        print_json(report | ({"divide": counts} if divide else {}))
        return
    if divide:
        table = Table.grid(padding=(0, 2))
        table.add_column()
        table.add_column(justify="right")
        for move, count in counts.items():
            table.add_row(move, f"{count:,}")
        console().print(table)
    console().print(f"{nodes:,} nodes at depth {depth} in {seconds:.2f} s, {report['nps']:,} nodes/s")


def _counted(board: Board, depth: int, divide: bool, threads: int) -> tuple[dict[str, int], float]:
    name = getattr(board, "uci", str)  # chess engines write castling in their own way
    start = perf_counter()
    if divide:
        counts = {name(move): nodes for move, nodes in board.divide(depth, threads=threads)}
    else:
        counts = {"": board.perft(depth, threads=threads)}
    return counts, perf_counter() - start
