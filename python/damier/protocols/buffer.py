"""Bytes in, lines out."""

from __future__ import annotations

from collections import deque

__all__ = ["Lines"]

LongestLine = 1 << 16  # bytes; the rest of a longer line is dropped


class Lines:
    """Cuts a stream of bytes into lines; what is no text is replaced, what is too long is cut.

    >>> lines = Lines()
    >>> lines.add(b"uciok\\r\\nready")
    >>> lines.take(), lines.take()
    ('uciok', None)
    >>> lines.rest()
    'ready'
    """

    def __init__(self) -> None:
        self._whole: deque[bytes] = deque()
        self._begun = b""
        self.size = 0  # bytes held

    def add(self, data: bytes) -> None:
        """Take more of the stream."""
        first, *others = data.split(b"\n")
        room = LongestLine - len(self._begun)
        begun = self._begun + first[:room]
        self.size += len(begun) - len(self._begun)
        if others:
            self._whole.append(begun)
            self._whole += others[:-1]
            begun = others[-1]
            self.size += sum(map(len, others))
        self._begun = begun

    def take(self) -> str | None:
        """The next whole line, None if there is none."""
        if not self._whole:
            return None
        line = self._whole.popleft()
        self.size -= len(line)
        return line.decode("utf-8", "replace").rstrip("\r")

    def rest(self) -> str | None:
        """What came last and was never ended, once; None if there is nothing."""
        rest, self._begun = self._begun, b""
        self.size -= len(rest)
        return rest.decode("utf-8", "replace").rstrip("\r") if rest else None

    def clear(self) -> None:
        """Forget all."""
        self._whole.clear()
        self._begun, self.size = b"", 0
