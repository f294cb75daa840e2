"""Curves over steps or settings, a panel per measure, as SVG drawn here."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from html import escape

from damier.drawing.chart import COLOURS
from damier.drawing.readable import readable
from damier.drawing.scale import frame, ticks

__all__ = ["Curve", "curves"]

# Points (x, y), or (x, y, low, high) with an interval. Where y is infinite and so is one end, the other is a bound.
Curve = Sequence[tuple[float, ...]]
Panels = Mapping[str, Mapping[str, Curve]]  # curves by name, by what is measured

COLUMNS, WIDTH, HEIGHT = 2, 400, 240  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 62, 18, 40, 34
HEADER, LINE = 48, 17
MOST_POINTS, MOST_DOTS = 400, 40  # of a curve: more would not be seen


def curves(panels: Panels, *, title: str, x: str) -> str:
    """Draw a panel per measure, each with its own scale; the names of its curves are below its name.

    >>> panels = {"loss": {"": [(1, 0.5), (2, 0.4)]}, "elo": {"a": [(1, 5, -5, 15)], "b": []}}
    >>> picture = curves(panels, title="Two measures", x="step")
    >>> picture.count("<path"), picture.count("<g")
    (3, 2)
    """
    held = list(panels.items())
    rows = [held[first : first + COLUMNS] for first in range(0, len(held), COLUMNS)]
    # Legends take room of their own, as much as the longest of a row.
    legends = [LINE * max((len(lines) for _, lines in row if len(lines) > 1), default=0) for row in rows]
    width, height = min(COLUMNS, len(held) or 1) * WIDTH, HEADER + sum(legends) + max(1, len(rows)) * HEIGHT
    parts, down = frame(width, height, readable(title), 24, 30), HEADER
    for row, legend in zip(rows, legends, strict=True):
        for column, (name, lines) in enumerate(row):
            place = f'<g transform="translate({column * WIDTH},{down})">'
            parts += [place, *_panel(name, lines, x, legend), "</g>"]
        down += HEIGHT + legend
    return "\n".join([*parts, "</svg>", ""])


def _panel(name: str, lines: Mapping[str, Curve], x: str, legend: int) -> list[str]:
    held = {label: _thinned(points) for label, points in lines.items()}
    everything = [point for points in held.values() for point in points]
    levels = ticks(*_range([value for point in everything for value in point[1:] if math.isfinite(value)]))
    first, last = _range([point[0] for point in everything])

    def at(place: float, value: float) -> tuple[float, float]:
        across = (place - first) / (last - first or 1)
        up = (max(levels[0], min(value, levels[-1])) - levels[0]) / (levels[-1] - levels[0])
        bottom = HEIGHT + legend - BOTTOM
        return LEFT + across * (WIDTH - LEFT - RIGHT), bottom - up * (bottom - TOP - legend)

    parts = [f'<text x="{LEFT}" y="18" font-size="14" font-weight="600">{escape(readable(name))}</text>']
    for level in levels:
        y = at(first, level)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{level:g}</text>')
    for place in dict.fromkeys((first, last)):
        across = at(place, levels[0])[0]
        parts.append(
            f'<text x="{across:.1f}" y="{HEIGHT + legend - 16}" text-anchor="middle">{escape(f"{place:g}")}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{HEIGHT + legend - 16}" text-anchor="middle">{escape(x)}</text>')
    for number, (label, points) in enumerate(held.items()):
        colour = COLOURS[number % len(COLOURS)]
        if len(held) > 1:
            y = 18 + LINE * (number + 1)
            parts.append(f'<text x="{LEFT}" y="{y}" fill="{colour}">{escape(readable(label))}</text>')
        parts += _line(points, colour, at)
    return parts


def _line(points: Curve, colour: str, at: Callable[[float, float], tuple[float, float]]) -> list[str]:
    places = [at(point[0], point[1]) for point in points if math.isfinite(point[1])]
    path = " L".join(f"{px:.1f},{py:.1f}" for px, py in places)
    parts = []
    if places:
        parts.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>')
    if len(points) <= MOST_DOTS:
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="2.6" fill="{colour}"/>' for px, py in places]
    for point in points:
        if len(point) == 4:
            (px, low), (_, high) = at(point[0], point[2]), at(point[0], point[3])
            parts.append(f'<path d="M{px:.1f},{low:.1f} V{high:.1f}" stroke="{colour}"/>')
            if not math.isfinite(point[1]):  # a dash where the bound is
                end = low if math.isfinite(point[2]) else high
                parts.append(f'<path d="M{px - 4:.1f},{end:.1f} h8" stroke="{colour}" stroke-width="1.8"/>')
    return parts


def _thinned(points: Curve) -> Curve:
    step = math.ceil(len(points) / MOST_POINTS) or 1
    return points if step == 1 else [*points[:-1:step], points[-1]]


def _range(values: Sequence[float]) -> tuple[float, float]:
    return (min(values), max(values)) if values else (0.0, 1.0)
