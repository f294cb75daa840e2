"""Tables in Markdown, of values that may hold anything."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence

from damier.drawing.readable import readable

__all__ = ["cell", "table"]


def table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table with a line per row.

    >>> print(table(("name", "points"), [("Anne", 1.5), ("Bob", 2)]))
    | name | points |
    | --- | --- |
    | Anne | 1.5 |
    | Bob | 2 |
    """
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell(value) for value in line)} |" for line in lines)


def cell(value: object) -> str:
    r"""A value in one line, escaped for Markdown and HTML.

    >>> cell("a|b"), cell(0.50)
    ('a\\|b', '0.5')
    """
    if isinstance(value, float):
        return f"{value:g}"
    return re.sub(r"([\\|\[])", r"\\\1", html.escape(readable(str(value)), quote=False))
