"""Bytes in, clean lines out: where the text of other programs enters."""

from __future__ import annotations

from collections import deque

__all__ = ["LineBuffer", "clean"]

LONGEST_LINE = 1 << 16  # bytes; the rest of a longer line is dropped


def clean(text: str) -> str:
    """Text that is safe to print: control characters and lone surrogates are replaced, tabs and the like are spaces.

    >>> print(clean("Evil\\x1b[2J\\tengine"))
    Evil�[2J engine
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "\ufffd" for char in text)


class LineBuffer:
    """Cuts a stream of bytes into clean lines; bytes that are not UTF-8 are replaced, long lines are cut.

    >>> lines = LineBuffer()
    >>> lines.add(b"uciok\\r\\nready")
    >>> lines.take(), lines.take()
    ('uciok', None)
    >>> lines.rest()
    'ready'
    """

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        self._unfinished = b""
        self.size = 0  # bytes held

    def add(self, data: bytes) -> None:
        """Append the next bytes of the stream."""
        first, *others = data.split(b"\n")
        room = LONGEST_LINE - len(self._unfinished)
        unfinished = self._unfinished + first[:room]
        self.size += len(unfinished) - len(self._unfinished)
        if others:
            self._lines.append(unfinished)
            self._lines += others[:-1]
            unfinished = others[-1]
            self.size += sum(map(len, others))
        self._unfinished = unfinished

    def take(self) -> str | None:
        """The next complete line, None if there is none yet."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self.size -= len(line)
        return _decoded(line)

    def rest(self) -> str | None:
        """The last line if the stream ended without a newline, once; None if there is none."""
        rest, self._unfinished = self._unfinished, b""
        self.size -= len(rest)
        return _decoded(rest) if rest else None

    def clear(self) -> None:
        """Drop everything."""
        self._lines.clear()
        self._unfinished, self.size = b"", 0


def _decoded(line: bytes) -> str:
    return clean(line.decode("utf-8", "replace").rstrip("\r"))
