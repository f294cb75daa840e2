"""Ratings as a picture: a row per player, the strongest on top, with its 95 % interval; SVG drawn by us."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from damier.arena.stats.ratings import Rating
from damier.drawing.readable import readable

__all__ = ["ratings_svg"]

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 760, 220, 100, 64, 44
ROW = 30
CAP = 5  # half the height of the end of an interval
NAME = 30  # letters; longer names are cut
INK, GRID = "#1f5fa8", "#e5e7eb"


def ratings_svg(ratings: Iterable[Rating], title: str) -> str:
    """Draw ratings with error bars.

    >>> ratings_svg([Rating("Anne", 20.0, 9.0, 8, 5.0, -20.0)], "A cup").count("<circle")
    1
    """
    rows, title = sorted(ratings, key=lambda row: -row.elo), readable(title)
    ticks = _ticks(
        min((row.elo - row.error for row in rows), default=0.0), max((row.elo + row.error for row in rows), default=0.0)
    )
    height = TOP + ROW * len(rows) + BOTTOM

    def at(elo: float) -> float:
        return LEFT + (elo - ticks[0]) / (ticks[-1] - ticks[0]) * (WIDTH - LEFT - RIGHT)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#ffffff"/>',
        f'<text x="24" y="34" font-size="17" font-weight="600" fill="#111827">{escape(title)}</text>',
    ]
    for elo in ticks:
        x, bottom = at(elo), height - BOTTOM
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP - 6}" y2="{bottom}" stroke="{GRID}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{elo:g}</text>')
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        parts += _row(row, y, at(row.elo - row.error), at(row.elo), at(row.elo + row.error))
    return "\n".join([*parts, "</svg>", ""])


def _row(row: Rating, y: float, low: float, middle: float, high: float) -> list[str]:
    whole = readable(row.name)  # XML forbids most control characters, even escaped
    name = whole if len(whole) <= NAME else whole[: NAME - 1] + "…"
    bar = f"M{low:.1f},{y:g} H{high:.1f} M{low:.1f},{y - CAP:g} v{2 * CAP} M{high:.1f},{y - CAP:g} v{2 * CAP}"
    words = f"{row.elo:.0f} ± {row.error:.0f}"
    return [
        f'<g class="player"><title>{escape(whole)}: {words}, {row.games} games</title>'
        f'<text x="{LEFT - 14}" y="{y + 4:g}" text-anchor="end">{escape(name)}</text>'
        f'<path d="{bar}" fill="none" stroke="{INK}" stroke-width="1.6"/>'
        f'<circle cx="{middle:.1f}" cy="{y:g}" r="4.2" fill="{INK}"/>'
        f'<text x="{WIDTH - 14}" y="{y + 4:g}" text-anchor="end" fill="#6b7280">{words}</text></g>'
    ]


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from below the lowest to above the highest value.

    >>> _ticks(-130, 270)
    [-200, -100, 0, 100, 200, 300]
    """
    wide = max(high - low, 10.0)
    power = 10.0 ** math.floor(math.log10(wide / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wide / 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * place) for place in range(first, max(last, first + 1) + 1)]
