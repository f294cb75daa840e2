"""Lines of analysis in the notation of the game: a table for people, a report for scripts."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from damier.board import Board
from damier.engine import SearchResult
from damier.files import JsonObject
from damier.games import line_of

__all__ = ["as_table", "report"]


def as_table(board: Board, lines: Sequence[SearchResult]) -> Table:
    """One row per line, the best first."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("depth", "score", "win/draw/loss", "nodes", "nodes/s", "table"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("line", overflow="fold")
    for info in lines:
        table.add_row(
            f"{info.depth}/{info.seldepth}",
            f"{'≥' if info.bound == 'lower' else '≤' if info.bound == 'upper' else ''}{info.score}",
            " ".join(f"{share / 10:.1f}" for share in info.wdl),
            f"{info.nodes:,}",
            f"{info.nps:,}",
            f"{info.hashfull / 10:.1f} %",
            " ".join(line_of(board, info.pv)),
        )
    return table


def report(board: Board, info: SearchResult) -> JsonObject:
    """A line of analysis for scripts.

    >>> from damier import chess
    >>> from damier.engine import Engine, Limit
    >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    >>> found = report(board, Engine("chess").analyse(board, Limit(depth=3)))
    >>> found["score"], found["move"], found["wdl"]
    ({'mate': 1}, 'Ra8#', [1000, 0, 0])
    """
    pv = line_of(board, info.pv)
    return {
        "multipv": info.multipv,
        "depth": info.depth,
        "seldepth": info.seldepth,
        "score": {"cp": info.score.cp} if info.score.mate is None else {"mate": info.score.mate},
        "expectation": info.score.expectation(),
        "wdl": list(info.wdl),
        "nodes": info.nodes,
        "nps": info.nps,
        "seconds": round(info.seconds, 6),
        "hashfull": info.hashfull,
        "pv": pv,
        "move": pv[0],
    }
