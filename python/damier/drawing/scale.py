"""Round numbers along the scale of a chart, and the frame every chart has."""

from __future__ import annotations

import math
from html import escape

__all__ = ["frame", "ticks"]

TOLD_APART = 1e-13  # the share of large numbers by which they must differ for a few more to fit between them


def ticks(low: float, high: float, *, least: float = 0.0) -> list[float]:
    """Round numbers from below the lowest to above the highest value, which span at least `least`.

    >>> ticks(-130, 270), ticks(0.52, 0.68)
    ([-200.0, -100.0, 0.0, 100.0, 200.0, 300.0], [0.5, 0.55, 0.6, 0.65, 0.7])
    >>> len(set(ticks(0.5, 0.5 + 1e-12))) > 1
    True
    """
    wide = max(max(high - low, least) or 1.0, TOLD_APART * max(abs(low), abs(high)))
    power = 10.0 ** math.floor(math.log10(wide / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wide / 5)
    first, last = math.floor(low / step), math.ceil(high / step)
    digits = max(10, 2 - math.floor(math.log10(step)))
    return [round(step * place, digits) + 0.0 for place in range(first, max(last, first + 1) + 1)]


def frame(width: int, height: int, title: str, left: int, top: int) -> list[str]:
    """The first lines of an SVG picture: a white card with a title."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="system-ui, sans-serif" font-size="13" fill="#374151">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="#ffffff"/>',
        f'<text x="{left}" y="{top}" font-size="17" font-weight="600" fill="#111827">{escape(title)}</text>',
    ]
