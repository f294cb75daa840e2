"""The tree of a search, recorded in columns and walked node by node, lazily."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from damier._core import DamierError, textbook
from damier.board import Board, Move
from damier.engine.result import SearchResult
from damier.textbook.algorithms import Options, search_and_record

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ROLES", "WHY", "Node", "Tree", "trace"]

WHY = tuple(textbook.names()["why"])
ROLES = tuple(textbook.names()["role"])


class Tree:
    """A recorded search: `columns` are numpy arrays of one row per node, parents before children, seen in place.

    A search makes one pass or several (MTD(f), iterative deepening); each starts at a node without parent.
    `unrecorded` nodes were visited but not kept: `len(tree) + tree.unrecorded == tree.result.nodes`.
    """

    def __init__(self, board: Board, result: SearchResult, trace: textbook.Trace) -> None:
        self.board = board
        self.result = result
        self.columns: dict[str, NDArray[Any]] = trace.columns
        self._trace = trace

    def __len__(self) -> int:
        return len(self._trace)

    def __iter__(self) -> Iterator[Node]:
        return (Node(self, index) for index in range(len(self)))

    def __getitem__(self, index: int) -> Node:
        if not 0 <= index < len(self):
            raise IndexError(f"node {index} of {len(self)}")
        return Node(self, index)

    @property
    def passes(self) -> list[Node]:
        """Where each pass starts."""
        return [Node(self, int(index)) for index in (self.columns["parent"] < 0).nonzero()[0]]

    @property
    def root(self) -> Node:
        """Where the last pass starts, which gave the value."""
        return self.passes[-1]

    @property
    def unrecorded(self) -> int:
        """How many nodes were visited but not kept."""
        return int(self.columns["unrecorded"].sum()) + int(self._trace.outside)

    def __repr__(self) -> str:
        return f"<Tree of {self.result.algorithm}: {len(self)} nodes and {self.unrecorded} more>"


@dataclass(frozen=True)
class Node:
    """A visit to a position: the window it came with, the value it left with, and why it ended.

    Scores are for the side to move. `why` is one of searched, leaf, cut, table, terminal, re-search (made again
    with another window) and stopped; `role` says what led here: root, move, null or quiescence.
    """

    tree: Tree
    index: int

    def _of(self, column: str) -> int:
        return int(self.tree.columns[column][self.index])

    @property
    def parent(self) -> Node | None:
        above = self._of("parent")
        return None if above < 0 else Node(self.tree, above)

    @property
    def children(self) -> Iterator[Node]:
        """The nodes right below, in the order they were visited."""
        at, end = self.index + 1, self._of("end")
        while at < end:
            yield Node(self.tree, at)
            at = int(self.tree.columns["end"][at])

    @property
    def move(self) -> Move | None:
        """The move that led here, None at a root and after a null move."""
        return self.tree._trace.move(self.index) if self.role in ("move", "quiescence") else None

    @property
    def text(self) -> str:
        """The move in standard notation; `pass` for a null move, nothing at a root."""
        return str(self.tree._trace.text(self.index))

    @property
    def ply(self) -> int:
        return self._of("ply")

    @property
    def depth(self) -> int:
        return self._of("depth")

    @property
    def alpha(self) -> int:
        return self._of("alpha")

    @property
    def beta(self) -> int:
        return self._of("beta")

    @property
    def window_out(self) -> tuple[int, int]:
        """The window when the visit ended."""
        return self._of("alpha_out"), self._of("beta_out")

    @property
    def value(self) -> int:
        return self._of("value")

    @property
    def why(self) -> str:
        return WHY[self._of("why")]

    @property
    def role(self) -> str:
        return ROLES[self._of("role")]

    @property
    def visits(self) -> int:
        """Nodes here and below, kept or not; for mcts the simulations that came through."""
        return self._of("visits")

    @property
    def unrecorded(self) -> int:
        """Nodes below that were not kept and belong to no child."""
        return self._of("unrecorded")

    def __repr__(self) -> str:
        return f"<Node {self.text or 'root'}: {self.value} in ({self.alpha}, {self.beta}), {self.why}>"


def trace(
    board: Board, algorithm: str = "alphabeta", *, depth: int = 3, cap: int = 100_000, **options: Unpack[Options]
) -> Tree:
    """Search a position and record the tree, at most `cap` nodes from the root on; the rest are counted.

    >>> from damier import loa
    >>> tree = trace(loa.Board(), "alphabeta", depth=3, cap=500)
    >>> len(tree) <= 500, len(tree) + tree.unrecorded == tree.result.nodes
    (True, True)
    >>> [node.why for node in tree.passes], next(tree.root.children).alpha
    (['searched'], -32001)
    """
    if cap < 1:
        raise DamierError(f"cap is {cap}, expected 1 or more")
    result, recorded = search_and_record(board, algorithm, depth, cap, **options)
    assert recorded is not None
    return Tree(board.copy(), result, recorded)
