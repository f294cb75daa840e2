"""What engines say in the xboard protocol (CECP, version 2), read into small values."""

from __future__ import annotations

import math
import re

from damier._core import Side
from damier.engine import Limit
from damier.protocols.client import Heard, MoveLike
from damier.protocols.scores import judged, sure

__all__ = [
    "note_thinking",
    "played_move",
    "read_features",
    "refused",
    "remarked",
    "resigned",
    "written_level",
]

FEATURE = re.compile(r'([\w-]+)=(?:"([^"]*)"|([^\s"]+))')
# Depth, score, time in hundredths of a second and nodes; some mark the depth with a sign.
THINKING = re.compile(r"\s*(\d{1,4})[.:+&-]?\s+([+-]?\d{1,9})\s+(\d+)\s+(\d{1,18})\b")
MOVE = re.compile(r"(?:move|My move is ?:)\s+(\S+)")
ILLEGAL_POSITION = re.compile(r"tellusererror\s.*\b(illegal|position)\b", re.IGNORECASE)
RESIGNS = re.compile(r"(1-0|0-1)\s*\{.*\bresign", re.IGNORECASE)
REMARK = re.compile(r"(1-0|0-1|1/2-1/2|\*)(\s*\{.*\})?$|(tell\w*|Error|offer draw)\b")
MateAt = 100_000  # a win in n moves scores so much and n, by the protocol


def read_features(line: str) -> list[tuple[str, str]]:
    """The features a line announces.

    >>> read_features('feature myname="GNU Chess" ping=1 done=1')
    [('myname', 'GNU Chess'), ('ping', '1'), ('done', '1')]
    """
    return [(name, quoted or plain) for name, quoted, plain in FEATURE.findall(line)]


def played_move(line: str) -> str | None:
    """The move a line plays.

    >>> played_move("move e2e4"), played_move("1. e2e4")
    ('e2e4', None)
    """
    found = MOVE.match(line)
    return found[1] if found else None


def resigned(line: str, turn: Side, *, surely: bool = False) -> bool:
    """Whether a line gives the game up: by the word, or, unless it has to say so `surely`, by a result that is a loss.

    >>> resigned("resign", Side.WHITE), resigned("0-1 {White resigns}", Side.WHITE), resigned("1-0 {mate}", Side.WHITE)
    (True, True, False)
    >>> resigned("1-0 {mate}", Side.BLACK), resigned("1-0 {mate}", Side.BLACK, surely=True)
    (True, False)
    """
    line = line.strip()
    lost = line.startswith("0-1" if turn == Side.WHITE else "1-0")
    return line == "resign" or (lost and (not surely or RESIGNS.match(line) is not None))


def remarked(line: str) -> str | None:
    """The line, where it is a remark that nothing follows from: a draw or a win that is claimed, a draw offered, words.

    >>> remarked("1/2-1/2 {Draw by repetition}"), remarked("1. e4")
    ('1/2-1/2 {Draw by repetition}', None)
    """
    line = line.strip()
    return line[:80] if REMARK.match(line) else None


def refused(line: str) -> str | None:
    """The line, where it refuses a move or a position; that a command is not known may be heard and passed over.

    >>> refused("Illegal move: usermove e2e4"), refused("Illegal move: sd 4")
    ('Illegal move: usermove e2e4', None)
    >>> refused("tellusererror Illegal position"), refused("tellusererror no book found")
    ('tellusererror Illegal position', None)
    """
    line = line.strip()
    if line.startswith(("Illegal move", "Invalid move")):
        return line if MoveLike.fullmatch((line.split() or [""])[-1]) else None
    return line if ILLEGAL_POSITION.match(line) else None


def note_thinking(line: str, heard: Heard) -> None:
    """Note what a line of thinking says.

    >>> heard = Heard()
    >>> note_thinking("  9     63     7    49076  d2-d4  d7-d5", heard)
    >>> str(heard.score), heard.depth, heard.nodes
    ('+0.63', 9, 49076)
    """
    if not (found := THINKING.match(line)):
        return
    heard.depth, heard.nodes = int(found[1]), int(found[4])
    number = int(found[2])
    moves = abs(number) - MateAt
    heard.score = sure(2 * moves - (number > 0), won=number > 0) if 0 <= moves < 200 else judged(number)


def written_level(limit: Limit, clock: float, inc: float) -> str:
    """A clock as `level`: moves to the next control or 0, minutes and seconds, increment.

    >>> written_level(Limit(), 65.5, 0.1)
    'level 0 1:06 0.1'
    """
    minutes, seconds = divmod(max(1, math.ceil(clock)), 60)
    return f"level {limit.moves_to_go or 0} {minutes}:{seconds:02d} {inc:g}"
