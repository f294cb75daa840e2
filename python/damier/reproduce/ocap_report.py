"""The report of `ocap`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from damier.drawing.chart import chart
from damier.drawing.markdown import table
from damier.files import JsonView
from damier.reproduce.matches import elo_text, score_text, share_text
from damier.reproduce.report import Report, plot

if TYPE_CHECKING:
    from damier.reproduce.ocap import OcapSettings

__all__ = ["report"]

Rows = Sequence[JsonView]
LINES = {"plain": "plain alpha-beta", "engine_same": "engine, same eval", "engine": "engine"}
DEEP = 3  # where their picture became unusable


def report(results: Mapping[str, JsonView], held: OcapSettings) -> Report:
    """Tables and plots, from the results of the steps alone."""
    rows: Rows = results["trees"]["rows"]
    game, judged, match = results["game"], results["judged"], results["engine"]
    depths = sorted({row["depth"] for row in rows})
    mean = {key: [_mean(rows, depth, key) for depth in depths] for key in LINES}
    per_node = _bytes_per_node(rows)
    within = "" if held.time == 1 else f", within {held.time:g} s"
    expected = [100 * share for share in judged["expected"]]  # before the first ply, and after each
    plots = {
        "nodes": chart({LINES[key]: mean[key] for key in LINES}, title="Nodes by depth", x="depth", y="nodes"),
        "game": chart(
            {"White": expected},
            title="OCAP against itself",
            x="plies played",
            y="expected points of White, %",
            xs=[float(plies) for plies in range(len(expected))],
            log=False,
        ),
    }
    parts = [
        "A UCI chess engine of plain alpha-beta with iterative deepening, 1 s per move, and an evaluation of pieces "
        "and a tenth of a pawn for each rank advanced (`eval=ocap`). Its authors wanted to draw the search tree, "
        "and gave up.",
        "## What they reported, and ours",
        table(
            ("", "theirs", "ours"),
            [
                [
                    "depth within 1 s",
                    "2, then 5 without the exact rules for kings",
                    f"{_depth_words(game['depths'])}, exact rules{within}",
                ],
                [
                    f"picture of the tree at depth {DEEP}",
                    "a PNG of 6 GB",
                    f"{_size(_mean(rows, min(DEEP, depths[-1]), 'plain') * per_node)} of Graphviz text if whole",
                ],
                ["what can be looked at", "depth 1", "any depth: `damier trace` draws 150 nodes and counts the rest"],
                ["stalemate", "not seen", "seen"],
            ],
        ),
        "## Trees",
        f"Means over {held.positions} positions. Both sides of the table search to the same depth; the engine also "
        "plays captures out below it, and so visits more nodes at depth 1.",
        _trees(rows, depths, mean, per_node),
        plot("nodes", "Nodes by depth: plain alpha-beta and the engine"),
        _by_position(rows, depths[-1]),
        "## Its game against itself",
        f"At {held.time:g} s per move from the start position: {game['result']} ({game['reason']}) after "
        f"{game['plies']} plies, {_depth_words(game['depths'])} ([PGN](reproduce-ocap.pgn)). Our engine, with "
        f"{held.judge_nodes:,} nodes per position, finds:",
        _errors(judged),
        f"The most was lost by ply {judged['worst'] + 1}, {game['moves'][judged['worst']] if game['moves'] else '-'}: "
        f"{judged['worst_loss']:.0%} of the expected points.".replace("%", " %"),
        plot("game", "Expected points of White, by our engine"),
        "## Against our engine",
        f"{held.match_games} games at {held.match_time:g} s per move: our engine scores {score_text(match)}, "
        f"{share_text(match)}, {elo_text(match)} Elo.",
        "## What is different, and why",
        "- Their move generator lets the king move into check to save time, and so misses stalemate; ours plays exact "
        "rules, in C++ rather than Java.\n"
        "- Their order of moves is not given: ours searches them as they are generated. With captures first, the same "
        "alpha-beta needs a fraction of the nodes ([textbook](../textbook.md)).\n"
        "- Their king has infinite value and can be taken; here a mate is a mate.\n"
        "- Sizes of pictures are measured for trees of at most 2,000 nodes; beyond that they are nodes times the bytes "
        "per node of those. Pixels depend on the layout program; they are not estimated.",
    ]
    return Report("OCAP, plain alpha-beta in chess (`ocap`)", parts, plots)


def _trees(rows: Rows, depths: Sequence[int], mean: Mapping[str, Sequence[float]], per_node: float) -> str:
    lines = []
    for at, depth in enumerate(depths):
        same = [row for row in rows if row["depth"] == depth]
        measured = all(row["dot_bytes"] is not None for row in same)
        size = _size(mean["plain"][at] * per_node)
        lines.append(
            [
                depth,
                f"{mean['plain'][at]:,.0f}",
                f"{1000 * _mean(rows, depth, 'plain_seconds'):,.1f}",
                _size(_mean(rows, depth, "dot_bytes")) if measured else f"about {size}",
                f"{mean['engine_same'][at]:,.0f}",
                f"{mean['engine'][at]:,.0f}",
                f"{1000 * _mean(rows, depth, 'engine_seconds'):,.1f}",
                f"{mean['plain'][at] / max(mean['engine'][at], 1):.1f}",
            ]
        )
    head = ("depth", "plain alpha-beta", "ms", "as Graphviz", "engine, same eval", "engine", "ms", "plain / engine")
    return table(head, lines)


def _by_position(rows: Rows, depth: int) -> str:
    lines = (
        [row["position"], *(f"{row[key]:,}" for key in LINES), f"{row['plain'] / max(row['engine'], 1):.1f}"]
        for row in rows
        if row["depth"] == depth
    )
    return f"At depth {depth}:\n\n" + table(("position", *LINES.values(), "plain / engine"), lines)


def _errors(judged: JsonView) -> str:
    names = list(judged["errors"]["White"])
    lines = (
        [side, *(counts[name] for name in names), f"{judged['mean_loss'][side]:.1%}".replace("%", " %")]
        for side, counts in judged["errors"].items()
    )
    notes = ("10 to 20 %", "20 to 30 %", "over 30 %")
    head = [f"{name} ({note})" for name, note in zip(names, notes, strict=True)]
    return table(("side", *head, "mean loss per move"), lines)


def _mean(rows: Rows, depth: int, key: str) -> float:
    values = [row[key] for row in rows if row["depth"] == depth]
    return float(sum(values) / len(values))


def _bytes_per_node(rows: Rows) -> float:
    """Bytes per node of the trees that were written whole."""
    whole = [row for row in rows if row["dot_bytes"] is not None]
    return float(sum(row["dot_bytes"] for row in whole) / max(sum(row["plain"] for row in whole), 1))


def _depth_words(depths: Sequence[int]) -> str:
    if not depths:
        return "depth unknown"
    return f"depth {min(depths)} to {max(depths)}, {sum(depths) / len(depths):.1f} on average"


def _size(count: float) -> str:
    """A number of bytes in kB, MB or GB.

    >>> _size(1234), _size(25_000_000)
    ('1.2 kB', '25.0 MB')
    """
    for unit, word in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= unit:
            return f"{count / unit:.1f} {word}"
    return f"{count:.0f} B"
