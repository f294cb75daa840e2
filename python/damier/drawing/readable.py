"""Text from outside, made fit to be shown: names and messages may hold bytes that a terminal obeys."""

from __future__ import annotations

__all__ = ["readable"]


def readable(text: str) -> str:
    r"""Text in one line, with a question mark for each control character and each byte that is not text.

    >>> readable("e4\udcff\n"), readable("\x1b[31mred")
    ('e4? ', '?[31mred')
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)
