"""What a bench prints, and with --write keeps as a page of docs/results, or as one section of such a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


def print_page(lines: Iterable[str], write: Path | None, *, section: str | None = None) -> None:
    """Print lines as they come; the page, or the section of it with that heading, is written once all are there."""
    printed = []
    for line in lines:
        print(line, flush=True)
        printed.append(line)
    if write and section:
        write.write_text(with_section(write.read_text(encoding="utf-8"), section, "\n".join(printed)), encoding="utf-8")
    elif write:
        write.write_text("\n".join(printed) + "\n", encoding="utf-8")


def with_section(page: str, heading: str, text: str) -> str:
    r"""A page with the text of one section replaced, or added at the end.

    >>> with_section("# All\n\n## One\n\nold\n\n## Two\n\nkept\n", "One", "new")
    '# All\n\n## One\n\nnew\n\n## Two\n\nkept\n'
    """
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    at = next((i for i, part in enumerate(parts) if part.startswith(f"## {heading}\n")), len(parts))
    parts[at : at + 1] = [f"## {heading}\n\n{text}"]
    return "\n\n".join(part.strip() for part in parts) + "\n"
