"""Text for people: names and messages from outside, which may hold control characters, and durations in words."""

from __future__ import annotations

__all__ = ["duration", "readable"]


def readable(text: str) -> str:
    r"""Text in one line, with a question mark for each control character and each byte that is not text.

    >>> readable("e4\udcff\n"), readable("\x1b[31mred")
    ('e4? ', '?[31mred')
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


def duration(seconds: float) -> str:
    """A span of time in its two largest units.

    >>> duration(42.4), duration(191), duration(11357), duration(200_000)
    ('42 s', '3 min 11 s', '3 h 9 min', '2 d 7 h')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    parts = ((whole // 86_400, "d"), (whole // 3600 % 24, "h"), (whole // 60 % 60, "min"), (whole % 60, "s"))
    first = next(number for number, (count, _) in enumerate(parts) if count)
    return " ".join(f"{count} {unit}" for count, unit in parts[first : first + 2] if count)
