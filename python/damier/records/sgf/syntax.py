"""The syntax of SGF: nodes of properties in nested parentheses, whatever game they record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from damier.records.errors import RecordError, shown
from damier.records.source import Lines

__all__ = ["MAX_DEPTH", "Event", "Properties", "escaped", "property_text", "trees", "unescaped"]

MAX_DEPTH = 1000  # subtrees within subtrees: a commented main line opens one at every variation

IDENTIFIER, VALUE, LONG_VALUE, JUNK = range(1, 5)
TOKEN = re.compile(r"[();] | ([A-Za-z]+) | \[((?:[^\]\\]|\\.)*)\] | \[(.*) | (\S)", re.VERBOSE | re.DOTALL)
VALUE_PART = re.compile(r"(?:[^\]\\]|\\.)*", re.DOTALL)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
BLANK = re.compile(r"[^\S\n]")
GAME_START = re.compile(r"\(\s*(?:;|$)")
RESUMED = re.compile(r"\(\s*;(?!\s*[BW]\[)")  # at a line's beginning, and no variation
SURE_START = re.compile(r"\s*\(\s*;\s*(?:FF|GM)\[")  # of another game, whatever seems to be open

Properties = dict[str, list[str]]  # values as they stand in the file, escapes included


@dataclass
class Event:
    """A parenthesis, or a node with its properties; and its line."""

    line: int
    sign: str
    properties: Properties = field(default_factory=dict)


def trees(lines: Lines) -> Iterator[list[Event] | RecordError]:
    """The game trees of a source, each a list of events from its first parenthesis to its last, or the error in it."""
    scanner = Scanner(lines)
    for line in lines:
        scanner.read(line)
        if scanner.found:
            yield from scanner.found
            scanner.found.clear()
    scanner.finish()
    yield from scanner.found


class Scanner:
    """Cuts lines into events and gathers those of a game."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self.found: list[list[Event] | RecordError] = []
        self._skipping = False
        self._games = 0
        self._stray = 0  # the first line with something that is not a game
        self._reset()

    def _reset(self) -> None:
        self._events: list[Event] = []
        self._depth = 0
        self._values: list[str] | None = None  # of the present property
        self._identifier = ""

    def read(self, line: str) -> None:
        """Read a line, and the next ones while a value is open. Text between games means nothing."""
        if self._skipping and not RESUMED.match(line):
            return
        self._skipping = False
        if self._events and SURE_START.match(line):
            self._fail(self._unclosed_game())
        try:
            while line:
                line = self._scan(line)
        except RecordError as error:
            self._fail(error)
            self._skipping = True

    def finish(self) -> None:
        """Say what is missing at the end of the source."""
        if self.lines.damage:
            self.found.append(self.lines.damage)
        elif self._events:
            self._fail(self._unclosed_game())
        elif self._stray and not self._games:
            self._fail(RecordError("no game in this file, expected '(;'", line=self._stray))

    def _unclosed_game(self) -> RecordError:
        return RecordError("this game is never closed, expected ')'", line=self._events[0].line)

    def _fail(self, error: RecordError) -> None:
        self.found.append(error.at(self.lines.name, self.lines.number))
        self._reset()

    def _scan(self, line: str) -> str:
        """Read as many tokens as possible; return what is left of the line."""
        start = 0
        if self._depth == 0:
            game = GAME_START.search(line)
            if not game:
                self._stray = self._stray or (0 if line.isspace() else self.lines.number)
                return ""
            start = game.start()
            self._games += 1
        for token in TOKEN.finditer(line, start):
            kind = token.lastindex
            if kind == VALUE:
                self._value(token[VALUE])
            elif kind == IDENTIFIER:
                self._property(token[IDENTIFIER])
            elif kind == LONG_VALUE:
                return self._long_value(token[LONG_VALUE])
            elif kind == JUNK:
                raise RecordError(f"{shown(token[JUNK])} is out of place, expected a property such as B[b1-b3]")
            else:
                self._sign(token[0])
                if self._depth == 0:
                    return line[token.end() :]
        return ""

    def _sign(self, sign: str) -> None:
        self._end_property()
        self._values = None
        self._events.append(Event(self.lines.number, sign))
        self._depth += {"(": 1, ")": -1, ";": 0}[sign]
        if self._depth > MAX_DEPTH:
            raise RecordError(f"variations are nested too deeply, expected at most {MAX_DEPTH} levels")
        if self._depth == 0:
            self.found.append(self._events)
            self._reset()

    def _property(self, identifier: str) -> None:
        self._end_property()
        self._identifier = "".join(letter for letter in identifier if letter.isupper())  # FF[3] writes Black for B
        node = self._events[-1]
        if node.sign != ";" or not self._identifier:
            raise RecordError(f"{shown(identifier)} is out of place, expected a node such as ;B[b1-b3]")
        self._values = node.properties.setdefault(self._identifier, [])

    def _end_property(self) -> None:
        if self._values is not None and not self._values:
            raise RecordError(f"the property {self._identifier} has no value, expected {self._identifier}[...]")

    def _value(self, text: str) -> None:
        if self._values is None:
            raise RecordError(f"the value {shown(text)} has no property, expected one such as C[...]")
        self._values.append(text)

    def _long_value(self, first: str) -> str:
        """Read a value that goes on after the line's end; return what follows it on its last line."""
        opened = self.lines.number
        parts = [first]
        for line in self.lines:
            if SURE_START.match(line):
                self._fail(unclosed_value(opened))
                return line
            end = VALUE_PART.match(line).end()  # type: ignore[union-attr]
            parts.append(line[:end])
            if line[end : end + 1] == "]":
                self._value("".join(parts))
                return line[end + 1 :]
        raise unclosed_value(opened)


def unclosed_value(line: int) -> RecordError:
    return RecordError("this value is never closed, expected ']'", line=line)


def unescaped(value: str) -> str:
    """The text a value stands for; a line that ends with a backslash continues on the next one.

    >>> unescaped("a [b\\\\] c")
    'a [b] c'
    """
    if "\\" in value:
        value = ESCAPE.sub(lambda found: "" if found[1] == "\n" else found[1], value)
    return BLANK.sub(" ", value).strip()


def escaped(text: str) -> str:
    """A text as a value, brackets and backslashes kept.

    >>> print(escaped("a [b] c"))
    a [b\\] c
    """
    return text.replace("\\", r"\\").replace("]", r"\]")


def property_text(identifier: str, values: list[str]) -> str:
    """A property as it stands in a file.

    >>> property_text("AB", ["b1", "c1"])
    'AB[b1][c1]'
    """
    if not re.fullmatch("[A-Z]+", identifier):
        raise RecordError(f"{shown(identifier)} is not an SGF property, expected capital letters")
    return identifier + "".join(f"[{v if VALUE_PART.fullmatch(v) else escaped(v)}]" for v in values or [""])
