"""Writing games as tags and movetext, which PGN and PDN share: strictly, in lines of less than 80 columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from damier import games
from damier._core import Side
from damier.board import Board
from damier.records.draft import FIELDS, MAX_DEPTH
from damier.records.errors import RecordError, shown
from damier.records.reading import LARGEST_NAG, TAG_NAME
from damier.records.tree import Game, Node, check_result

__all__ = ["CONTROL", "move_text", "wrapped", "written"]

WIDTH = 79
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # what a terminal would obey


def written(game: Game, roster: Mapping[str, str], fields: Mapping[str, str], result: str) -> str:
    """A game as text: the roster's tags (with its values for the unknown), the fields, other headers, the moves."""
    known = {name: game.headers.get(name, unknown) for name, unknown in roster.items()}
    others = {name: value for name, value in game.headers.items() if name not in known and name not in FIELDS}
    tags = known | dict(fields) | others
    check_result(game.result)
    movetext = Movetext(game)
    movetext.comment(game.root.comment)
    movetext.line(game.root)
    return "".join(tag(*item) for item in tags.items()) + "\n" + wrapped([*movetext.words, result])


def tag(name: str, value: str) -> str:
    """A line of the tag section.

    >>> tag("Event", 'The "big" one')
    '[Event "The \\\\"big\\\\" one"]\\n'
    """
    if not re.fullmatch(TAG_NAME, name):
        raise RecordError(f"{shown(name)} is not a tag name, expected letters, digits and _")
    value = CONTROL.sub("?", re.sub(r"[\r\n]", " ", str(value)))
    value = re.sub(r'(["\\])', r"\\\1", value)
    return f'[{name} "{value}"]\n'


class Movetext:
    """The words of a game, from its tree and a board that follows it."""

    def __init__(self, game: Game) -> None:
        self.words: list[str] = []
        self._variant = game.variant
        self._board = game.walker()
        self._numbered = True  # whether the next move needs its number, whoever plays it
        self._prefix = ""  # parentheses that wait for the word they stand before
        self._depth = 0

    def line(self, node: Node) -> None:
        """What follows a node: the main line, with the variations behind the move they replace."""
        played = 0
        while node.variations:
            main, *others = node.variations
            self._move(main)
            for other in others:
                self._variation(other)
            self._board.push(main.move)
            played += 1
            node = main
        for _ in range(played):
            self._board.pop()

    def comment(self, text: str) -> None:
        """A comment, word by word; the brace that would end it too early becomes a parenthesis."""
        words = text.replace("}", ")").split()
        if words:
            self._add("{" + words[0])
            self.words.extend(words[1:])
            self.words[-1] += "}"
            self._numbered = True

    def _move(self, node: Node) -> None:
        self.comment(node.before)
        board = self._board
        text = move_text(board, self._variant, node)
        if board.turn == first_side(self._variant):
            self._add(f"{board.move_number}.")
        elif self._numbered:
            self._add(f"{board.move_number}...")
        self._add(text)
        for nag in node.nags:
            if not 0 <= nag <= LARGEST_NAG:
                raise RecordError(f"glyph ${nag} of {node.move}: expected $0 to ${LARGEST_NAG}")
            self.words.append(f"${nag}")
        self._numbered = False
        self.comment(node.comment)

    def _variation(self, node: Node) -> None:
        if self._depth == MAX_DEPTH:
            raise RecordError(f"variations are nested too deeply, expected at most {MAX_DEPTH} levels")
        self._depth += 1
        self._prefix += "("
        self._numbered = True
        self._move(node)
        self._board.push(node.move)
        self.line(node)
        self._board.pop()
        self.words[-1] += ")"
        self._numbered = True
        self._depth -= 1

    def _add(self, word: str) -> None:
        self.words.append(self._prefix + word)
        self._prefix = ""


def move_text(board: Board, variant: str, node: Node) -> str:
    """A node's move in the notation of its game; it must be legal on the board."""
    try:
        if node.move is not None and board.is_legal(node.move):
            return board.text(node.move)
    except TypeError:
        pass  # a move of another game
    raise RecordError(f"{node.move} is not a legal {variant} move in {board.fen()}")


def wrapped(words: Iterable[str], blank: str = " ") -> str:
    """Words in lines as long as allowed; none begins with %, which would escape it.

    >>> wrapped(["1.", "e4", "*"])
    '1. e4 *\\n'
    """
    lines: list[str] = []
    line = ""
    for word in words:
        if line and len(line) + len(blank) + len(word) > WIDTH:
            lines.append(line + "\n")
            line = ""
        line = line + blank + word if line or word.startswith("%") else word
    return "".join([*lines, line, "\n"])


@cache
def first_side(variant: str) -> Side:
    """The side that moves first, whose moves are numbered."""
    return games.board(variant).turn
