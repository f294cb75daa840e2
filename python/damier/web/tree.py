"""The moves of a game as a tree in memory; each is a row of the database, so that a change is a few rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypedDict, Unpack

from damier._core import DamierError
from damier.board import Board
from damier.files import JsonObject
from damier.records import Game as Record
from damier.records import Node
from damier.storage.database.saved import SavedMove
from damier.web.errors import RefusedError
from damier.web.messages import NewNode
from damier.web.state import TreeNode

__all__ = ["START", "MoveTree"]

START = 0  # the id of the place before the first move


class Remarks(TypedDict, total=False):
    """What is known of a move besides itself, as a row holds it."""

    comment: str
    before: str
    nags: list[int]
    score: JsonObject | None
    seconds: float | None
    ending: JsonObject | None


class Changes(Remarks, total=False):
    """What may change in the row of a move."""

    move: str
    place: int


class MoveTree:
    """Moves by id, with what follows each in order: the first continues the main line.

    >>> tree = MoveTree()
    >>> first = tree.add(START, "e2e4", "e4")
    >>> other = tree.add(START, "d2d4", "d4", comment="solid")
    >>> tree.main_line(), [move.move for move in tree.path(other.id)]
    ([1], ['d2d4'])
    """

    def __init__(self) -> None:
        self.moves: dict[int, SavedMove] = {}
        self.sans: dict[int, str] = {}
        self.children: dict[int, list[int]] = {START: []}
        self.next_id = 1
        self._shown: dict[int, tuple[SavedMove, TreeNode]] = {}  # nodes as pages saw them last

    @classmethod
    def grown(cls, rows: Iterable[SavedMove], board: Board, next_id: int) -> MoveTree:
        """The tree of rows; the board, at the start, is played through all of it to get the notation of moves."""
        tree = cls()
        for row in sorted(rows, key=lambda row: row.place):
            tree.moves[row.id] = row
            tree.children.setdefault(row.parent, []).append(row.id)
            tree.children.setdefault(row.id, [])
        tree.next_id = max([next_id, *(id + 1 for id in tree.moves)])
        walker = board.copy()
        for id, depth in tree._walk():
            while walker.ply - board.ply > depth:
                walker.pop()
            move = walker.parse(tree.moves[id].move)
            if tree.moves[id].move != str(move):
                tree.change(id, move=str(move))
            tree.sans[id] = walker.text(move)
            walker.push(move)
        return tree

    @classmethod
    def of_record(cls, record: Record, limit: int) -> MoveTree:
        """The tree of a game that was read from a file."""
        tree = cls()
        board = record.board()
        start = board.ply
        rest = [(node, START, 0) for node in reversed(record.root.variations)]
        while rest:
            node, parent, depth = rest.pop()
            if len(tree.moves) >= limit:
                raise RefusedError("too_large", f"the game has more than {limit} moves in its tree", detail="tree")
            while board.ply - start > depth:
                board.pop()
            about: Remarks = {"comment": node.comment, "before": node.before, "nags": list(node.nags)}
            added = tree.add(parent, str(node.move), board.text(node.played), **about)
            board.push(node.played)
            rest.extend((child, added.id, depth + 1) for child in reversed(node.variations))
        return tree

    @classmethod
    def sent(cls, nodes: Sequence[NewNode], board: Board) -> MoveTree:
        """The tree that a page has sent, each move after its parent; the board is at the start."""
        places: Counter[int] = Counter()
        rows = []
        for id, node in enumerate(nodes, 1):
            nags = [node.glyph] if node.glyph else []
            rows.append(SavedMove(id, node.parent, places[node.parent], node.move, comment=node.comment, nags=nags))
            places[node.parent] += 1
        if any(row.parent >= row.id for row in rows):
            raise RefusedError("malformed", "tree: a move comes before its parent")
        try:
            tree = cls.grown(rows, board, 1)
        except DamierError as error:
            raise RefusedError("illegal_move", str(error)) from None
        if len({(row.parent, row.move) for row in tree.moves.values()}) < len(rows):
            raise RefusedError("malformed", "tree: a move is there twice")
        return tree

    def copy(self) -> MoveTree:
        """A copy that may be changed while this tree stays the same."""
        twin = MoveTree()
        twin.moves, twin.sans, twin.next_id = dict(self.moves), dict(self.sans), self.next_id
        twin._shown = dict(self._shown)
        twin.children = dict(self.children)  # whose lists are replaced, never changed
        return twin

    def __contains__(self, id: int) -> bool:
        return id == START or id in self.moves

    def find(self, parent: int, move: str) -> SavedMove | None:
        """The move after a node, if it is there already."""
        return next((self.moves[id] for id in self.children[parent] if self.moves[id].move == move), None)

    def add(self, parent: int, move: str, san: str, **about: Unpack[Remarks]) -> SavedMove:
        """Add a move after a node, behind those that are there."""
        row = SavedMove(self.next_id, parent, len(self.children[parent]), move, **about)
        self.moves[row.id], self.sans[row.id] = row, san
        self.children[parent] = [*self.children[parent], row.id]
        self.children[row.id] = []
        self.next_id += 1
        return row

    def change(self, id: int, **about: Unpack[Changes]) -> SavedMove:
        """Change the comment or the glyph of a move."""
        self.moves[id] = replace(self.moves[id], **about)
        return self.moves[id]

    def promote(self, id: int) -> list[SavedMove]:
        """Make the line of a move the main line; return the changed rows."""
        changed = []
        for move in self.path(id):
            siblings = self.children[move.parent]
            if siblings[0] != move.id:
                ordered = self.children[move.parent] = [move.id, *(each for each in siblings if each != move.id)]
                changed += [self.change(each, place=place) for place, each in enumerate(ordered)]
        return changed

    def remove(self, id: int) -> list[int]:
        """Remove a move and all that follows it; return their ids."""
        gone = [id]
        for each in gone:
            gone += self.children[each]
        parent = self.moves[id].parent
        self.children[parent] = [each for each in self.children[parent] if each != id]
        for each in gone:
            del self.moves[each], self.sans[each], self.children[each]
            self._shown.pop(each, None)
        return gone

    def path(self, id: int) -> list[SavedMove]:
        """The moves that lead to a node."""
        path = []
        while id != START:
            path.append(self.moves[id])
            id = self.moves[id].parent
        return path[::-1]

    def main_line(self, id: int = START) -> list[int]:
        """The ids that follow a node along the first moves."""
        line: list[int] = []
        while self.children[id]:
            id = self.children[id][0]
            line.append(id)
        return line

    def nodes(self) -> list[TreeNode]:
        """The whole tree as pages see it, each node after its parent and its elder siblings."""
        nodes = [TreeNode(id=START, parent=None, move=None, san=None, ply=0)]
        rest = self.children[START][::-1]
        while rest:  # written out, as a large tree is told after every move
            id = rest.pop()
            row, node = self._shown.get(id, (None, None))
            nodes.append(node if node is not None and row is self.moves[id] else self._node(id))
            rest += self.children[id][::-1]
        return nodes

    def changes(self, before: MoveTree) -> tuple[list[TreeNode], dict[int, list[int]]]:
        """Nodes that are new or differ from a copied state of the tree, and nodes whose children do."""
        nodes = [self._node(id) for id, row in self.moves.items() if before.moves.get(id) is not row]
        children = {id: ids for id, ids in self.children.items() if before.children.get(id, []) != ids}
        return nodes, children

    def _node(self, id: int) -> TreeNode:
        row = self.moves[id]
        ply = self._shown[row.parent][1].ply + 1 if row.parent in self._shown else len(self.path(id))
        node = TreeNode.model_validate(
            {
                "id": id,
                "parent": row.parent,
                "move": row.move,
                "san": self.sans[id],
                "ply": ply,
                "comment": " ".join(filter(None, (row.before, row.comment))),
                "glyph": next((nag for nag in row.nags if 1 <= nag <= 6), None),
                "score": row.score,
                "seconds": row.seconds,
                "ending": row.ending,
            }
        )
        self._shown[id] = row, node
        return node

    def into(self, record: Record) -> None:
        """Write the tree into a record."""
        nodes: dict[int, Node] = {START: record.root}
        board = record.board()
        start = board.ply
        for id, depth in self._walk():
            row = self.moves[id]
            while board.ply - start > depth:
                board.pop()
            move = board.parse(row.move)
            board.push(move)
            nags = tuple(row.nags)
            nodes[id] = nodes[row.parent].add(move, comment=row.comment, before=row.before, nags=nags)

    def _walk(self) -> Iterator[tuple[int, int]]:
        """Every move and how many precede it, parents first and variations one after the other."""
        rest = [(id, 0) for id in reversed(self.children[START])]
        while rest:
            id, depth = rest.pop()
            yield id, depth
            rest.extend((child, depth + 1) for child in reversed(self.children[id]))
