"""The text of Hub, read and written: lines, positions, moves, `level` and `info`.

A line is a command and its arguments `name=value`; a value may be quoted, a flag has none. A position is the side to
move and one letter per square, in the order of the board's squares: 51 letters for international draughts, 33 for most
8x8 games. A move names squares by their number in that order: 32-28, and for a capture the ends and then the squares of
the captured pieces: 28x19x23.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from damier import draughts, games
from damier._core import DamierError, FenError, MoveError, Side
from damier.board import Board, Move
from damier.engine import Limit, SearchResult
from damier.games import line_of
from damier.protocols.scores import format_men, parse_men

__all__ = [
    "VARIANTS",
    "Args",
    "format_info",
    "format_levels",
    "format_line",
    "format_move",
    "format_position",
    "parse_info",
    "parse_level",
    "parse_line",
    "parse_move",
    "parse_number",
    "parse_position",
]

Args = Mapping[str, str]
ARGUMENT = re.compile(r'\s*(?P<name>[^\s="]+)(?:\s*=\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s="]+)))?')
LARGEST = 10**15
COUNTS = ("depth", "nodes")
# Hub's name of each variant; Scan knows the first two.
VARIANTS = {"normal": "international", "frisian": "frisian"} | {
    name: name for name in draughts.VARIANTS if name not in ("international", "frisian")
}

# Lines


def parse_line(line: str) -> tuple[str, Args]:
    """The command of a line, "" for an empty one, and its arguments; DamierError if it cannot be read.

    >>> parse_line('pos pos=Wbe moves="32-28 19-23"')
    ('pos', {'pos': 'Wbe', 'moves': '32-28 19-23'})
    >>> parse_line("level infinite")
    ('level', {'infinite': ''})
    """
    line = line.strip()
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(line):
        pair = ARGUMENT.match(line, at)
        if not pair:
            raise DamierError(f"expected name=value, with closed quotes, at {line[at : at + 40]!r}")
        pairs.append((pair["name"], pair["quoted"] or pair["plain"] or ""))
        at = pair.end()
    if pairs and pairs[0][1]:
        raise DamierError(f"expected a command, not {line[:40]!r}")
    return (pairs[0][0], dict(pairs[1:])) if pairs else ("", {})


def format_line(command: str, **args: object) -> str:
    """A line of Hub; an underscore in a name becomes a hyphen, and arguments that are None are left out.

    >>> format_line("done", move="32-28", ponder=None)
    'done move=32-28'
    >>> format_line("error", message='no square "51"')
    'error message="no square \\'51\\'"'
    """
    given = {name.replace("_", "-"): value for name, value in args.items() if value is not None}
    return " ".join([command, *(f"{name}={_format_value(value)}" for name, value in given.items())])


def _format_value(value: object) -> str:
    text = " ".join(str(value).replace('"', "'").split())
    return text if re.fullmatch(r'[^\s="]+', text) else f'"{text}"'


Number = TypeVar("Number", int, float)


def parse_number(name: str, text: str, type: Callable[[str], Number]) -> Number:
    """A number of the type wanted and of reasonable size; DamierError says what was expected.

    >>> parse_number("depth", "9", int)
    9
    """
    try:
        number = type(text)
    except ValueError:
        raise DamierError(f"{name} is {text[:40]!r}, expected a number") from None
    if not -LARGEST <= number <= LARGEST:  # nor NaN
        raise DamierError(f"{name} is {text[:40]}, expected less")
    return number


# Positions and moves


def parse_position(variant: str, text: str) -> Board:
    """The board of a position string; FenError if it is not possible.

    >>> parse_position("international", "W" + 20 * "b" + 10 * "e" + 20 * "w") == games.board("international")
    True
    """
    names = list(_square_numbers(variant))
    if len(text) != 1 + len(names) or not re.fullmatch("[WB][wbWBe]+", text):
        raise FenError(
            f"position of {len(text)} letters: expected W or B for the side to move, then w, b, W, B or e"
            f" for each of the {len(names)} squares"
        )
    squares: dict[str, list[str]] = {"W": [], "B": []}
    for name, letter in zip(names, text[1:], strict=True):
        if letter != "e":
            squares[letter.upper()].append(f"K{name}" if letter.isupper() else name)
    fen = ":".join([text[0], *(side + ",".join(squares[side]) for side in "WB")])
    return games.board(variant, fen)


def format_position(board: Board) -> str:
    """A board as a position string.

    >>> format_position(games.board("international", "B:WK3:B45"))
    'BeeWeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeebeeeee'
    """
    squares = (board.piece(name) or "e" for name, _, _ in board.squares)
    return ("W" if board.turn == Side.WHITE else "B") + "".join(squares)


def format_move(board: Board, move: Move) -> str:
    """A move by its ends and what it captures.

    >>> board = games.board("international", "W:W28:B23,12")
    >>> format_move(board, board.parse("28x19"))
    '28x19x23'
    """
    start, end, captured = _numbers(board, move)
    return "x".join(map(str, (start, end, *captured))) if captured else f"{start}-{end}"


def parse_move(board: Board, text: str) -> Move:
    """The legal move of a Hub text; captured squares may be in any order, or missing if the move is unambiguous.

    >>> board = games.board("international", "W:W28:B23,12")
    >>> parse_move(board, "28x19") == parse_move(board, "28x19x23")
    True
    """
    if not re.fullmatch(r"\d{1,2}(-\d{1,2}|(x\d{1,2})+)", text, re.ASCII):
        raise MoveError(f"{text[:40]!r} is not a move, expected one such as 32-28 or 28x19x23")
    start, end, *captured = map(int, re.findall(r"\d+", text))
    found = []
    for move in board.legal_moves:
        its_start, its_end, its_captured = _numbers(board, move)
        same_ends = (start, end, "x" in text) == (its_start, its_end, bool(its_captured))
        if same_ends and (not captured or sorted(captured) == its_captured):
            found.append(move)
    if len(found) != 1:
        what = "is ambiguous" if found else "is illegal"
        raise MoveError(f"{text!r} {what} in {format_position(board)}")
    return found[0]


def _numbers(board: Board, move: Move) -> tuple[int, int, list[int]]:
    """The squares a move leaves, reaches and captures, counted from 1."""
    number = _square_numbers(board.variant)
    start, end = board.ends(move)
    return number[start], number[end], sorted(number[name] for name in move.captured)


@cache
def _square_numbers(variant: str) -> dict[str, int]:
    return {name: i for i, (name, _, _) in enumerate(games.board(variant).squares, 1)}


# Limits


def parse_level(args: Args, limit: Limit) -> Limit:
    """The limit after a `level` line, which adds to those before it.

    >>> parse_level({"time": "60", "inc": "0.5"}, Limit(depth=9)).white_clock
    60.0
    """
    known: dict[str, Any] = {"infinite": True} if "infinite" in args else {}
    if "depth" in args:
        known["depth"] = max(1, parse_number("depth", args["depth"], int))
    if "nodes" in args:
        known["nodes"] = max(1, parse_number("nodes", args["nodes"], int))
    if "move-time" in args:
        known["time"] = max(0.001, parse_number("move-time", args["move-time"], float))
    if "time" in args:
        known["white_clock"] = known["black_clock"] = max(0.001, parse_number("time", args["time"], float))
    if "inc" in args:
        known["white_inc"] = known["black_inc"] = max(0.0, parse_number("inc", args["inc"], float))
    if "moves" in args:
        moves = parse_number("moves", args["moves"], int)
        known["moves_to_go"] = moves if moves > 0 else None
    return limit.replace(**known)


def format_levels(limit: Limit, turn: Side) -> list[str]:
    """A limit as `level` lines; the clock is that of the side to move, minus the increment, which Hub adds to it.

    >>> format_levels(Limit(white_clock=60, white_inc=0.5, depth=9), Side.WHITE)
    ['level depth=9', 'level time=59.5 inc=0.5']
    """
    if limit.infinite:
        return ["level infinite"]
    lines = []
    if limit.depth is not None:
        lines.append(format_line("level", depth=limit.depth))
    if limit.nodes is not None:
        lines.append(format_line("level", nodes=limit.nodes))
    if limit.time is not None:
        lines.append(format_line("level", move_time=limit.time))
    if (clock := limit.clock_of(turn)) is not None:
        inc = max(0.0, min(limit.increment_of(turn), clock))
        left = max(0.0, round(clock - inc, 3))
        lines.append(format_line("level", moves=limit.moves_to_go, time=left, inc=inc or None))
    return lines or ["level infinite"]


# What a search reports


def format_info(board: Board, info: SearchResult) -> str:
    """An `info` line; the speed is in millions of nodes per second.

    >>> board = games.board("international")
    >>> format_info(board, SearchResult(None, parse_men(0.12), 3, 5000, 0.01, (board.parse("32-28"),)))
    'info depth=3 score=0.12 nodes=5000 time=0.010 nps=0.500 pv=32-28'
    """
    return format_line(
        "info",
        depth=info.depth,
        score=format_men(info.score),
        nodes=info.nodes,
        time=f"{info.seconds:.3f}",
        nps=f"{info.nps / 1e6:.3f}",
        pv=" ".join(line_of(board, info.pv, format_move)),
    )


def parse_info(args: Args, info: SearchResult) -> SearchResult:
    """What is known after an `info` line; values that are not numbers are skipped.

    >>> info = parse_info({"depth": "9", "score": "-0.12", "nodes": "x"}, SearchResult(None))
    >>> str(info.score), info.depth, info.nodes
    ('-0.12', 9, 0)
    """
    depth, nodes = (int(args[name][:18]) if args.get(name, "").isdecimal() else getattr(info, name) for name in COUNTS)
    try:
        score, bound = parse_men(max(-1e6, min(float(args["score"]), 1e6))), "exact"
    except (KeyError, ValueError):
        score, bound = info.score, info.bound
    return SearchResult(None, score, depth, nodes, bound=bound)
