"""`damier analyse`: what the engine thinks of a position, while it thinks."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live

from damier.board import Board
from damier.cli import options
from damier.engine import Analysis, Engine
from damier.engine.arguments import MOST_LINES
from damier.terminal.board import status_line, verdict
from damier.terminal.lines import as_table, report

Interrupted = 130


def analyse(
    position: options.Position,
    *,
    time: options.Time = None,
    depth: options.Depth = None,
    nodes: options.Nodes = None,
    mate: Annotated[
        int | None, typer.Option(min=1, max=99, metavar="N", help="Search only for a win in N moves.")
    ] = None,
    multipv: Annotated[
        int, typer.Option(min=1, max=MOST_LINES, metavar="K", help="Number of best lines to show (MultiPV).")
    ] = 1,
    threads: options.Threads = 1,
    hash: options.Hash = 16,
    eval: options.Eval = None,
    json: options.Json = False,
) -> None:
    """Analyse a position with the engine, live.

    Searches for 1 second unless a limit is given; Ctrl-C stops and shows the best lines so far.
    """
    board = position.board()
    if outcome := board.outcome():
        if json:
            options.print_json([])
        else:
            options.console().print(f"The game is over. {verdict(outcome)}", markup=False)
        return
    limit = options.limit_from(time, depth, nodes, mate)
    with Engine(board.variant, eval=eval, threads=threads, hash=hash) as engine:
        analysis = engine.analysis(board, limit, multipv=multipv)
        whole = _watched(board, analysis, show=not json)
    if json:
        options.print_json([report(board, info) for info in analysis.lines])
    if not whole:
        raise typer.Exit(Interrupted)


def _watched(board: Board, analysis: Analysis, *, show: bool) -> bool:
    """Show the lines of a search as they change; return whether it ran to its end."""
    screen = options.console()
    live = Console(highlight=False, quiet=not (show and screen.is_terminal))
    if show:
        screen.print(status_line(board), markup=False)
    try:
        with Live(console=live, transient=True, auto_refresh=False) as table:
            for _ in analysis:
                table.update(as_table(board, analysis.lines), refresh=True)
        whole = True
    except KeyboardInterrupt:
        analysis.stop()
        whole = False
    analysis.result()
    if show:
        wide = Console(highlight=False, width=None if screen.is_terminal else 10_000)  # in a pipe a row is a line
        wide.print(as_table(board, analysis.lines))
    return whole
