"""Where a player's words come from: an editing prompt on a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

__all__ = ["Complete", "Reader", "line_reader"]

Complete = Callable[[str], Iterable[str]]  # the words that may stand at the end of what was typed


class Reader(Protocol):
    """Asks for a line; EOFError when there are no more."""

    def __call__(self, prompt: str) -> str: ...


def line_reader(complete: Complete) -> Reader:
    """The reader that suits the standard input and output."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        session: PromptSession[str] = PromptSession(completer=_Words(complete), complete_while_typing=True)
        return lambda prompt: session.prompt(prompt, placeholder="a move, or help")
    return _plain


def _plain(prompt: str) -> str:
    """Read a line and echo it, so that a scripted game reads like a played one."""
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(prompt + line.rstrip("\n"), flush=True)
    return line


class _Words(Completer):
    """Completes the last word typed, whatever its case."""

    def __init__(self, complete: Complete) -> None:
        self.complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor.lstrip()
        word = typed.split(" ")[-1]
        for candidate in self.complete(typed):
            if candidate.lower().startswith(word.lower()):
                yield Completion(candidate, start_position=-len(word))
