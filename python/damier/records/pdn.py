"""PDN 3.0, every draughts variant: read liberally, written strictly.

The GameType tag names the variant; variants without a number (rennes, paris) are named by a Variant tag instead.
Without either the first move decides: English, international and Russian games never begin with the same move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial

from damier import draughts
from damier._core import Side
from damier.records.draft import ROSTER, Dialect
from damier.records.errors import RecordError, shown
from damier.records.reading import Report, read_games, token_pattern
from damier.records.source import Lines
from damier.records.tree import Game
from damier.records.writing import written

__all__ = ["read", "text"]

SQUARE = r"(?:\d+|[a-hA-H]\d)"
NO_RESULT = r"(?!(?:1-0|0-1|2-0|0-2|1-1|0-0)(?![-\dx:]))"
TOKEN = token_pattern(
    move=rf"{NO_RESULT}{SQUARE}(?:\s*[-x:X]\s*{SQUARE})+ | [a-zA-Z]\w*",
    result=r"1-0 | 0-1 | 1/2-1/2 | 2-0 | 1-1 | 0-2 | 0-0 | \*",
    mark=r"\([!?]{1,2}\) | [!?]{1,2}",
    skipped=r"\d+\.* | \.+",
)
PLAIN = re.compile(rf"\s*(?:(?:\d+\.|{NO_RESULT}{SQUARE}(?:[-x:]{SQUARE})+)\s+)*")
TWO_POINTS = {"1-0": "2-0", "1/2-1/2": "1-1", "0-1": "0-2"}
RESULTS = {result: result for result in ("1-0", "1/2-1/2", "0-1", "0-0", "*")} | {v: k for k, v in TWO_POINTS.items()}

NUMBERS = {number: variant for variant, number in draughts.GAME_TYPES.items()}


def read(lines: Lines, report: Report, variant: str | None = None) -> Iterator[Game]:
    """The games of a PDN source; those that do not name their variant are of `variant`, or as the first move shows."""
    defaults = (variant,) if variant else ("english", "international", "russian")
    return read_games(lines, Dialect(TOKEN, PLAIN, RESULTS, partial(_variants, defaults)), report)


def text(game: Game) -> str:
    """A game in PDN.

    >>> game = Game("international", headers={"White": "Anne"}, result="1-0")
    >>> _ = game.add("32-28 19-23 28x19 14x23")
    >>> print(text(game), end="")
    [White "Anne"]
    [Result "2-0"]
    [GameType "20,W,10,10,N2,0"]
    <BLANKLINE>
    1. 32-28 19-23 2. 28x19 14x23 2-0
    """
    if game.variant not in draughts.VARIANTS:
        raise RecordError(f"a game of {game.variant} cannot be written as PDN, expected a draughts variant")
    result = game.result
    if game.variant in draughts.TWO_POINT_WINS:
        result = TWO_POINTS.get(result, result)
    fields = {"Result": result}
    if game.variant in draughts.GAME_TYPES:
        fields["GameType"] = _game_type(game.variant)
    else:
        fields["Variant"] = game.variant
    if game.fen:
        fields |= {"SetUp": "1", "FEN": game.fen}
    return written(game, {name: "" for name in ROSTER if name in game.headers}, fields, result)


@cache
def _game_type(variant: str) -> str:
    """The GameType tag in full: number, who starts, width, height, notation, whether the lower left is not a square.

    The notation is Alphanumeric, or Numeric with the corner of square 1 as the starter sees it: 0 and 1 near, 2 and 3
    far, the left one first.
    """
    board = draughts.Board(variant=variant)
    places = {name: (file, rank) for name, file, rank in board.squares}
    last = max(rank for _, rank in places.values())
    notation = "A0"
    if "1" in places:
        file, rank = places["1"] if board.turn == Side.WHITE else (last - place for place in places["1"])
        notation = f"N{2 * (2 * rank > last) + (2 * file > last)}"
    starter = "W" if board.turn == Side.WHITE else "B"
    inverted = int((0, 0) not in places.values())
    return f"{draughts.GAME_TYPES[variant]},{starter},{last + 1},{last + 1},{notation},{inverted}"


def _variants(defaults: tuple[str, ...], tags: Mapping[str, str]) -> tuple[str, ...]:
    if "GameType" in tags:
        return (_of_game_type(tags["GameType"]),)
    if "Variant" in tags:
        name = tags["Variant"].lower()
        if name not in draughts.VARIANTS:
            raise RecordError(
                f"the variant {shown(name)} is not played here, expected one of {', '.join(draughts.VARIANTS)}"
            )
        return (name,)
    return defaults


def _of_game_type(value: str) -> str:
    number = value.partition(",")[0].strip()
    if len(number) == 2 and number.isascii() and number.isdecimal() and int(number) in NUMBERS:
        return NUMBERS[int(number)]
    known = ", ".join(f"{number} {variant}" for number, variant in sorted(NUMBERS.items()))
    raise RecordError(f"the GameType {shown(value)} is not played here, expected one of {known}")
