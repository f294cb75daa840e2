"""`damier compare`: the textbook algorithms side by side on one position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from damier import textbook
from damier.cli import options, textbook_options
from damier.drawing.chart import chart
from damier.engine import SearchResult
from damier.games import Board, line_of

WIDE = 130  # columns, whatever the terminal: a table cut short says nothing


def compare(
    game: options.Game,
    *,
    fen: options.Fen = None,
    depth: textbook_options.Depth = 3,
    algorithms: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Comma-separated, from {', '.join(textbook.ALGORITHMS)}.")
    ] = ",".join(textbook.EXACT),
    search: textbook_options.SearchOptions,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Plot nodes by depth, up to --depth.")] = None,
    json: options.Json = False,
) -> None:
    """Compare textbook algorithms, minimax to MTD(f), on a position."""
    if plot and plot.suffix.lower() != ".svg":
        raise typer.BadParameter(f"{plot} is not an SVG file, expected a name ending in .svg", param_hint="--plot")
    names = list(dict.fromkeys(filter(None, algorithms.split(","))))
    if not names:
        raise typer.BadParameter("no algorithm is named", param_hint="--algorithms")
    board = options.set_up(game, fen)
    settings = search.chosen()
    results = _searched(board, names, depth, settings)
    if plot:
        plot.write_text(_chart(board, results, names, depth, settings) + "\n", encoding="utf-8")
    if json:
        options.print_json([_report(board, result) for result in results])
    else:
        screen = options.console()
        screen.width = max(screen.width, WIDE)
        screen.print(_table(board, results))


def _searched(board: Board, names: list[str], depth: int, settings: textbook.Options) -> list[SearchResult]:
    results = []
    with Console(stderr=True).status("") as status:
        for name in names:
            status.update(f"{escape(name)} at depth {depth}")
            results.append(textbook.search(board, name, depth=depth, **settings))
    return results


def _report(board: Board, result: SearchResult) -> dict[str, object]:
    counted = ("algorithm", "depth", "nodes", "leaves", "cutoffs", "table_hits", "researches", "stopped", "branching")
    return {
        "value": result.score.value,
        "move": _text(board, result),
        "pv": line_of(board, result.pv),
        "seconds": round(result.seconds, 6),
        **{name: getattr(result, name) for name in counted},
    }


def _text(board: Board, result: SearchResult) -> str | None:
    return None if result.move is None else board.text(result.move)


def _table(board: Board, results: list[SearchResult]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("algorithm")
    for name in ("value", "best move", "nodes", "leaves", "cut-offs", "table hits", "time", "branching", "of minimax"):
        table.add_column(name, justify="right", no_wrap=True)
    whole = next((result.nodes for result in results if result.algorithm == "minimax"), None)
    for result in results:
        table.add_row(
            result.algorithm,
            str(result.score),
            _text(board, result) or "-",
            *(f"{count:,}" for count in (result.nodes, result.leaves, result.cutoffs, result.table_hits)),
            f"{1000 * result.seconds:,.1f} ms",
            f"{result.branching:.2f}" if result.branching else "-",
            f"{result.nodes / whole:.2%}" if whole and result.branching else "-",
        )
    return table


def _chart(board: Board, results: list[SearchResult], names: list[str], depth: int, settings: textbook.Options) -> str:
    """Nodes by depth; mcts has no depth and is left out."""
    series: dict[str, list[float]] = {name: [] for name in names if name != "mcts"}
    for level in range(1, depth + 1):
        for result in results if level == depth else _searched(board, list(series), level, settings):
            if result.algorithm in series:
                series[result.algorithm].append(result.nodes)
    return chart(series, title=f"Nodes visited on {board.variant}", x="depth", y="nodes")
