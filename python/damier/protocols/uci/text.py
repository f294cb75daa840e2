"""The lines of UCI that carry something, read into small values; nothing here looks at a board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from damier._core import DamierError, Side
from damier.engine import Limit
from damier.protocols.server import DefaultThink

__all__ = ["Go", "Position", "Setting", "read_go", "read_position", "read_setting"]

Longest = 2**31 - 1  # ms, plies and moves alike; nodes may be more
MostNodes = 2**63 - 1


@dataclass(frozen=True)
class Position:
    """`position`: where a game starts, the usual place without a FEN, and its moves."""

    fen: str | None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setting:
    """`setoption`: a name and a value, None where the line has none."""

    name: str
    value: str | None = None


@dataclass(frozen=True)
class Go:
    """`go`: how to search, and what in the line made no sense."""

    limit: Limit = field(default_factory=Limit)
    searchmoves: tuple[str, ...] = ()
    ponder: bool = False
    perft: int | None = None
    remarks: tuple[str, ...] = ()

    def limit_for(self, turn: Side) -> Limit:
        """The limit for the side to move, the default one where the line has none.

        >>> Go(Limit(white_clock=60)).limit_for(Side.BLACK) == DefaultThink
        True
        """
        limit = self.limit
        clock = limit.white_clock if turn == Side.WHITE else limit.black_clock
        bounds = (limit.time, limit.depth, limit.nodes, limit.mate, clock)
        return limit if limit.infinite or any(bound is not None for bound in bounds) else DefaultThink


def read_position(words: Sequence[str]) -> Position:
    """Read what follows `position`; a FEN goes on until `moves`.

    >>> read_position("startpos moves e2e4 e7e5".split())
    Position(fen=None, moves=('e2e4', 'e7e5'))
    >>> read_position("fen 8/8/8/8/8/2xoo3/2x5/8 o".split())
    Position(fen='8/8/8/8/8/2xoo3/2x5/8 o', moves=())
    """
    end = words.index("moves") if "moves" in words else len(words)
    where, moves = words[:end], tuple(words[end + 1 :])
    if where and where[0] == "startpos":
        return Position(None, moves)
    if len(where) > 1 and where[0] == "fen":
        return Position(" ".join(where[1:]), moves)
    raise DamierError("position: expected `startpos` or `fen` and a FEN, then `moves` and moves if any")


def read_setting(words: Sequence[str]) -> Setting:
    """Read what follows `setoption`.

    >>> read_setting("name Move Overhead value 50".split())
    Setting(name='Move Overhead', value='50')
    """
    if not words or words[0] != "name":
        raise DamierError("setoption: expected `name` and the name of an option")
    end = words.index("value") if "value" in words else len(words)
    name = " ".join(words[1:end])
    return Setting(name, " ".join(words[end + 1 :]) if end < len(words) else None)


# Each number of a `go` line: the part of the limit it sets, and how many make one.
NUMBERS = {
    "wtime": ("white_clock", 1000),
    "btime": ("black_clock", 1000),
    "winc": ("white_inc", 1000),
    "binc": ("black_inc", 1000),
    "movetime": ("time", 1000),
    "movestogo": ("moves_to_go", 1),
    "depth": ("depth", 1),
    "nodes": ("nodes", 1),
    "mate": ("mate", 1),
    "perft": ("perft", 1),
}
KEYWORDS = {*NUMBERS, "infinite", "ponder", "searchmoves"}


def read_go(words: Sequence[str]) -> Go:
    """Read what follows `go`; unknown words are skipped, a number that is none is remarked on.

    >>> go = read_go("wtime 60000 btime 5x winc 500 searchmoves e2e4 d2d4 ponder".split())
    >>> go.limit == Limit(white_clock=60, white_inc=0.5), go.searchmoves, go.ponder
    (True, ('e2e4', 'd2d4'), True)
    >>> go.remarks
    ("go: btime is '5x', expected a whole number",)
    """
    numbers: dict[str, int] = {}
    searchmoves: list[str] = []
    remarks: list[str] = []
    flags = set()
    for keyword, given in _phrases(words):
        if keyword == "searchmoves":
            searchmoves += given
        elif keyword not in NUMBERS:
            flags.add(keyword)
        elif (number := _number(given)) is not None:
            numbers[keyword] = number
        else:
            shown = f"is {given[0][:40]!r}" if given else "has no value"
            remarks.append(f"go: {keyword} {shown}, expected a whole number")
    perft = numbers.pop("perft", None)
    if numbers.get("movestogo", 1) < 1:  # some GUIs say 0 for the rest of the game
        del numbers["movestogo"]
    parts: dict[str, Any] = dict(_limited(keyword, number) for keyword, number in numbers.items())
    limit = Limit(infinite="infinite" in flags, **parts)
    return Go(limit, tuple(searchmoves), "ponder" in flags, perft, tuple(remarks))


def _phrases(words: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Each keyword with the words that follow it."""
    starts = [at for at, word in enumerate(words) if word in KEYWORDS]
    for start, end in pairwise([*starts, len(words)]):
        yield words[start], words[start + 1 : end]


def _number(words: Sequence[str]) -> int | None:
    try:
        return int(words[0])
    except (IndexError, ValueError):
        return None


def _limited(keyword: str, number: int) -> tuple[str, float]:
    """A part of the limit and its value; a clock that has run out still leaves a millisecond."""
    name, unit = NUMBERS[keyword]
    least = 0 if keyword in ("winc", "binc") else 1
    number = max(least, min(number, MostNodes if keyword == "nodes" else Longest))
    return name, number / unit if unit > 1 else number
