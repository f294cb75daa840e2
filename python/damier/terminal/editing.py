"""The prompt of a terminal: history, editing, and TAB that completes moves."""

from __future__ import annotations

from collections.abc import Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.shortcuts import CompleteStyle

from damier.terminal.prompt import Complete, Reader

__all__ = ["Words", "edited_lines"]


def edited_lines(complete: Complete) -> Reader:
    """Lines typed at the terminal."""
    session: PromptSession[str] = PromptSession(completer=Words(complete), complete_style=CompleteStyle.READLINE_LIKE)
    return lambda prompt: session.prompt(prompt, placeholder=[("#888888", "a move, or help")])


class Words(Completer):
    """Completes the last word typed, whatever its case.

    >>> words = Words(lambda typed: ["Nf3", "Nh3", "e4"])
    >>> [found.text for found in words.get_completions(Document("n"), CompleteEvent())]
    ['Nf3', 'Nh3']
    """

    def __init__(self, complete: Complete) -> None:
        self.complete = complete

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor.lstrip()
        word = typed.split(" ")[-1]
        for candidate in self.complete(typed):
            if candidate.lower().startswith(word.lower()):
                yield Completion(candidate, start_position=-len(word))
