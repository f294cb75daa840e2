"""The ladder of search algorithms, from minimax to MTD(f): to run, compare and watch."""

from __future__ import annotations

from damier.search.export import export
from damier.search.ladder import ALGORITHMS, EXACT, ORDERINGS, LadderResult, Options, compare, ladder
from damier.search.tree import Node, Tree, trace

__all__ = [
    "ALGORITHMS",
    "EXACT",
    "ORDERINGS",
    "LadderResult",
    "Node",
    "Options",
    "Tree",
    "compare",
    "export",
    "ladder",
    "trace",
]
