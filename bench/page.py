"""What a bench prints, and with --write keeps as a page of docs/results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def print_page(lines: Iterable[str], write: Path | None) -> None:
    """Print lines as they come; the page is written once all are there."""
    printed = []
    for line in lines:
        print(line, flush=True)
        printed.append(line)
    if write:
        write.write_text("\n".join(printed) + "\n", encoding="utf-8")
