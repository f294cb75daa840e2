"""Textbook search algorithms, from minimax to MTD(f): to run, compare and watch."""

from __future__ import annotations

from damier.textbook.algorithms import ALGORITHMS, EXACT, ORDERINGS, Options, compare, search
from damier.textbook.export import export
from damier.textbook.tree import Node, Tree, trace

__all__ = [
    "ALGORITHMS",
    "EXACT",
    "ORDERINGS",
    "Node",
    "Options",
    "Tree",
    "compare",
    "export",
    "search",
    "trace",
]
