"""Texts for people: durations in words, and names that cannot disturb whatever shows them."""

from __future__ import annotations

import unicodedata

__all__ = ["duration", "printable"]

UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # categories of characters that control, direct or break lines
JOINER = "\u200d"  # which parts of an emoji need


def duration(seconds: float) -> str:
    """A time in its two largest units.

    >>> duration(0.4), duration(75), duration(11357), duration(200_000)
    ('0.4 s', '1 min 15 s', '3 h 9 min', '2 d 7 h')
    """
    if seconds < 10:
        return f"{max(0.0, seconds):.1f} s"
    left, words = round(seconds), list[str]()
    for place, (unit, size) in enumerate(UNITS):
        if left >= size:
            finer, step = UNITS[min(place + 1, len(UNITS) - 1)]
            words.append(f"{left // size} {unit}")
            if step < size and (rest := left % size // step):
                words.append(f"{rest} {finer}")
            break
    return " ".join(words)


def printable(text: str) -> str:
    """A text in one line, without anything that a terminal, a picture or a page would take for an order.

    >>> printable("Anne\\x1b[31m\\nBob")
    'Anne�[31m Bob'
    """
    if text.isprintable():
        return text
    kept = (char if unicodedata.category(char) not in HIDDEN or char == JOINER else "�" for char in _in_a_line(text))
    return "".join(kept)


def _in_a_line(text: str) -> str:
    return " ".join(text.split()) if any(char.isspace() for char in text) else text
