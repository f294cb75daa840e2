"""PGN, for chess and for games without a format of their own: read liberally, written in the standard's export format.

Source: Portable Game Notation Specification and Implementation Guide (1994), and the FEN, SetUp and Variant tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from damier import games
from damier.records.draft import ROSTER, Dialect
from damier.records.errors import RecordError, shown
from damier.records.reading import Report, read_games, token_pattern
from damier.records.source import Lines
from damier.records.tree import Game, start_fen
from damier.records.writing import written

__all__ = ["read", "text"]

TOKEN = token_pattern(
    move=r"[A-Za-z](?!\.)[^\s(){}\[\];$!?.,*]* | 0-0(?:-0)?[+\#]?",
    result=r"1-0 | 0-1 | 1/2(?:-1/2)? | ½-½ | \*",
    mark=r"[!?]{1,2}",
    skipped=r"\d+\.* | \.+ | e\.p\.",
)
PLAIN = re.compile(r"\s*(?:(?:\d+\.|[A-Za-z][A-Za-z0-9+#=-]*)\s+)*")
RESULTS = {"1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "½-½": "1/2-1/2", "*": "*"}
VARIANTS = {
    **dict.fromkeys(("chess", "standard", "normal", "from position"), "chess"),
    **dict.fromkeys(("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random"), "chess960"),
}


def read(lines: Lines, report: Report, variant: str | None = None) -> Iterator[Game]:
    """The games of a PGN source; those without a Variant tag are of `variant`, usually chess."""
    return read_games(lines, Dialect(TOKEN, PLAIN, RESULTS, partial(_variants, variant or "chess")), report)


def text(game: Game) -> str:
    """A game in PGN's export format.

    >>> game = Game(headers={"White": "Anne", "Black": "Bob"}, result="0-1")
    >>> _ = game.add("f3 e5 g4 Qh4#")
    >>> print(text(game), end="")
    [Event "?"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "?"]
    [White "Anne"]
    [Black "Bob"]
    [Result "0-1"]
    <BLANKLINE>
    1. f3 e5 2. g4 Qh4# 0-1
    """
    about = games.info(game.variant)
    if about.record_format != "pgn":
        raise RecordError(f"a game of {game.variant} cannot be written as PGN, expected {', '.join(_known())}")
    result = game.result if game.result in RESULTS else "*"
    fields = {"Result": result}
    if game.variant != "chess":
        fields["Variant"] = about.title
    if game.fen or game.variant == "chess960":
        fields |= {"SetUp": "1", "FEN": game.fen or start_fen(game.variant)}
    return written(game, ROSTER, fields, result)


def _variants(default: str, tags: Mapping[str, str]) -> tuple[str, ...]:
    name = tags.get("Variant", default).lower()
    for known, title in _known().items():
        if name in (known, title.lower()):
            return (known,)
    if name not in VARIANTS:
        shown_name = shown(tags.get("Variant", default))
        raise RecordError(f"the variant {shown_name} is not played here, expected {' or '.join(_known())}")
    return (VARIANTS[name],)


def _known() -> dict[str, str]:
    """The games that PGN records, by name, with their titles."""
    return {name: about.title for name, about in games.GAMES.items() if about.record_format == "pgn"}
