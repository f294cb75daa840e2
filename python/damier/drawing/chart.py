"""A line chart with a logarithmic scale, as SVG drawn by us."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

__all__ = ["COLOURS", "chart"]

COLOURS = ("#1f5fa8", "#d9822b", "#2a8c55", "#b0398f", "#4aa3c7", "#c2331e", "#6b7280")
WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 170, 56, 56
LABEL = 17  # the least distance between two labels


def chart(series: Mapping[str, Sequence[float]], *, title: str, x: str, y: str) -> str:
    """Draw one line a name; its values, all above 0, belong to 1, 2, 3...

    >>> chart({"slow": [10, 100, 1000], "fast": [8, 20, 60]}, title="Nodes", x="depth", y="nodes").count("<path")
    2
    """
    values = [value for line in series.values() for value in line]
    low, high = floor(log10(min(values, default=1))), ceil(log10(max(values, default=10)))
    high = max(high, low + 1)
    longest = max((len(line) for line in series.values()), default=1)

    def at(index: int, value: float) -> tuple[float, float]:
        across = index / max(longest - 1, 1)
        up = (log10(value) - low) / (high - low)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="30" font-size="17" font-weight="600" fill="#111827">{escape(title)}</text>',
    ]
    for power in range(low, high + 1):
        level = at(0, 10**power)[1]
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{level:.1f}" y2="{level:.1f}" stroke="#e5e7eb"/>')
        parts.append(f'<text x="{LEFT - 10}" y="{level + 4:.1f}" text-anchor="end">{_short(power)}</text>')
    parts += [
        f'<text x="{at(index, 10**low)[0]:.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{index + 1}</text>'
        for index in range(longest)
    ]
    middle = (LEFT + WIDTH - RIGHT) / 2
    parts.append(f'<text x="{middle:g}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x)}</text>')
    parts.append(f'<text x="16" y="{TOP - 10}">{escape(y)}</text>')
    parts += _lines(series, at)
    return "\n".join([*parts, "</svg>"])


def _lines(series: Mapping[str, Sequence[float]], at: Callable[[int, float], tuple[float, float]]) -> list[str]:
    """The lines, thinner the later so that equal ones can all be seen, and their names where they end."""
    parts = []
    ends: list[tuple[tuple[float, float], str, str]] = []
    for number, (name, values) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = [at(index, value) for index, value in enumerate(values)]
        path = " L".join(f"{px:.1f},{py:.1f}" for px, py in points)
        width = max(1.6, 5 - 0.6 * number)
        parts.append(
            f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round"/>'
        )
        parts += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3.2" fill="{colour}"/>' for px, py in points]
        ends.append((points[-1], name, colour))
    level = float(HEIGHT)
    for (px, py), name, colour in sorted(ends, key=lambda end: -end[0][1]):  # from the bottom up, none on another
        level = min(py, level - LABEL)
        parts.append(
            f'<text x="{px + 12:.1f}" y="{level + 4:.1f}" fill="{colour}" font-weight="600">{escape(name)}</text>'
        )
    return parts


def _short(power: int) -> str:
    """A power of ten as people write it: 100, 10k, 1M."""
    for unit, letter in ((9, "G"), (6, "M"), (3, "k")):
        if power >= unit:
            return f"{10 ** (power - unit)}{letter}"
    return f"{10**power:g}"
