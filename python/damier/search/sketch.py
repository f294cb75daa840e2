"""What is drawn of a tree too large to be drawn whole: some children of each node, and how many more there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from damier.search.tree import Node, Tree

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
    """The passes of a tree with the same number of children everywhere, as many as `most` nodes allow.

    The child that gave a node its value is always among them. Returns the last passes, and how many came before.

    >>> from damier import loa, search
    >>> passes, left_out = sketch(search.trace(loa.Board(), "minimax", depth=2), 100)
    >>> len(passes), left_out, len(passes[0].children), passes[0].more_moves
    (1, 0, 9, 27)
    """
    narrow, wide = 1, WIDEST
    while narrow < wide:
        middle = (narrow + wide + 1) // 2
        narrow, wide = (middle, wide) if _fits(tree, middle, most) else (narrow, middle - 1)
    return _drawn(tree, narrow, most)


def _fits(tree: Tree, width: int, most: int) -> bool:
    room = most
    queue = deque(tree.passes[-width:])
    while queue:
        room -= 1
        if room < 0:
            return False
        node = queue.popleft()
        queue.extend(_chosen(node.children, best_child(node), width))
    return True


def _drawn(tree: Tree, width: int, most: int) -> tuple[list[Sketched], int]:
    passes = tree.passes
    drawn = [Sketched(node, node == tree.root) for node in passes[-min(width, most) :]]
    room = most - len(drawn)
    queue = deque(drawn)
    while queue:
        at = queue.popleft()
        best = best_child(at.node)
        children = list(at.node.children)
        chosen = _chosen(children, best, width)[:room]
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
    """The child that gave a node its value: the first that is worth it, the most tried one for mcts."""
    if node.tree.result.algorithm == "mcts":
        return max(node.children, key=lambda child: child.visits, default=None)
    return next(
        (child for child in node.children if -child.value == node.value and child.why not in ("re-search", "stopped")),
        None,
    )
