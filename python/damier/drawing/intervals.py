"""Figures with their intervals as a picture: a row each, in SVG drawn here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from damier.drawing.readable import readable
from damier.drawing.scale import frame, ticks

__all__ = ["Interval", "intervals"]

WIDTH, LEFT, TOP, BOTTOM = 760, 220, 64, 44
LETTER = 7.4  # the width of one, about
ROW = 30
CAP = 5  # half the height of the end of an interval
NAME = 30  # letters; longer names are cut
INK, GREY, GRID = "#1f5fa8", "#9ca3af", "#e5e7eb"


@dataclass(frozen=True)
class Interval:
    """A figure with the ends of its interval, also as text; `theirs` are drawn in grey, for comparison."""

    name: str
    value: float
    low: float
    high: float
    words: str
    about: str = ""  # what a pointer at it shows besides
    theirs: bool = False


def intervals(rows: Sequence[Interval], title: str, *, least: float = 0.0) -> str:
    """Draw figures with error bars, over a scale that spans at least `least`.

    >>> intervals([Interval("Anne", 0.6, 0.5, 0.7, "60 %")], "Points").count("<circle")
    1
    """
    title = readable(title)
    marks = ticks(
        min((row.low for row in rows), default=0.0), max((row.high for row in rows), default=0.0), least=least
    )
    height = TOP + ROW * len(rows) + BOTTOM
    right = 40 + LETTER * max((len(row.words) for row in rows), default=0)

    def at(value: float) -> float:
        return LEFT + (value - marks[0]) / (marks[-1] - marks[0]) * (WIDTH - LEFT - right)

    parts = frame(WIDTH, height, title, 24, 34)
    for mark in marks:
        x, bottom = at(mark), height - BOTTOM
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}" stroke="{GRID}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{mark:g}</text>')
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        parts += _row(row, y, at(row.low), at(row.value), at(row.high))
    return "\n".join([*parts, "</svg>", ""])


def _row(row: Interval, y: float, low: float, middle: float, high: float) -> list[str]:
    whole = readable(row.name)  # XML forbids most control characters, even escaped
    name = whole if len(whole) <= NAME else whole[: NAME - 1] + "…"
    ink = GREY if row.theirs else INK
    bar = f"M{low:.1f},{y:g} H{high:.1f} M{low:.1f},{y - CAP:g} v{2 * CAP} M{high:.1f},{y - CAP:g} v{2 * CAP}"
    about = f"{row.words}, {row.about}" if row.about else row.words
    return [
        f'<g class="player"><title>{escape(whole)}: {escape(about)}</title>'
        f'<text x="{LEFT - 14}" y="{y + 4:g}" text-anchor="end">{escape(name)}</text>'
        f'<path d="{bar}" fill="none" stroke="{ink}" stroke-width="1.6"/>'
        f'<circle cx="{middle:.1f}" cy="{y:g}" r="4.2" fill="{ink}"/>'
        f'<text x="{WIDTH - 14}" y="{y + 4:g}" text-anchor="end" fill="#6b7280">{escape(row.words)}</text></g>'
    ]
