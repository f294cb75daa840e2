"""Game records in standard formats: PGN for chess, PDN for draughts, SGF for Lines of Action.

>>> game = next(parse("1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *", "pgn"))
>>> game
<Game chess, ? - ?, 3 plies, *>
>>> print(text(game).splitlines()[-1])
1. e4 e5 (1... c5 {Sicilian}) 2. Nf3 *
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

from damier import games
from damier._core import DamierError
from damier.files import lines_of, naming_file, replacing
from damier.records import pdn, pgn, sgf
from damier.records.errors import RecordError, shown
from damier.records.reading import Report
from damier.records.record import Entrant, GameRecord
from damier.records.source import Lines, opened
from damier.records.tree import RESULTS, Game, Node

__all__ = [
    "FORMATS",
    "RESULTS",
    "Entrant",
    "Format",
    "Game",
    "GameRecord",
    "Node",
    "OnError",
    "RecordError",
    "format_of",
    "guess_format",
    "parse",
    "read",
    "text",
    "write",
]


@dataclass(frozen=True)
class Format:
    """How games are read from lines and written as text."""

    read: Callable[[Lines, Report, str | None], Iterator[Game]]
    text: Callable[[Game], str]


FORMATS = {"pgn": Format(pgn.read, pgn.text), "pdn": Format(pdn.read, pdn.text), "sgf": Format(sgf.read, sgf.text)}

OnError = Literal["raise", "skip"] | Callable[[RecordError], None]


def read(
    source: str | Path | TextIO | Iterable[str],
    format: str | None = None,
    *,
    variant: str | None = None,
    on_error: OnError = "raise",
) -> Iterator[Game]:
    """The games of a file (its path, .gz or not) or of a stream or list of lines, read one by one.

    The format is one of FORMATS, by default that of the file name; `variant` is the game of records that do not name
    one. A broken game raises RecordError; with `on_error="skip"` it is left out, and a function is called with
    the error: `on_error=errors.append` keeps them in a list.

    >>> errors = []
    >>> lines = ['[White "Anne"]', "1. e4 Nf9 *", '[White "Bob"]', "1. d4 *"]
    >>> list(read(lines, "pgn", on_error=errors.append))
    [<Game chess, Bob - ?, 1 ply, *>]
    >>> print(errors[0])
    <lines>:2: 'Nf9' is not a legal chess move here, expected one of a6, b6, c6, d6, ...
    """
    if isinstance(source, str | Path):
        path = Path(source)
        known = _format(format, path)
        return _read_file(path, known, _variant(variant, known), _report(on_error))
    name = getattr(source, "name", "<lines>")
    known = _format(format, Path(str(name)))
    return FORMATS[known].read(Lines(source, Path(str(name)).name), _report(on_error), _variant(variant, known))


def parse(text: str, format: str, *, variant: str | None = None, on_error: OnError = "raise") -> Iterator[Game]:
    """The games of a text.

    >>> next(parse("(;GM[9];B[b1-b3];W[a2-c2])", "sgf"))
    <Game loa, ? - ?, 2 plies, *>
    """
    lines = Lines(io.StringIO(text, newline=None), "<text>")
    return FORMATS[_format(format)].read(lines, _report(on_error), _variant(variant, format))


def write(
    records: Game | GameRecord | Iterable[Game | GameRecord],
    target: str | Path | TextIO,
    format: str | None = None,
    *,
    append: bool = False,
) -> int:
    """Write games to a file, appended if you like, or to a stream; return how many.

    >>> write(Game("loa"), io.StringIO())
    1
    """
    some = [records] if isinstance(records, Game | GameRecord) else records
    if not isinstance(target, str | Path):
        return _write_all(some, target, format)
    path = Path(target)
    known = _format(format, path)
    with naming_file(path, RecordError):
        if append or (path.exists() and not path.is_file()):  # a device or a pipe stays what it is
            with opened(path, "a") as stream:
                return _write_all(some, stream, known)
        return _rewrite(some, path, known)


def text(game: Game | GameRecord, format: str | None = None) -> str:
    """A game as text, by default in the format of its kind.

    >>> text(Game("rennes"))
    '[Result "*"]\\n[Variant "rennes"]\\n\\n*\\n'
    """
    writer = FORMATS[_format(format or games.info(game.variant).record_format)]
    return writer.text(game.sheet() if isinstance(game, GameRecord) else game)


def format_of(path: str | Path) -> str:
    """The format that follows from a file's name.

    >>> format_of("games.pgn.gz")
    'pgn'
    """
    return _format(None, Path(path))


def guess_format(text: str) -> str:
    """The format of a text: SGF begins with a parenthesis, PDN has tags of its own or moves between numbered squares.

    >>> guess_format("(;GM[9])"), guess_format('[Event "x"]\\n1. e4 *'), guess_format("1. 32-28 19-23 *")
    ('sgf', 'pgn', 'pdn')
    """
    if text.lstrip("\ufeff \t\r\n").startswith("(;"):
        return "sgf"
    if re.search(r'^\s*\[GameType\s+"', text, re.MULTILINE) or re.search(r"\b1\.\s*\d{1,2}\s*[-x]\s*\d{1,2}\b", text):
        return "pdn"
    return "pgn"


def _rewrite(some: Iterable[Game | GameRecord], path: Path, format: str) -> int:
    """Write a new file and replace the old one when it is complete: the games may come from the old one."""
    with replacing(path, RecordError) as unfinished, opened(unfinished, "w", path) as stream:
        return _write_all(some, stream, format)


def _read_file(path: Path, format: str, variant: str | None, report: Report) -> Iterator[Game]:
    with naming_file(path, RecordError), opened(path, "r") as stream:
        yield from FORMATS[format].read(Lines(lines_of(stream, RecordError), path.name), report, variant)


def _write_all(some: Iterable[Game | GameRecord], stream: TextIO, format: str | None) -> int:
    count = 0
    for game in some:
        stream.write(text(game, format) + "\n")
        count += 1
    return count


def _format(name: str | None, path: Path | None = None) -> str:
    """The format asked for, or else the one that follows from the file's name."""
    if name in FORMATS:
        return name
    if name is not None or path is None:
        raise RecordError(f"{name!r} is not a format, expected one of {', '.join(FORMATS)}")
    suffix = path.with_suffix("").suffix if path.suffix == ".gz" else path.suffix
    if suffix.lower()[1:] in FORMATS:
        return suffix.lower()[1:]
    raise RecordError(f"{path.name}: cannot tell the format from the name, expected .pgn, .pdn or .sgf, or format=...")


def _variant(name: str | None, format: str) -> str | None:
    """The variant asked for, if the format has it."""
    if name is None:
        return None
    try:
        if games.info(name).record_format == format:
            return name
    except DamierError:
        pass  # no game at all
    known = ", ".join(game for game, about in games.GAMES.items() if about.record_format == format)
    raise RecordError(f"variant is {shown(name)}, expected a game that {format.upper()} records: {known}")


def _report(on_error: OnError) -> Report:
    if callable(on_error):
        return on_error
    if on_error not in ("raise", "skip"):
        raise RecordError(f"on_error is {on_error!r}, expected 'raise', 'skip' or a function")
    return _raise if on_error == "raise" else _ignore


def _raise(error: RecordError) -> None:
    raise error


def _ignore(_: RecordError) -> None:
    pass
