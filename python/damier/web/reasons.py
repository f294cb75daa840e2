"""Why a position or a text is refused, for pages in other languages: a name for what a message says.

Boards and records say in English what is wrong. Errors that people meet while they set up a position or import a game
have names here, with the values of the message that a translation needs.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from damier.records import RecordError
from damier.web.errors import RefusedError

__all__ = ["Reason", "bad_position", "bad_record", "reason_of"]

SIDE = r"(?P<side>White|Black)"
WHAT = r"(?P<what>'[^']*'|\"[^\"]*\")"
REASONS = {
    # Positions.
    "kings": rf"{SIDE} has (?P<count>\d+) kings instead of 1",
    "too_many": rf"{SIDE}(?: \(.\))? has (?P<count>\d+) (?:pieces|pawns)",
    "promoted": rf"{SIDE} has \d+ promoted pieces but misses only",
    "pawn": r"a pawn stands on (?P<square>\w+)",
    "in_check": rf"the king of {SIDE} is in check but",
    "checkers": r"is in check from \d+ pieces",
    "castling": r"[Cc]astling|castles? |castle with",
    "en_passant": r"en passant",
    "no_piece": rf"{SIDE}(?: \(.\))? has no piece",
    "men": r"a side has at most (?P<count>\d+) pieces",
    "last_row": r"a man cannot stand on its last row, on (?P<square>\w+)",
    "no_kings": r"there are no kings in this variant",
    "empty": r"the board is empty|pieces of both sides are expected",
    "turn": r"[Ss]ide to move is",
    "over": r"^the game is over in this position$",
    # Records.
    "finished": rf"{WHAT} is not a legal \w+ move here: the game is over",
    "illegal_move": rf"{WHAT} is (?:not a legal \w+ move here|not a move|illegal|out of turn)",
    "ambiguous": rf"{WHAT} (?:is ambiguous|fits )",
    "variant": r"(?:is not played here|cannot be played in the browser|expected GM\[9\])",
    "unclosed": r"never closed",
    "no_game": r"no game in this",
    "out_of_place": (
        rf"{WHAT} (?:is out of place|is not an? (?:tag|glyph|SGF property|result|square)|has no property|comes before|"
        r"opens a variation|closes no variation)"
    ),
    "fen": r"\bFEN\b",
    # Databases.
    "locked": r"another program has been writing",
    "full": r"disk is full|[Nn]o space left",
    "damaged": r"malformed|not a database",
}
PATTERNS = {name: re.compile(pattern) for name, pattern in REASONS.items()}


class Reason(NamedTuple):
    """The name of a reason, and the values of its message."""

    name: str | None
    about: dict[str, str]


def reason_of(message: str) -> Reason:
    """The reason that a message gives.

    >>> reason_of("bad FEN: White has 2 kings instead of 1")
    Reason(name='kings', about={'side': 'white', 'count': '2'})
    >>> reason_of("something else").name
    """
    for name, pattern in PATTERNS.items():
        if found := pattern.search(message):
            about = {key: value.strip("'\"") for key, value in found.groupdict().items() if value is not None}
            return Reason(name, about | ({"side": about["side"].lower()} if "side" in about else {}))
    return Reason(None, {})


def bad_position(message: str) -> RefusedError:
    """The refusal of a position."""
    name, about = reason_of(message)
    return RefusedError("bad_position", message, detail=name, about=about)


def bad_record(error: RecordError) -> RefusedError:
    """The refusal of a text that is not a game."""
    name, about = reason_of(error.reason)
    return RefusedError(
        "bad_record", str(error), detail=name, about=about | ({"line": str(error.line)} if error.line else {})
    )
