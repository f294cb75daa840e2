"""How the nodes of a search are coloured and worded, the same in every picture."""

from __future__ import annotations

from dataclasses import dataclass

from damier._core import INFINITE
from damier.engine.score import Score
from damier.textbook.tree import Node, Tree

__all__ = ["STYLES", "Style", "heading", "score_text", "window_text"]


@dataclass(frozen=True)
class Style:
    """The colours of a node, and what they mean."""

    ink: str
    paper: str
    about: str


STYLES = {
    "searched": Style("#1f5fa8", "#e9f1fb", "searched: every move was tried"),
    "cut": Style("#d9480f", "#fff0e6", "cut: one move was enough"),
    "table": Style("#7a3fc4", "#f2eafc", "table: known from before"),
    "terminal": Style("#111827", "#e2e5ea", "terminal: the game is over"),
    "leaf": Style("#7b8494", "#f4f5f7", "leaf: judged by the evaluation"),
    "re-search": Style("#c69200", "#fff7d6", "re-search: made again, window too small"),
    "stopped": Style("#b0b7c3", "#fafafa", "stopped"),
}


def score_text(value: int) -> str:
    """A score in readable form.

    >>> [score_text(value) for value in (35, -120, 31997, -32001)]
    ['+0.35', '-1.20', '#2', '-∞']
    """
    if abs(value) >= INFINITE:
        return "∞" if value > 0 else "-∞"
    return str(Score(value))


def window_text(node: Node) -> str:
    """The window a visit came with; for mcts the simulations instead."""
    if node.tree.result.algorithm == "mcts":
        return f"{node.visits:,} simulations" if node.visits > 1 else "1 simulation"
    return f"({score_text(node.alpha)}, {score_text(node.beta)})"


def heading(tree: Tree) -> str:
    """What was searched and found, in one line."""
    result = tree.result
    best = f", best {tree.board.text(result.move)}" if result.move is not None else ""
    depth = f", depth {result.depth}" if result.algorithm != "mcts" else ""
    value = score_text(result.score.value)
    return f"{result.algorithm} on {tree.board.variant}{depth}: value {value}{best}, {result.nodes:,} nodes"
