"""A search tree as SVG: it grows from left to right, the first move tried on top, the best line thick."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from damier.textbook.sketch import Sketched, sketch
from damier.textbook.style import STYLES, heading, score_text, window_text
from damier.textbook.tree import WHY, Tree

__all__ = ["picture"]

BOX, TALL = 132, 34  # a node
GAP = 52  # between levels
ROW, MORE_ROW = 42, 24  # what a node without children takes, and a line that counts what is not drawn
MARGIN, HEADER = 24, 124
LEGEND = 270  # the width of an entry


def picture(tree: Tree, most_drawn: int = 150) -> str:
    """Draw at most `most_drawn` nodes; what is left out is counted where it would be.

    >>> from damier import loa, textbook
    >>> picture(textbook.trace(loa.Board(), depth=2), 40).count('class="node"') <= 40
    True
    """
    return _Picture(tree, most_drawn).document()


class _Picture:
    """A tree being laid out: rows are dealt out from top to bottom, parents stand in the middle of their children."""

    def __init__(self, tree: Tree, most_drawn: int) -> None:
        self.tree = tree
        self.passes, self.left_out = sketch(tree, most_drawn)
        self.bottom = float(HEADER)
        self.right = 0.0
        self.edges: list[str] = []
        self.best_edges: list[str] = []
        self.nodes: list[str] = []

    def document(self) -> str:
        for number, start in enumerate(self.passes, 1 + self.left_out):
            name = "root" if len(self.tree.passes) == 1 else f"pass {number}"
            self.place(start, 0, name)
            self.bottom += 10
        width = max(self.right + MARGIN, 3 * LEGEND + MARGIN)
        height = self.bottom + MARGIN
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
            f'height="{height:g}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="#374151">',
            f"<title>{escape(heading(self.tree))}</title>",
            f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#ffffff"/>',
            *self.header(),
            f'<g fill="none" stroke="#c3c9d3" stroke-width="1.2">{"".join(self.edges)}</g>',
            f'<g fill="none" stroke="#1f2937" stroke-width="2.6">{"".join(self.best_edges)}</g>',
            *self.nodes,
            "</svg>",
        ]
        return "\n".join(parts)

    def place(self, at: Sketched, level: int, name: str) -> float:
        """Draw a node and all below it; returns the height at which it stands."""
        x = MARGIN + level * (BOX + GAP)
        self.right = max(self.right, x + BOX)
        middles = [self.place(child, level + 1, child.node.text) for child in at.children]
        if at.more_nodes:
            middles.append(self.more(at, x + BOX + GAP))
        if middles:
            y = (middles[0] + middles[-1]) / 2
        else:
            y = self.bottom + ROW / 2
            self.bottom += ROW
        for child, middle in zip(at.children, middles, strict=False):
            (self.best_edges if child.is_best else self.edges).append(_edge(x + BOX, y, middle))
        if at.more_nodes:
            self.edges.append(_edge(x + BOX, y, middles[-1]))
        self.nodes.append(self.box(at, x, y, name))
        return y

    def more(self, at: Sketched, x: float) -> float:
        """The line that counts what is not drawn below a node."""
        moves = f"+{at.more_moves} more, " if at.more_moves else "+"
        words = f"{moves}{at.more_nodes:,} node{'s' if at.more_nodes > 1 else ''}"
        y = self.bottom + MORE_ROW / 2
        self.bottom += MORE_ROW
        self.right = max(self.right, x + BOX)
        self.nodes.append(f'<text x="{x + 4:g}" y="{y + 4:g}" fill="#9199a6" font-style="italic">{words}</text>')
        return y

    def box(self, at: Sketched, x: float, y: float, name: str) -> str:
        node, style = at.node, STYLES[at.node.why]
        top = y - TALL / 2
        dash = ' stroke-dasharray="4 3"' if node.role in ("quiescence", "null") else ""
        pen = 2.2 if at.is_best else 1
        return (
            f'<g class="node"><title>{escape(_words(at, name))}</title>'
            f'<rect x="{x:g}" y="{top:g}" width="{BOX}" height="{TALL}" rx="5" fill="{style.paper}" '
            f'stroke="{style.ink}" stroke-width="{pen}"{dash}/>'
            f'<rect x="{x:g}" y="{top:g}" width="5" height="{TALL}" rx="2.5" fill="{style.ink}"/>'
            f'<text x="{x + 12:g}" y="{top + 14:g}" font-weight="600" fill="#111827">{escape(name)}</text>'
            f'<text x="{x + BOX - 7:g}" y="{top + 14:g}" text-anchor="end" font-weight="600" fill="{style.ink}">'
            f"{score_text(node.value)}</text>"
            f'<text x="{x + 12:g}" y="{top + 28:g}" font-size="10.5" fill="#6b7280">{window_text(node)}</text></g>'
        )

    def header(self) -> Iterator[str]:
        """What is shown, and the legend."""
        title = escape(heading(self.tree))
        yield f'<text x="{MARGIN}" y="36" font-size="18" font-weight="600" fill="#111827">{title}</text>'
        note = "Values and windows (alpha, beta) are for the side to move; the thick line gave the value."
        if self.left_out:
            before = sum(start.visits for start in self.tree.passes[: self.left_out])
            note += f" Passes before these: {self.left_out}, with {before:,} nodes."
        yield f'<text x="{MARGIN}" y="56" fill="#6b7280">{note}</text>'
        seen = {WHY[number] for number in set(self.tree.columns["why"].tolist())}
        for place, style in enumerate(style for name, style in STYLES.items() if name in seen):
            x, y = MARGIN + LEGEND * (place % 3), 74 + 20 * (place // 3)
            yield (
                f'<rect x="{x}" y="{y}" width="14" height="12" rx="3" fill="{style.paper}" stroke="{style.ink}"/>'
                f'<rect x="{x}" y="{y}" width="4" height="12" rx="2" fill="{style.ink}"/>'
                f'<text x="{x + 20}" y="{y + 10}">{style.about}</text>'
            )


def _edge(x: float, y: float, to: float) -> str:
    bend = GAP * 0.55
    return f'<path d="M{x:g},{y:g} C{x + bend:g},{y:g} {x + GAP - bend:g},{to:g} {x + GAP:g},{to:g}"/>'


def _words(at: Sketched, name: str) -> str:
    node = at.node
    alpha, beta = node.window_out
    return (
        f"{name}: {node.why}, depth {node.depth}, window ({score_text(node.alpha)}, {score_text(node.beta)}) in, "
        f"({score_text(alpha)}, {score_text(beta)}) out, value {score_text(node.value)}, {node.visits:,} nodes"
    )
