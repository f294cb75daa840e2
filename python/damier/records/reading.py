"""Reading games written as tags and movetext, which PGN and PDN share: [Name "value"] lines, then moves with numbers,
{comments}, (variations), $glyphs, lines escaped by %, and a result. A dialect says what differs.

A source is read line by line; a game is complete at its result, at the next game's tags or at the end of the source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from damier.records.draft import Dialect, Draft
from damier.records.errors import RecordError, shown
from damier.records.source import Lines
from damier.records.tree import Game

__all__ = ["MARKS", "TAG_NAME", "Report", "read_games", "report_errors", "token_pattern"]

Report = Callable[[RecordError], None]

MARKS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
LARGEST_NAG = 255
TAG_NAME = r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*"

TAG_START = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"')
TAG_LINE = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"([^"\\]*)"\s*\]\s*')
LOOSE_TAG_LINE = re.compile(rf'\s*\[\s*({TAG_NAME})\s*"(.*)"\s*\]\s*')  # with quotes that should have been escaped

# The groups of a token pattern. A tag has two, its name and its value.
MOVE, RESULT, MARK, NAG, COMMENT, LINE_COMMENT, LONG_COMMENT, OPEN, CLOSE, TAG_KEY, TAG, JUNK = range(1, 13)


def token_pattern(*, move: str, result: str, mark: str, skipped: str) -> re.Pattern[str]:
    """The pattern of one token of movetext; `skipped` is what means nothing, such as a move number."""
    return re.compile(
        rf"""(?:\d+\s*\.[.\s]*)?({move})
        | ({result})(?![^\s(){{}}\[\];])
        | ({mark})
        | \$(\d+)
        | \{{([^}}]*)\}} | ;(.*) | \{{(.*)
        | (\() | (\))
        | \[\s*({TAG_NAME})\s*"((?:[^"\\]|\\.)*)"\s*\]
        | {skipped}
        | (\S)""",
        re.VERBOSE | re.DOTALL,
    )


def read_games(lines: Lines, dialect: Dialect, report: Report) -> Iterator[Game]:
    """The games of a source, one after the other; what is broken goes to `report` and is left out."""
    reader = Reader(lines, dialect)
    for line in lines:
        reader.read(line)
        if reader.found:
            yield from report_errors(reader.found, report)
            reader.found.clear()
    if lines.damage:
        report(lines.damage)
    else:
        reader.finish()
        yield from report_errors(reader.found, report)


def report_errors(found: Iterable[Game | RecordError], report: Report) -> Iterator[Game]:
    """The games among what was found, while the errors are reported."""
    for item in found:
        if isinstance(item, RecordError):
            report(item)
        else:
            yield item


class Reader:
    """Cuts lines into tokens and gives them to the draft of the present game."""

    def __init__(self, lines: Lines, dialect: Dialect) -> None:
        self.lines = lines
        self.dialect = dialect
        self.draft = Draft(lines, dialect)
        self.found: list[Game | RecordError] = []
        self.tagged = False  # whether this source has tags, as far as we read
        self.skipping = False  # after an error, until the next game's tags, or a result where there are no tags
        self.past_tags = False  # while skipping: whether the tags of the broken game are behind us
        self.in_comment = False  # while skipping

    def read(self, line: str) -> None:
        """Read a line, and the next ones while a comment is open."""
        if line.startswith("%"):
            return
        if self.skipping and not self._resumes(line):
            self._scan(line, self._after_result(line, 0))
            return
        tag = TAG_LINE.fullmatch(line) if line.startswith("[") else None
        if tag:
            self._tag(tag[1], tag[2])
        else:
            self._scan(line, 0)

    def finish(self) -> None:
        """End the present game, if there is one, and be ready for another."""
        draft, self.draft = self.draft, Draft(self.lines, self.dialect)
        if self.skipping or draft.is_empty():
            return
        try:
            self.found.append(draft.finish())
        except RecordError as error:
            self.found.append(error.at(self.lines.name, self.lines.number))

    def _fail(self, error: RecordError) -> None:
        self.found.append(error.at(self.lines.name, self.lines.number))
        self.skipping = True
        self.past_tags = self.draft.started
        self.in_comment = False
        self.draft = Draft(self.lines, self.dialect)

    def _resumes(self, line: str) -> bool:
        tag = TAG_START.match(line)
        self.tagged = self.tagged or tag is not None
        if tag and (self.past_tags or tag[1] == "Event"):
            self.skipping = False
        elif not tag and not line.isspace():
            self.past_tags = True
        return not self.skipping

    def _after_result(self, line: str, start: int) -> int:
        """Where the result ends that ends a broken game; looked for only if no tags can begin the next game."""
        if self.tagged:
            return len(line)
        if self.in_comment:
            start = line.find("}") + 1 or len(line)
            self.in_comment = start == len(line)
        for token in self.dialect.token.finditer(line, start):
            if token.lastindex == RESULT:
                self.skipping = False
                return token.end()
            self.in_comment = token.lastindex == LONG_COMMENT
        return len(line)

    def _scan(self, line: str, start: int) -> None:
        """Read the tokens of a line from a place in it."""
        while start < len(line):
            token = self.dialect.plain.match(line, start)
            assert token
            start, end = len(line), token.end()
            try:
                self._plain_moves(token[0])
                for token in self.dialect.token.finditer(line, end):
                    kind = token.lastindex
                    if kind == MOVE:
                        self.draft.moves([token[MOVE]])
                    elif kind == LONG_COMMENT:
                        line, start = self._long_comment(token[LONG_COMMENT])
                        break
                    elif kind == TAG:
                        self._tag(token[TAG_KEY], token[TAG])
                    elif kind == JUNK:
                        self._junk(token)
                        break
                    elif kind is not None:
                        self._token(kind, token[kind])
            except RecordError as error:
                self._fail(error)
                start = self._after_result(line, token.end())

    def _plain_moves(self, text: str) -> None:
        """Read quickly the moves at the beginning of a line."""
        moves = [word for word in text.split() if not word.endswith(".")]
        if moves:
            self.draft.moves(moves)

    def _token(self, kind: int, text: str) -> None:
        if kind in (COMMENT, LINE_COMMENT):
            self.draft.comment(text.replace("}", ")"))  # it could not be written
        elif kind == MARK:
            self.draft.nag(MARKS[text.strip("()")])
        elif kind == NAG:
            self.draft.nag(read_nag(text))
        elif kind == OPEN:
            self.draft.open()
        elif kind == CLOSE:
            self.draft.close()
        elif kind == RESULT and self.draft.end(text):
            self.finish()

    def _tag(self, name: str, value: str) -> None:
        self.tagged = True
        if self.draft.started or (name == "Event" and name in self.draft.tags):
            self.finish()
        self.draft.tag(name, re.sub(r'\\(["\\])', r"\1", value) if "\\" in value else value)

    def _junk(self, token: re.Match[str]) -> None:
        """Handle text that is no token, or raise an error."""
        line, found = token.string, token[JUNK]
        if found != "[":
            raise RecordError(f"{shown(found)} is out of place, expected a move, a comment, a variation or a result")
        tag = LOOSE_TAG_LINE.fullmatch(line) if line.find("[") == token.start() else None
        if not tag:
            found = line[token.start() : token.start() + 80].strip()  # more than is shown
            raise RecordError(f'{shown(found)} is not a tag, expected [Name "value"]')
        self._tag(tag[1], tag[2])

    def _long_comment(self, first: str) -> tuple[str, int]:
        """Read a comment that goes on after the line's end; return its last line and where to go on in it."""
        opened = self.lines.number
        parts = [first]
        for line in self.lines:
            end = line.find("}")
            if parts[-1].isspace() and TAG_LINE.fullmatch(line):
                break  # a blank line and a tag: this is the next game
            parts.append(line[:end] if end >= 0 else line)
            if end >= 0:
                self.draft.comment("".join(parts))
                return line, end + 1
        else:
            line = ""
        self._fail(RecordError("this comment is never closed, expected '}'", line=opened))
        self.skipping = not line
        return line, 0


def read_nag(text: str) -> int:
    """The number of a glyph such as $14."""
    if len(text) > 4 or int(text) > LARGEST_NAG:
        raise RecordError(f"{shown('$' + text)} is not a glyph, expected $0 to ${LARGEST_NAG}")
    return int(text)
