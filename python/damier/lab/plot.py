"""The metrics of a training as a picture: a panel per metric over the steps."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from damier.arena.stats.pairs import Estimate
from damier.drawing.curves import Curve, curves

__all__ = ["training_svg"]

FIRST = ("loss", "r2", "elo")  # of the panels, where they are measured
INTERVAL = ("elo_error", "elo_low", "elo_high")  # drawn with the Elo itself


def training_svg(rows: Sequence[Mapping[str, float]], title: str) -> str:
    """Draw the rows of metrics.jsonl; constant metrics are left out, names such as `weights/own pieces` share a panel.

    >>> rows = [{"step": 1, "loss": 0.5, "games": 10}, {"step": 2, "loss": 0.4, "games": 10, "elo": 20, "elo_error": 9}]
    >>> training_svg(rows, "td").count("<g transform")
    2
    """
    panels: defaultdict[str, dict[str, Curve]] = defaultdict(dict)
    names = dict.fromkeys("elo" if name in INTERVAL else name for row in rows for name in row)
    for name in sorted(names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST)):
        points = [point for row in rows if (point := _point(row, name))]
        is_still = len(points) > 1 and len({point[1:] for point in points}) == 1
        if name == "step" or is_still:
            continue
        panel, _, line = name.partition("/")
        panels[panel.replace("_", " ")][line] = points
    return curves(panels, title=title, x="step")


def _point(row: Mapping[str, float], name: str) -> tuple[float, ...]:
    if name != "elo":
        return (row["step"], row[name]) if name in row else ()
    elo = Estimate.read(row, name)
    if elo.low is None and elo.high is None:
        return (row["step"], row[name]) if name in row else ()
    low, high = -math.inf if elo.low is None else elo.low, math.inf if elo.high is None else elo.high
    return row["step"], elo.value, low, high  # one end is infinite where all games were won, or lost
