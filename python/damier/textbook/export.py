"""A recorded tree as a file: all columns as JSON, or a part of the tree as Graphviz text or SVG."""

from __future__ import annotations

import json
from collections.abc import Iterator

from damier.textbook.picture import picture
from damier.textbook.sketch import Sketched, sketch
from damier.textbook.style import STYLES, heading, score_text, window_text
from damier.textbook.tree import ROLES, WHY, Tree

__all__ = ["FORMATS", "as_dot", "as_json", "export"]

FORMATS = ("json", "dot", "svg")


def export(tree: Tree, form: str, most_drawn: int = 150) -> str:
    """The text of a file in one of the FORMATS; pictures show `most_drawn` nodes.

    >>> from damier import loa, textbook
    >>> print(export(textbook.trace(loa.Board(), depth=1), "dot", 3).splitlines()[0])
    digraph search {
    """
    if form == "json":
        return as_json(tree)
    return as_dot(tree, most_drawn) if form == "dot" else picture(tree, most_drawn)


def as_json(tree: Tree) -> str:
    """All records as columns: row i of each belongs to node i, and the rows up to its `end` are its descendants."""
    columns = {name: column.tolist() for name, column in tree.columns.items()}
    columns["move"] = [node.text for node in tree]
    result = tree.result
    return json.dumps(
        {
            "game": tree.board.variant,
            "fen": tree.board.fen(),
            "algorithm": result.algorithm,
            "depth": result.depth,
            "value": result.score.value,
            "move": tree.board.text(result.move) if result.move is not None else None,
            "nodes": result.nodes,
            "recorded": len(tree),
            "unrecorded": tree.unrecorded,
            "why": WHY,
            "role": ROLES,
            "columns": columns,
        },
        separators=(",", ":"),
    )


def as_dot(tree: Tree, most_drawn: int) -> str:
    """Graphviz text: `dot -Tsvg` draws it."""
    passes, left_out = sketch(tree, most_drawn)
    lines = [
        "digraph search {",
        f"  label={_quoted(heading(tree))}; labelloc=t; rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fontname="sans-serif", fontsize=11]; edge [arrowsize=0.5];',
    ]
    if left_out:
        lines.append(f'  passes [label="{left_out} passes before", shape=plaintext, style=""];')
    for start in passes:
        lines += _dot_lines(start)
    return "\n".join([*lines, "}", ""])


def _dot_lines(at: Sketched) -> Iterator[str]:
    node = at.node
    style = STYLES[node.why]
    words = f"{node.text or 'root'}  {score_text(node.value)}\\n{window_text(node)}\\n{node.why}"
    pen = 2.5 if at.is_best else 1
    yield f'  n{node.index} [label="{words}", color="{style.ink}", fillcolor="{style.paper}", penwidth={pen}];'
    for child in at.children:
        yield from _dot_lines(child)
        yield f"  n{node.index} -> n{child.node.index} [penwidth={2.5 if child.is_best else 1}];"
    if at.more_nodes:
        yield f'  m{node.index} [label="+{at.more_nodes:,} nodes", shape=plaintext, style=""];'
        yield f"  n{node.index} -> m{node.index} [style=dotted];"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
