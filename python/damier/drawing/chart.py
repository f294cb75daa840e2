"""A line chart with a linear or a logarithmic scale, as SVG drawn here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, log10

from damier.drawing.scale import frame, ticks

__all__ = ["COLOURS", "chart"]

COLOURS = ("#1f5fa8", "#d9822b", "#2a8c55", "#b0398f", "#4aa3c7", "#c2331e", "#6b7280")
WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 170, 68, 56
LABEL, LETTER = 17, 8  # the least distance between two labels, and the width of a letter of theirs
HALO = 'paint-order="stroke" stroke="#fff" stroke-width="4"'  # where a name lies on the line of another
CLEAR, FAR = 9, 4 * LABEL  # of a name from the line of another, and from where its own ends
MOST_MARKED = 12  # points of a line that are each drawn, and each have a number below

At = Callable[[int, float], tuple[float, float]]


def chart(
    series: Mapping[str, Sequence[float]],
    *,
    title: str,
    x: str,
    y: str,
    xs: Sequence[float] | None = None,
    log: bool = True,
    errors: Mapping[str, Sequence[float]] | None = None,
) -> str:
    """Draw one line per name; its values belong to 1, 2, 3... or to `xs`, and are above 0 on a logarithmic scale.

    `errors` are half the intervals of the values of some of the lines.

    >>> chart({"slow": [10, 100, 1000], "fast": [8, 20, 60]}, title="Nodes", x="depth", y="nodes").count("<path")
    2
    >>> with_bars = chart({"a": [-1, 3]}, title="", x="", y="", xs=[0, 500], log=False, errors={"a": [0.5, 1]})
    >>> with_bars.count("<path")
    2
    """
    errors = errors or {}
    values = [value for line in series.values() for value in line]
    values += [
        line[i] + sign * e
        for name, line in series.items()
        for i, e in enumerate(errors.get(name, ()))
        for sign in (-1, 1)
    ]
    longest = max((len(line) for line in series.values()), default=1)
    places = [*xs] if xs is not None else [float(number) for number in range(1, longest + 1)]
    levels = (
        _powers(values)
        if log
        else {mark: f"{mark:g}" for mark in ticks(min(values, default=0), max(values, default=1))}
    )
    low, high = _height(min(levels), log), _height(max(levels), log)
    first, last = places[0], max(places[longest - 1], places[0])

    def across(place: float) -> float:
        return LEFT + (place - first) / ((last - first) or 1) * (WIDTH - LEFT - RIGHT)

    def at(index: int, value: float) -> tuple[float, float]:
        up = (_height(value, log) - low) / (high - low)
        return across(places[index]), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = frame(WIDTH, HEIGHT, title, LEFT, 30)
    for level, words in levels.items():
        up = at(0, level)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up:.1f}" y2="{up:.1f}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{up + 4:.1f}" text-anchor="end">{words}</text>')
    marks = (
        places[:longest] if longest <= MOST_MARKED else [mark for mark in ticks(first, last) if first <= mark <= last]
    )
    parts += [
        f'<text x="{across(mark):.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{mark:g}</text>'
        for mark in marks
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x)}</text>')
    parts.append(f'<text x="16" y="{TOP - 18}">{escape(y)}</text>')
    parts += _bars(series, errors, at)
    parts += _lines(series, at)
    return "\n".join([*parts, "</svg>"])


def _height(value: float, log: bool) -> float:
    return log10(value) if log else value


def _powers(values: Sequence[float]) -> dict[float, str]:
    """The powers of ten around values, and how people write them."""
    low, high = floor(log10(min(values, default=1))), ceil(log10(max(values, default=10)))
    return {10.0**power: _short(power) for power in range(low, max(high, low + 1) + 1)}


def _bars(series: Mapping[str, Sequence[float]], errors: Mapping[str, Sequence[float]], at: At) -> list[str]:
    """The error bars, behind all lines: a path for each line that has some."""
    parts = []
    for number, (name, values) in enumerate(series.items()):
        ends = [(at(i, values[i] - error), at(i, values[i] + error)[1]) for i, error in enumerate(errors.get(name, ()))]
        path = " ".join(f"M{px:.1f},{low:.1f} V{high:.1f}" for (px, low), high in ends)
        colour = COLOURS[number % len(COLOURS)]
        if path:
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.2" opacity="0.6"/>')
    return parts


def _lines(series: Mapping[str, Sequence[float]], at: At) -> list[str]:
    """The lines, later ones thinner so that equal lines can all be seen, and their names where they end."""
    parts = []
    paths = [[at(index, value) for index, value in enumerate(values)] for values in series.values()]
    ends: list[tuple[tuple[float, float], str, str]] = []
    for number, (name, points) in enumerate(zip(series, paths, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        path = " L".join(f"{px:.1f},{py:.1f}" for px, py in points)
        width = max(1.6, 5 - 0.6 * number) if len(points) <= MOST_MARKED else 1.8
        parts.append(
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round"/>'
        )
        if len(points) <= MOST_MARKED:
            parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.2" fill="{colour}"/>' for px, py in points]
        ends.append((points[-1], name, colour))
    placed: list[tuple[float, float, float]] = []  # where labels begin and end, and how high they are
    for (px, py), name, colour in sorted(ends, key=lambda end: -end[0][1]):  # from the bottom up, none on another
        left, right = px + 12, px + 12 + LETTER * len(name)
        labels = [(up - LABEL, up + LABEL) for begin, end, up in placed if begin < right and left < end]
        lines = [(high - CLEAR, low + CLEAR) for path in paths for high, low in _span(path, left, right)]
        level = _free(py, labels + lines)
        if py - level > FAR:  # a name on a line is better than one that is nowhere near its own
            level = _free(py, labels)
        placed.append((left, right, level))
        parts.append(
            f'<text x="{left:.1f}" y="{level + 4:.1f}" fill="{colour}" font-weight="600" {HALO}>{escape(name)}</text>'
        )
    return parts


def _span(path: Sequence[tuple[float, float]], left: float, right: float) -> list[tuple[float, float]]:
    """How high and how low a line is between two places; nothing where it is not there."""
    heights = [
        before + (after - before) * (place - start) / ((end - start) or 1)
        for (start, before), (end, after) in pairwise(path)
        if start <= right and left <= end
        for place in (max(start, left), min(end, right))
    ]
    return [(min(heights), max(heights))] if heights else []


def _free(level: float, taken: Sequence[tuple[float, float]]) -> float:
    """The first height from `level` upwards that is not within what is taken."""
    for top, bottom in sorted(taken, key=lambda each: -each[1]):
        if top < level < bottom:
            level = top
    return level


def _short(power: int) -> str:
    """A power of ten as people write it: 100, 10k, 1M."""
    for unit, letter in ((9, "G"), (6, "M"), (3, "k")):
        if power >= unit:
            return f"{10 ** (power - unit)}{letter}"
    return f"{10**power:g}"
