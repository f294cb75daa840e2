"""A game as a tree: the moves played, with variations, comments and glyphs. The same for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast

from damier import games, loa
from damier.games import Board, Move
from damier.records.errors import RecordError, shown

__all__ = ["RESULTS", "Game", "Node"]

# White first; 0-0 is a game that both lost, * one that goes on or whose end is unknown.
RESULTS = ("1-0", "0-1", "1/2-1/2", "0-0", "*")


class Node:
    """A move and what follows it: `variations[0]` continues the main line, the others are alternatives.

    `comment` comes after the move, `before` in front of it (files keep the latter only where a variation begins);
    `nags` are glyphs, 1 to 6 being ! ? !! ?? !? ?!. `properties` holds SGF properties that have no field here.

    >>> root = Node()
    >>> root.add(loa.Board().parse("b1-b3"), comment="solid", nags=(1,))
    <Node b1-b3, no reply>
    >>> root
    <Node start, 1 reply>
    """

    __slots__ = ("before", "comment", "move", "nags", "properties", "variations")

    def __init__(
        self, move: Move | None = None, *, comment: str = "", before: str = "", nags: tuple[int, ...] = ()
    ) -> None:
        self.move = move
        self.comment = comment
        self.before = before
        self.nags = nags
        self.variations: list[Node] = []
        self.properties: dict[str, list[str]] | None = None

    @property
    def played(self) -> Move:
        """The move of a node that is not the root."""
        assert self.move is not None
        return self.move

    def add(self, move: Move, *, comment: str = "", before: str = "", nags: tuple[int, ...] = ()) -> Node:
        """Append a variation and return its node; legality is checked when the game is written."""
        child = Node(move, comment=comment, before=before, nags=nags)
        self.variations.append(child)
        return child

    def mainline(self) -> Iterator[Node]:
        """The nodes that follow, along the first variations."""
        node = self
        while node.variations:
            node = node.variations[0]
            yield node

    def remark(self, comment: str) -> None:
        """Add to the comment after the move."""
        self.comment = f"{self.comment} {comment}".strip()

    def __eq__(self, other: object) -> bool:
        """Whether two trees are the same, all the way down."""
        if not isinstance(other, Node):
            return NotImplemented
        pairs = [(self, other)]
        while pairs:
            a, b = pairs.pop()
            if not a._alike(b):
                return False
            pairs.extend(zip(a.variations, b.variations, strict=True))
        return True

    __hash__ = None  # type: ignore[assignment]  # a tree changes

    def __reduce__(self) -> tuple[Callable[[list[Row]], Node], tuple[list[Row]]]:
        """Copy and pickle the whole tree as a flat list: long games would exceed the recursion limit."""
        nodes = [(-1, self)]
        for index, (_, node) in enumerate(nodes):
            nodes.extend((index, child) for child in node.variations)
        return _grown, ([node._row(parent) for parent, node in nodes],)

    def _row(self, parent: int) -> Row:
        properties = self.properties and {name: list(values) for name, values in self.properties.items()}
        return parent, self.move, self.comment, self.before, self.nags, properties

    def _alike(self, other: Node) -> bool:
        return (
            self.move == other.move
            and self.comment == other.comment
            and self.before == other.before
            and self.nags == other.nags
            and (self.properties or {}) == (other.properties or {})
            and len(self.variations) == len(other.variations)
        )

    def __repr__(self) -> str:
        replies = len(self.variations)
        count = "no reply" if replies == 0 else "1 reply" if replies == 1 else f"{replies} replies"
        return f"<Node {'start' if self.move is None else self.move}, {count}>"


# A node without what follows it: the index of its parent (-1 for none), and its fields.
Row = tuple[int, Move | None, str, str, tuple[int, ...], dict[str, list[str]] | None]


def _grown(rows: list[Row]) -> Node:
    """The tree of a flat list, in which parents come before their children."""
    nodes: list[Node] = []
    for parent, move, comment, before, nags, properties in rows:
        node = Node(move, comment=comment, before=before, nags=nags)
        node.properties = properties
        if nodes:
            nodes[parent].variations.append(node)
        nodes.append(node)
    return nodes[0]


@dataclass(repr=False)
class Game:
    """A game: who played (`headers`), what (`variant`, from `fen` or the standard start), the moves and the result.

    Headers have their PGN names in every format (Event, Site, Date, Round, White, Black, ...); what other fields
    hold (Result, FEN, Variant, GameType) is not repeated there. `rules` holds the rules of Lines of Action that
    differ from the variant's.

    >>> game = Game("chess", headers={"White": "Anne", "Black": "Bob"})
    >>> game.add("e4 e5 Nf3")
    <Node g1f3, no reply>
    >>> game.add("c5", after=game.root.variations[0])
    <Node c7c5, no reply>
    >>> game
    <Game chess, Anne - Bob, 3 plies, *>
    >>> [board.san(move) for board, move in game.replay()]
    ['e4', 'e5', 'Nf3']
    """

    variant: str = "chess"
    fen: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    result: str = "*"
    root: Node = field(default_factory=Node)
    rules: loa.Rules = field(default_factory=loa.Rules)

    @classmethod
    def from_board(cls, board: Board, headers: Mapping[str, str] | None = None) -> Game:
        """The game played on a board, with the result if it is over.

        >>> board = games.board("loa5")
        >>> _ = board.play("c1-c3")
        >>> Game.from_board(board, {"Black": "Anne"})
        <Game loa5, ? - Anne, 1 ply, *>
        """
        start = board.start_fen()
        game = cls(board.variant, None if start == start_fen(board.variant) else start, dict(headers or {}))
        if isinstance(board, loa.Board):
            game.variant, game.rules = named_rules(board)
        node = game.root
        for move in board.moves:
            node = node.add(move)
        outcome = board.outcome()
        game.result = outcome.result if outcome else "*"
        return game

    def board(self, node: Node | None = None) -> Board:
        """The start position; with a node, the position after its move, history included."""
        board: Board
        if self.rules:
            board = loa.Board(self.fen, variant=self.variant, **self.rules)
        else:
            board = games.board(self.variant, self.fen)
        for step in self.path(node) if node else []:
            board.push(step.played)
        return board

    def walker(self) -> Any:
        """A board for writers to follow the moves: it knows the turn, move numbers and the text of moves."""
        return self.board()

    def mainline(self) -> Iterator[Node]:
        """The nodes of the game as it was played."""
        return self.root.mainline()

    def end(self) -> Node:
        """The last node of the main line, the root when nothing was played."""
        node = self.root
        for node in self.mainline():  # noqa: B007
            pass
        return node

    def replay(self) -> Iterator[tuple[Board, Move]]:
        """Replay the main line: each move with the board before it, the same board object throughout."""
        board = self.board()
        for node in self.mainline():
            assert node.move is not None
            yield board, node.move
            board.push(node.move)

    def add(self, moves: str | Move | Iterable[str | Move], *, after: Node | None = None) -> Node:
        """Play moves, texts or Moves, at the end of the main line or after a node; return the last node."""
        node = after or self.end()
        board = self.board(node)
        start = board.ply
        for move in moves.split() if isinstance(moves, str) else moves if isinstance(moves, Iterable) else [moves]:
            board.push(board.parse(move) if isinstance(move, str) else move)
        for move in board.moves[start:]:
            node = node.add(move)
        return node

    def path(self, node: Node) -> list[Node]:
        """The nodes that lead to a node, itself included and the root left out."""
        path: list[Node] = []
        rest = [(self.root, 0)]
        while rest:
            here, depth = rest.pop()
            path[depth:] = [here]
            if here is node:
                return path[1:]
            rest.extend((child, depth + 1) for child in reversed(here.variations))
        raise RecordError(f"{node!r} is not a node of {self!r}")

    def __repr__(self) -> str:
        plies = sum(1 for _ in self.mainline())
        players = f"{self.headers.get('White', '?')} - {self.headers.get('Black', '?')}"
        return f"<Game {self.variant}, {players}, {plies} {'ply' if plies == 1 else 'plies'}, {self.result}>"


@cache
def start_fen(variant: str) -> str:
    """Where games of a variant usually start."""
    return games.board(variant).fen()


def named_rules(board: loa.Board) -> tuple[str, loa.Rules]:
    """The variant whose rules a board of Lines of Action follows, or its plain variant and the articles that differ.

    >>> named_rules(loa.Board(variant="loa6", repetition=2))
    ('loa6:openspiel', {})
    >>> named_rules(loa.Board(repetition=2, no_move="passes"))
    ('loa', {'no_move': 'passes', 'repetition': 2})
    """
    size = board.variant.partition(":")[0]
    for name in loa.VARIANTS:
        _, colon, rules = name.partition(":")
        variant = size + colon + rules
        if rules_of(variant) == board.rules:
            return variant, loa.Rules()
    defaults = rules_of(size)
    own = {article: value for article, value in board.rules.items() if (article, value) not in defaults.items()}
    return size, cast(loa.Rules, own)


@cache
def rules_of(variant: str) -> loa.Rules:
    """The articles of a variant of Lines of Action."""
    return loa.Board(variant=variant).rules


def check_result(result: str) -> str:
    """A result in our form, or an error that lists the possible ones."""
    if result not in RESULTS:
        raise RecordError(f"{shown(result)} is not a result, expected one of {', '.join(RESULTS)}")
    return result
