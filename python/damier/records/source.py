"""Lines of text to read games from, counted and decoded: UTF-8, or Latin-1 where a line is not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TextIO, cast

from damier.records.errors import RecordError

__all__ = ["Lines", "opened"]


class Lines:
    """The lines of a source; `name` and `number` say where the reader is.

    >>> lines = Lines(["one\\n", "two\\n"], "count.txt")
    >>> for line in lines:
    ...     print(lines.number, line.strip())
    1 one
    2 two
    """

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self.name = name
        self.number = 0
        self.damage: RecordError | None = None  # what ended the lines too early
        self._lines = self._counted(lines)

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        try:
            for line in lines:
                self.number += 1
                text = line if line.isascii() else decoded(line)
                if self.number == 1:
                    text = text.removeprefix("\ufeff")
                yield text if text.endswith("\n") else text + "\n"
        except RecordError as error:
            self.damage = self._error(error.reason)
        except UnicodeDecodeError as error:
            self.damage = self._error(f"the stream is not in the {error.encoding} it was opened with")
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self.damage = self._error(f"the compressed file is damaged: {error}")

    def _error(self, reason: str) -> RecordError:
        return RecordError(reason, name=self.name, line=self.number + 1)


def decoded(line: str) -> str:
    """A line whose bytes were no UTF-8 (they arrive as surrogates), read as Latin-1."""
    try:
        line.encode()
    except UnicodeEncodeError:
        try:
            return line.encode(errors="surrogateescape").decode("latin-1")
        except UnicodeEncodeError:
            return line.encode(errors="replace").decode()
    return line


def opened(path: Path, mode: str, like: Path | None = None) -> TextIO:
    """A text file, compressed if its name, or the name it stands for, ends with .gz."""
    errors = "surrogateescape" if mode == "r" else "replace"
    if (like or path).suffix == ".gz":
        return cast(TextIO, gzip.open(path, f"{mode}t", encoding="utf-8", errors=errors))
    return cast(TextIO, path.open(mode, encoding="utf-8", errors=errors))
