"""`damier bench`: the speed of the engine, and the signature of its search."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from damier.cli.options import Json, console, print_json
from damier.engine.bench import Bench, bench

HEADING = "# Nodes of `damier bench`, game by game; `make golden` writes this file."


def bench_command(
    games: Annotated[list[str] | None, typer.Argument(metavar="GAME", help="Games to search; all by default.")] = None,
    write: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the nodes of each game to this file.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure nodes and speed of the engine on fixed positions.

    The nodes are the same on every machine: they change only when the search does.
    """
    rows: list[Bench] = []
    with Console(stderr=True).status("searching") as status:
        for row in bench(games or ()):
            rows.append(row)
            status.update(f"searching, {row.game} done")
    nodes, seconds = sum(row.nodes for row in rows), sum(row.seconds for row in rows)
    nps = round(nodes / max(seconds, 1e-6))
    if write:
        lines = [HEADING, *(f"{row.game} {row.nodes}" for row in rows)]
        write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if json:
        every = [{**vars(row), "seconds": round(row.seconds, 6), "nps": row.nps} for row in rows]
        print_json({"games": every, "nodes": nodes, "seconds": round(seconds, 6), "nps": nps})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("game")
    for title in ("positions", "nodes", "seconds", "nodes/s"):
        table.add_column(title, justify="right")
    for row in rows:
        table.add_row(row.game, str(row.positions), f"{row.nodes:,}", f"{row.seconds:.2f}", f"{row.nps:,}")
    console().print(table)
    console().print(f"{nodes} nodes {nps} nps")
