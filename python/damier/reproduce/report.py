"""The report of a reproduction: Markdown and plots, and how to make them again."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from damier.drawing.markdown import table
from damier.drawing.readable import duration
from damier.files import write_atomically

__all__ = ["Conditions", "Report", "plot", "write_report"]


@dataclass(frozen=True)
class Report:
    """Paragraphs of Markdown, and plots (SVG) by name: `plot("elo", "Elo by step")` is the paragraph that shows one."""

    title: str
    parts: list[str]
    plots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Conditions:
    """How a report was made."""

    command: str
    engines: Sequence[str]  # one, unless steps were taken after a change of it
    seed: int
    threads: int
    seconds: Mapping[str, float]  # by step


def plot(name: str, words: str) -> str:
    """The paragraph that shows a plot of the report.

    >>> plot("elo", "Elo by step")
    '![Elo by step](PLOT-elo.svg)'
    """
    return f"![{words}](PLOT-{name}.svg)"


def write_report(report: Report, name: str, conditions: Conditions, folder: Path) -> Path:
    """Write NAME.md and NAME-PLOT.svg for each plot; the page shows the plots beside it."""
    for each, picture in report.plots.items():
        write_atomically(folder / f"{name}-{each}.svg", picture.rstrip("\n") + "\n")
    text = "\n\n".join([f"# {report.title}", *report.parts, _conditions(conditions)])
    page = folder / f"{name}.md"
    write_atomically(page, text.replace("](PLOT-", f"]({name}-") + "\n")
    return page


def _conditions(held: Conditions) -> str:
    whole = sum(held.seconds.values())
    rows = [[step, duration(seconds) if seconds >= 1 else f"{seconds:.2f} s"] for step, seconds in held.seconds.items()]
    machine = f"{os.cpu_count()} cores ({platform.machine()}), {held.threads} used"
    return "\n\n".join(
        [
            "## How this was made",
            f"```\n{held.command}\n```",
            f"{' and '.join(held.engines)}, seed {held.seed}, {machine}; {duration(whole)} in all:",
            table(("step", "time"), rows),
        ]
    )
