"""Writing games of Lines of Action as nodes of SGF."""

from __future__ import annotations

import re
from collections.abc import Iterator

from damier import loa
from damier._core import Side
from damier.board import Board
from damier.records.errors import RecordError, shown
from damier.records.reading import TAG_NAME
from damier.records.sgf.reading import ENDED, HEADERS, NAGS, OTHERS, read_result, result_text
from damier.records.sgf.syntax import MAX_DEPTH, escaped, property_text
from damier.records.tree import Game, Node, check_result, rules_of
from damier.records.writing import CONTROL, move_text, wrapped

__all__ = ["text"]

GLYPHS = {nag: (name, value) for name, values in NAGS.items() for value, nag in values.items()}


def text(game: Game) -> str:
    """A game of Lines of Action in SGF.

    >>> game = Game("loa6", headers={"Black": "Anne"})
    >>> _ = game.add("b1-b3 a2-c2")
    >>> print(text(game), end="")
    (;FF[4]GM[9]CA[UTF-8]AP[damier]SZ[6]PB[Anne]
    RU[simultaneous mover wins; no move loses; repetition 3]
    ;B[b1-b3];W[a2-c2])
    """
    board = game.board()
    if not isinstance(board, loa.Board):
        raise RecordError(f"a game of {game.variant} cannot be written as SGF, expected Lines of Action")
    start = [property_text(name, values) for name, values in start_properties(game, board)]
    return wrapped(["(;FF[4]GM[9]CA[UTF-8]AP[damier]", *start], "") + wrapped([*nodes(game, game.walker()), ")"], "")


def start_properties(game: Game, board: loa.Board) -> Iterator[tuple[str, list[str]]]:
    """What the first node says: the board, the players, the result, the rules."""
    yield "SZ", [str(max(rank for _, _, rank in board.squares) + 1)]
    if game.fen:
        yield "SU", ["Custom"]
        for name, letter in (("AB", "x"), ("AW", "o")):
            yield name, [square for square, piece in board.pieces().items() if piece == letter]
        yield "PL", ["B" if board.turn == Side.BLACK else "W"]
    for name, header in HEADERS.items():
        if header in game.headers:
            yield name, [escaped(one_line(game.headers[header]))]
    ending = one_line(game.headers.get("Termination", ""))
    result = game.headers.get("RE", "?")
    if read_result(result) != check_result(game.result):
        result = result_text(game.result, ending)
    if result != "?":
        yield "RE", [escaped(one_line(result))]
    yield "RU", [escaped(rules_text(game, board))]
    if ending:
        yield "GC", [escaped(ENDED + ending)]
    written = {*HEADERS.values(), "RE", "RU", "Termination"}
    others = {name: value for name, value in game.headers.items() if name not in written}
    if others:
        yield OTHERS, [escaped(other_header(*item)) for item in others.items()]
    yield from remarks(game.root)


def rules_text(game: Game, board: loa.Board) -> str:
    """The rules that differ, or what the record said about rules if they are the default ones."""
    if "RU" in game.headers and board.rules == rules_of(board.variant.partition(":")[0]):
        return one_line(game.headers["RU"])
    return "simultaneous {simultaneous}; no move {no_move}; repetition {repetition}".format(**board.rules)


def other_header(name: str, value: str) -> str:
    if not re.fullmatch(TAG_NAME, name):
        raise RecordError(f"{shown(name)} is not a header name, expected letters, digits and _")
    return f"{name} {one_line(value)}"


def one_line(value: str) -> str:
    """A header's value without control characters; a date as SGF writes it."""
    return re.sub(r"^(\d{4})\.(\d\d)\.(\d\d)$", r"\1-\2-\3", CONTROL.sub("?", " ".join(str(value).split())))


def nodes(game: Game, board: Board) -> Iterator[str]:
    """The nodes below the first one. What waits is a node, a parenthesis, or the ply to go back to when one closes."""
    depth = 1
    rest = continuation(game.root, 0)
    while rest:
        item = rest.pop()
        if isinstance(item, Node):
            yield node_text(board, game.variant, item)
            board.push(item.played)
            rest.extend(continuation(item, board.ply))
        elif isinstance(item, str):
            depth += 1
            if depth > MAX_DEPTH:
                raise RecordError(f"variations are nested too deeply, expected at most {MAX_DEPTH} levels")
            yield item
        else:
            depth -= 1
            while board.ply > item:
                board.pop()
            yield ")"


def continuation(node: Node, ply: int) -> list[Node | str | int]:
    """What comes after a node, last first: the next node, or each of several in parentheses."""
    if len(node.variations) == 1:
        return [node.variations[0]]
    return [item for child in reversed(node.variations) for item in (ply, child, "(")]


def node_text(board: Board, variant: str, node: Node) -> str:
    colour = "B" if board.turn == Side.BLACK else "W"
    move = move_text(board, variant, node).replace("x", ":")
    return f";{colour}[{move}]" + "".join(property_text(name, values) for name, values in remarks(node))


def remarks(node: Node) -> Iterator[tuple[str, list[str]]]:
    """Comments and glyphs of a node; one glyph has a property of SGF, the others have one of ours."""
    if len(node.nags) == 1 and node.nags[0] in GLYPHS:
        name, value = GLYPHS[node.nags[0]]
        yield name, [value]
    elif node.nags:
        yield "NAG", [str(nag) for nag in node.nags]
    comment = f"{node.before} {node.comment}".strip()
    if comment:
        yield "C", [escaped(comment)]
    for name, values in (node.properties or {}).items():
        if name not in ("B", "W", "C"):
            yield name, values
