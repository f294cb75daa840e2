"""A game while it is being read from movetext: where we are in the tree, and the board at that place."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache

from damier import games
from damier.board import Board
from damier.records.errors import RecordError, shown
from damier.records.source import Lines
from damier.records.tree import Game, Node, start_fen

__all__ = ["FIELDS", "MAX_DEPTH", "ROSTER", "Dialect", "Draft", "no_move"]

MAX_DEPTH = 100  # variations within variations
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
FIELDS = {"Result", "SetUp", "FEN", "Variant", "GameType"}  # tags that a Game holds as fields


@dataclass(frozen=True)
class Dialect:
    """What a format adds to tags and movetext.

    `token` cuts movetext, `plain` matches plain moves and numbers, all followed by blanks. `results` maps its results
    to ours. `variants` says which games the tags may mean, the most likely first: the first move decides between them.
    """

    token: re.Pattern[str]
    plain: re.Pattern[str]
    results: Mapping[str, str]
    variants: Callable[[Mapping[str, str]], tuple[str, ...]]


@dataclass(frozen=True)
class Branch:
    """What to come back to when a variation closes: the move it replaces, and the line where it was opened."""

    parent: Node
    node: Node
    ply: int
    line: int


class Draft:
    """Takes tags, moves, comments, glyphs and variations in the order of the text, and ends as a Game."""

    def __init__(self, lines: Lines, dialect: Dialect) -> None:
        self.lines = lines
        self.dialect = dialect
        self.tags: dict[str, str] = {}
        self.started = False  # whether movetext was met
        self._where: dict[str, int] = {}  # lines of the tags that are fields
        self._variant = ""
        self._board: Board | None = None  # once the first move comes
        self._result = "*"
        self._root = Node()
        self._node = self._root  # the last move of the present line
        self._parent: Node | None = None  # its parent; None before the first move of a line
        self._branches: list[Branch] = []
        self._before = ""  # what was said before the first move of a variation
        self._nags: tuple[int, ...] = ()

    def is_empty(self) -> bool:
        """Whether it has neither tags nor moves yet."""
        return not self.tags and not self._root.variations

    def tag(self, name: str, value: str) -> None:
        if name in FIELDS:
            self._where[name] = self.lines.number
        self.tags[name] = value

    def moves(self, texts: list[str]) -> None:
        """Play moves, at least one."""
        board = self._board or self._set_up(texts[0])
        play, node, parent = board.play, self._node, self._parent
        try:
            for text in texts:
                parent, node = node, Node(play(text))
                parent.variations.append(node)
        except ValueError as error:
            raise no_move(board, self._variant, text, error) from None
        if self._before or self._nags:
            first = self._node.variations[-1]
            first.before, first.nags = self._before, self._nags
            self._before, self._nags = "", ()
        self._node, self._parent = node, parent

    def comment(self, text: str) -> None:
        self.started = True
        words = " ".join(text.split())
        if self._parent is None and self._branches:
            self._before = f"{self._before} {words}".strip()
        else:
            self._node.remark(words)

    def nag(self, number: int) -> None:
        if self._parent is None:
            self._nags += (number,)
        else:
            self._node.nags += (number,)

    def open(self) -> None:
        """Begin a variation: an alternative to the last move."""
        if self._parent is None:
            raise RecordError("'(' opens a variation before any move, expected a move to vary first")
        if len(self._branches) == MAX_DEPTH:
            raise RecordError(f"variations are nested too deeply, expected at most {MAX_DEPTH} levels")
        assert self._board is not None
        self._branches.append(Branch(self._parent, self._node, self._board.ply, self.lines.number))
        self._board.pop()
        self._node, self._parent = self._parent, None

    def close(self) -> None:
        """End a variation and go back to the move it replaced."""
        if not self._branches:
            raise RecordError("')' closes no variation, expected '(' before it")
        assert self._board is not None
        branch = self._branches.pop()
        while self._board.ply >= branch.ply:
            self._board.pop()
        self._board.push(branch.node.played)
        branch.node.remark(self._before)  # from a variation without a move
        self._node, self._parent = branch.node, branch.parent
        self._before, self._nags = "", ()

    def end(self, result: str) -> bool:
        """Take a result; whether it ends the game (it says nothing within a variation)."""
        if not self._branches:
            self._result = self.dialect.results[result]
        return not self._branches

    def finish(self) -> Game:
        """The game that was read; a proper Result tag has the last word on the result."""
        if self._branches:
            raise RecordError("this variation is never closed, expected ')'", line=self._branches[-1].line)
        board = self._board or self._set_up(None)
        fen = board.start_fen() if "FEN" in self.tags else None
        result = self.dialect.results.get(self.tags.get("Result", "*"), "*")
        return Game(
            self._variant,
            None if fen == start_fen(self._variant) else fen,
            {k: v for k, v in self.tags.items() if k not in FIELDS and v != ROSTER.get(k)},
            self._result if result == "*" else result,
            self._root,
        )

    def _set_up(self, first_move: str | None) -> Board:
        """Choose the variant and set up its board, with the first move as a hint."""
        self.started = True
        boards = []
        for variant in self._variants():
            try:
                board = self._start(variant)
            except ValueError as error:
                failure = RecordError(f"{error} (in the FEN tag)", line=self._where.get("FEN", 0))
                continue
            if first_move is None or reads(board, first_move):
                break
            boards.append((variant, board))
        else:
            if not boards:
                raise failure
            variant, board = boards[0]
        self._variant, self._board = variant, board
        return board

    def _variants(self) -> tuple[str, ...]:
        try:
            return self.dialect.variants(self.tags)
        except RecordError as error:
            raise error.at("", self._where.get("GameType", self._where.get("Variant", 0))) from None

    def _start(self, variant: str) -> Board:
        fen = self.tags.get("FEN")
        return start_board(variant).copy() if fen is None else games.board(variant, fen)


@cache
def start_board(variant: str) -> Board:
    return games.board(variant)


def reads(board: Board, text: str) -> bool:
    """Whether a text is a move on this board."""
    try:
        board.parse(text)
    except ValueError:
        return False
    return True


def no_move(board: Board, variant: str, text: str, error: ValueError) -> RecordError:
    """The error for a text that is not a move: the moves it may mean if it is ambiguous, else some legal moves."""
    if " ambiguous" in str(error) or " fits " in str(error):  # as draughts and chess say it
        return RecordError(str(error))
    moves = [board.text(move) for move in board.legal_moves]
    if not moves:
        return RecordError(f"{shown(text)} is not a legal {variant} move here: the game is over, expected a result")
    some = ", ".join(moves[:4]) + (", ..." if len(moves) > 4 else "")
    return RecordError(f"{shown(text)} is not a legal {variant} move here, expected one of {some}")
