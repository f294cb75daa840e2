"""Where a player's lines come from: an editing prompt on a terminal, plain lines in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from damier.drawing.readable import readable

__all__ = ["Complete", "Reader", "completed", "line_reader"]

Complete = Callable[[str], Iterable[str]]  # the words that may stand at the end of what was typed
Reader = Callable[[str], str]  # asks for a line after a prompt; EOFError when there are no more


def line_reader(complete: Complete) -> Reader:
    """The reader that suits the standard input and output."""
    on_terminal = sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()
    return _edited_lines(complete) if on_terminal else _plain_line


def completed(typed: str, words: Iterable[str]) -> Iterator[str]:
    """The words that complete the last one typed, whatever its case.

    >>> list(completed("n", ["Nf3", "Nh3", "e4"]))
    ['Nf3', 'Nh3']
    """
    last = typed.rsplit(" ", maxsplit=1)[-1].lower()
    return (word for word in words if word.lower().startswith(last))


def _edited_lines(complete: Complete) -> Reader:
    """Lines typed at the terminal, with history, editing, and TAB to complete moves."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415  (slow to load, and scripts do without)
    from prompt_toolkit.completion import CompleteEvent, Completer, Completion  # noqa: PLC0415
    from prompt_toolkit.document import Document  # noqa: PLC0415
    from prompt_toolkit.shortcuts import CompleteStyle  # noqa: PLC0415

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            typed = document.text_before_cursor.lstrip()
            for word in completed(typed, complete(typed)):
                yield Completion(word, start_position=-len(typed.split(" ")[-1]))

    session: PromptSession[str] = PromptSession(completer=Words(), complete_style=CompleteStyle.READLINE_LIKE)
    return lambda prompt: session.prompt(prompt, placeholder=[("#888888", "a move, or help")])


def _plain_line(prompt: str) -> str:
    """Read a line and echo it, so that a scripted game reads like a played one."""
    line = sys.stdin.readline() if sys.stdin else ""
    if not line:
        raise EOFError
    line = readable(line).strip()
    print(prompt + line, flush=True)
    return line
