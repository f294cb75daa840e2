"""The text of the xboard protocol: parsing what engines send, and formatting limits for them."""

from __future__ import annotations

import math
import re

from damier._core import Side
from damier.engine import Limit, SearchResult
from damier.protocols.client import looks_like_move
from damier.protocols.scores import cp_score, mate_score

__all__ = [
    "format_clocks",
    "format_level",
    "is_resignation",
    "parse_features",
    "parse_move",
    "parse_refusal",
    "parse_remark",
    "parse_thinking",
]

FEATURE = re.compile(r'([\w-]+)=(?:"([^"]*)"|([^\s"]+))')
# Depth, score, time in hundredths of a second and nodes; some mark the depth with a sign.
THINKING = re.compile(r"\s*(\d{1,4})[.:+&-]?\s+([+-]?\d{1,9})\s+(\d+)\s+(\d{1,18})\b")
MOVE = re.compile(r"(?:move|My move is ?:)\s+(\S+)")
ILLEGAL_POSITION = re.compile(r"tellusererror\s.*\b(illegal|position)\b", re.IGNORECASE)
RESIGNS = re.compile(r"(1-0|0-1)\s*\{.*\bresign", re.IGNORECASE)
REMARK = re.compile(r"(1-0|0-1|1/2-1/2|\*)(\s*\{.*\})?$|(tell\w*|Error|offer draw)\b")
MATE = 100_000  # a win in n moves scores this plus n, by the protocol
UNLIMITED = 10  # seconds; with more, Phalanx checks too rarely whether it should move


def parse_features(line: str) -> list[tuple[str, str]]:
    """The features a line announces.

    >>> parse_features('feature myname="GNU Chess" ping=1 done=1')
    [('myname', 'GNU Chess'), ('ping', '1'), ('done', '1')]
    """
    return [(name, quoted or plain) for name, quoted, plain in FEATURE.findall(line)]


def parse_move(line: str) -> str | None:
    """The move that a line plays.

    >>> parse_move("move e2e4"), parse_move("1. e2e4")
    ('e2e4', None)
    """
    found = MOVE.match(line)
    return found[1] if found else None


def is_resignation(line: str, turn: Side, *, explicit: bool = False) -> bool:
    """Whether a line resigns: in words or, unless it must be `explicit`, by a result that is a loss.

    >>> is_resignation("resign", Side.WHITE), is_resignation("0-1 {White resigns}", Side.WHITE)
    (True, True)
    >>> is_resignation("1-0 {mate}", Side.WHITE)
    False
    >>> is_resignation("1-0 {mate}", Side.BLACK), is_resignation("1-0 {mate}", Side.BLACK, explicit=True)
    (True, False)
    """
    line = line.strip()
    lost = line.startswith("0-1" if turn == Side.WHITE else "1-0")
    return line == "resign" or (lost and (not explicit or RESIGNS.match(line) is not None))


def parse_remark(line: str) -> str | None:
    """The line if it is a remark without consequences: a draw or win claimed, a draw offered, a message.

    >>> parse_remark("1/2-1/2 {Draw by repetition}"), parse_remark("1. e4")
    ('1/2-1/2 {Draw by repetition}', None)
    """
    line = line.strip()
    return line[:80] if REMARK.match(line) else None


def parse_refusal(line: str) -> str | None:
    """The line if it refuses a move or a position; an unknown command is not a reason to give up.

    >>> parse_refusal("Illegal move: usermove e2e4"), parse_refusal("Illegal move: sd 4")
    ('Illegal move: usermove e2e4', None)
    >>> parse_refusal("tellusererror Illegal position"), parse_refusal("tellusererror no book found")
    ('tellusererror Illegal position', None)
    """
    line = line.strip()
    if line.startswith(("Illegal move", "Invalid move")):
        return line if looks_like_move(line.split()[-1]) else None
    return line if ILLEGAL_POSITION.match(line) else None


def parse_thinking(line: str, info: SearchResult) -> SearchResult:
    """What is known after a line of thinking output.

    >>> info = parse_thinking("  9     63     7    49076  d2-d4  d7-d5", SearchResult(None))
    >>> str(info.score), info.depth, info.nodes
    ('+0.63', 9, 49076)
    """
    if not (found := THINKING.match(line)):
        return info
    number = int(found[2])
    moves = abs(number) - MATE
    score = mate_score(2 * moves - (number > 0), won=number > 0) if 0 <= moves < 200 else cp_score(number)
    return SearchResult(None, score, int(found[1]), int(found[4]), bound="exact")


def format_level(limit: Limit, turn: Side) -> list[str]:
    """A limit as lines that hold for the whole game; `level` has moves to the next control or 0, time, increment.

    >>> format_level(Limit(white_clock=65.5, white_inc=0.1, depth=9), Side.WHITE)
    ['level 0 1:06 0.1', 'sd 9']
    """
    clock = limit.clock_of(turn)
    lines = []
    if clock is not None:
        minutes, seconds = divmod(max(1, math.ceil(clock)), 60)
        lines.append(f"level {limit.moves_to_go or 0} {minutes}:{seconds:02d} {limit.increment_of(turn):g}")
    if limit.time is not None:
        lines.append(f"st {max(0.01, limit.time):g}")
    elif clock is None:
        lines.append(f"st {UNLIMITED}")  # the limit is of another kind: we count nodes
    if limit.depth is not None:
        lines.append(f"sd {limit.depth}")
    return lines


def format_clocks(limit: Limit, turn: Side) -> list[str]:
    """The clocks of the engine and of its opponent, in hundredths of a second.

    >>> format_clocks(Limit(white_clock=60, black_clock=59.5), Side.BLACK)
    ['time 5950', 'otim 6000']
    """
    clocks = (limit.white_clock, limit.black_clock)
    ours, theirs = clocks if turn == Side.WHITE else clocks[::-1]
    return [
        f"{word} {max(1, round(100 * seconds))}"
        for word, seconds in (("time", ours), ("otim", theirs))
        if seconds is not None
    ]
