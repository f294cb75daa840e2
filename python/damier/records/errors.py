"""Errors in a record, each in one line: the file, the line, what was found and what was expected."""

from __future__ import annotations

from damier._core import DamierError

__all__ = ["RecordError", "shown"]


class RecordError(DamierError):
    """A record that cannot be read or written; `reason` is the message without the place.

    >>> print(RecordError("'Nf9' is not a legal chess move here", name="games.pgn", line=14))
    games.pgn:14: 'Nf9' is not a legal chess move here
    """

    def __init__(self, reason: str, *, name: str = "", line: int = 0) -> None:
        self.reason = " ".join(reason.split())
        self.name = name
        self.line = line
        place = f"{name}:{line}" if line else name
        super().__init__(f"{place}: {self.reason}" if name else self.reason)

    def at(self, name: str, line: int) -> RecordError:
        """The same error with its place; a line already known is kept."""
        return RecordError(self.reason, name=self.name or name, line=self.line or line)


def shown(text: str, longest: int = 40) -> str:
    """A text as quoted in messages: in quotes, not too long.

    >>> print(shown("Nf9"))
    'Nf9'
    """
    return repr(text if len(text) <= longest else f"{text[:longest]}...")
