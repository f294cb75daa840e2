"""Where a player's words come from: an editing prompt on a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

__all__ = ["Complete", "Reader", "line_reader", "readable"]

Complete = Callable[[str], Iterable[str]]  # the words that may stand at the end of what was typed
Reader = Callable[[str], str]  # asks for a line after a prompt; EOFError when there are no more


def line_reader(complete: Complete) -> Reader:
    """The reader that suits the standard input and output."""
    if sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty():
        from damier.terminal.editing import edited_lines  # noqa: PLC0415  (slow to load, and scripts do without)

        return edited_lines(complete)
    return _plain_line


def _plain_line(prompt: str) -> str:
    """Read a line and echo it, so that a scripted game reads like a played one."""
    line = readable(sys.stdin.readline()) if sys.stdin else ""
    if not line:
        raise EOFError
    print(prompt + line.rstrip("\n"), flush=True)
    return line


def readable(text: str) -> str:
    r"""Text as typed, with a question mark for each byte that is no text.

    >>> readable("e4\udcff")
    'e4?'
    """
    return text.encode(errors="replace").decode()
