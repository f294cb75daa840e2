"""What a bench prints, and writes as a page of docs/results where it is asked to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path


def tell(lines: Iterable[str], write: Path | None) -> None:
    """Print lines as they come; the page is written once all are there."""
    told = []
    for line in lines:
        print(line, flush=True)
        told.append(line)
    if write:
        write.write_text("\n".join(told) + "\n", encoding="utf-8")
