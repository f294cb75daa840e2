"""The part of a large tree that is drawn: some children of each node, and how many more there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from damier.textbook.tree import Node, Tree

__all__ = ["Sketched", "sketch"]

WIDEST = 1000  # families are not drawn wider


@dataclass
class Sketched:
    """A node that is drawn, those drawn below it, and what is left out there."""

    node: Node
    is_best: bool  # on the line from the root that gave the value
    children: list[Sketched] = field(default_factory=list)
    more_moves: int = 0  # children that are not drawn
    more_nodes: int = 0  # all visits that are not drawn, below this node and no drawn child


def sketch(tree: Tree, most: int) -> tuple[list[Sketched], int]:
    """As many children as `most` nodes allow: the same number everywhere, then more near the root.

    The child that gave a node its value is always among them. Returns the last passes, and how many came before them.

    >>> from damier import loa, textbook
    >>> passes, left_out = sketch(textbook.trace(loa.Board(), "minimax", depth=2), 100)
    >>> len(passes), left_out, len(passes[0].children), passes[0].more_moves
    (1, 0, 9, 27)
    """
    levels = int(tree.columns["ply"].max()) + 2  # the passes, then every ply
    widths = _widened(tree, [1] * levels, range(levels), most)
    for level in range(levels):
        widths = _widened(tree, widths, [level], most)
    return _drawn(tree, widths, most)


def _widened(tree: Tree, widths: list[int], levels: Collection[int], most: int) -> list[int]:
    """The widths of a picture with those of some levels as large as fits."""

    def with_width(width: int) -> list[int]:
        return [width if level in levels else before for level, before in enumerate(widths)]

    narrow, wide = 1, WIDEST
    while narrow < wide:
        middle = (narrow + wide + 1) // 2
        narrow, wide = (middle, wide) if _fits(tree, with_width(middle), most) else (narrow, middle - 1)
    return with_width(narrow)


def _fits(tree: Tree, widths: list[int], most: int) -> bool:
    room = most
    queue = deque(tree.passes[-widths[0] :])
    while queue:
        room -= 1
        if room < 0:
            return False
        node = queue.popleft()
        queue.extend(_chosen(node.children, best_child(node), widths[node.ply + 1]))
    return True


def _drawn(tree: Tree, widths: list[int], most: int) -> tuple[list[Sketched], int]:
    passes = tree.passes
    drawn = [Sketched(node, node == tree.root) for node in passes[-min(widths[0], most) :]]
    room = most - len(drawn)
    queue = deque(drawn)
    while queue:
        at = queue.popleft()
        best = best_child(at.node)
        children = list(at.node.children)
        chosen = _chosen(children, best, widths[at.node.ply + 1])[:room]
        room -= len(chosen)
        at.children = [Sketched(child, at.is_best and child == best) for child in chosen]
        at.more_moves = len(children) - len(chosen)
        at.more_nodes = sum(child.visits for child in children if child not in chosen) + at.node.unrecorded
        queue.extend(at.children)
    return drawn, len(passes) - len(drawn)


def _chosen(nodes: Iterable[Node], best: Node | None, width: int) -> list[Node]:
    """The first ones, with the best in place of the last if it would be missing."""
    nodes = list(nodes)
    chosen = nodes[:width]
    if best is not None and best not in chosen and chosen:
        chosen[-1] = best
    return chosen


def best_child(node: Node) -> Node | None:
    """The child that gave a node its value: the first with that value, or for mcts the most visited one."""
    if node.tree.result.algorithm == "mcts":
        return max(node.children, key=lambda child: child.visits, default=None)
    return next(
        (child for child in node.children if -child.value == node.value and child.why not in ("re-search", "stopped")),
        None,
    )
