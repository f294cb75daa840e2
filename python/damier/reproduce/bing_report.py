"""The report of `bing`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from damier.arena.stats.pairs import Pairs
from damier.drawing.curves import Curve, curves
from damier.drawing.intervals import Interval, intervals
from damier.drawing.markdown import table
from damier.files import JsonObject, JsonView
from damier.reproduce.matches import elo_text, score_text
from damier.reproduce.report import Report, plot

if TYPE_CHECKING:
    from damier.reproduce.bing import BingSettings, Kind

__all__ = ["report"]

Results = Mapping[str, JsonView]
COMPARED = (
    ("2 hidden neurons over 1", "usual", "one"),
    ("2 hidden neurons over a weighted sum", "usual", "sum"),
    ("RPROP over backpropagation", "usual", "backprop"),
    ("mixed base over games of the network alone", "usual", "network-alone"),
    ("mixed base over games of bing-linear alone", "usual", "linear-alone"),
    ("TDLeaf over TD-directed, few steps", "leaf", "some-games"),
    ("TreeStrap over TD-directed, few steps", "treestrap", "some-games"),
)


def report(results: Results, held: BingSettings, kinds: Mapping[str, Kind]) -> Report:
    """Tables and plots, from the results of the steps alone."""
    nets, matches = results["nets"], results["matches"]
    rows, marks = [], []
    for name, kind in kinds.items():
        labels = [f"{name}-{seed}" for seed in range(held.seeds)]
        pooled = _pooled(matches, name, held.seeds)
        each = ", ".join(_brief(matches[label]) for label in labels)
        loss, r2 = (sum(nets[label][key] for label in labels) / len(labels) for key in ("loss", "r2"))
        rows.append([kind.name, kind.theirs, elo_text(pooled), each, score_text(pooled), f"{loss:.3f}", f"{r2:.3f}"])
        marks.append(_mark(kind.name.partition(":")[0], pooled))
    shipped = matches["shipped"]
    rows.append(["`eval=bing`, as damier ships it", "", elo_text(shipped), "", score_text(shipped), "", ""])
    marks.append(_mark("eval=bing, shipped", shipped))
    head = ("net", "they say", "Elo over bing-linear", "by seed", "games", "held-out loss", "R2")
    base, often = 4 * held.games, f"{held.seeds} times" if held.seeds > 1 else "once"
    parts = [
        "BING's authors report second places at two Olympiads, and what helped, without figures. Every net is "
        f"learnt {often}, as in the first row except for what its row says, and plays {held.match_games} games each "
        "time against `bing-linear`, the hand-set weighted sum of the same components, at "
        f"{held.nodes} nodes per move. Intervals are 95 %, over all games of a row. Losses (mean squared "
        "error of the result, -1 to 1) are on the held-out tenth of the base: compare them only within a base.",
        table(head, rows),
        plot("elo", "Elo over bing-linear of every net"),
        f"The mixed base has {base} games, {held.games} each by bing-linear, classic, quads and an earlier network "
        f"that learnt from the other three; a base of one version has {base} games of it. The base is replayed "
        f"{held.replays} times. TDLeaf and TreeStrap search every position again whenever weights have changed, so "
        f"they take {held.searched_steps} steps of {held.searched_games} games; TD-directed with as many "
        "steps and games is there for comparison.",
        "## What makes a difference",
        "Nets of one kind also differ by their seed, which the games of a few nets do not show. So there are two "
        "95 % intervals: for these particular nets, from their games, and for such nets in general, from the "
        "differences between nets of the same seed (Student's t). Only the second shows that a method is better.",
        table(("in Elo", "these nets", "such nets", "by seed"), _compared(matches, held.seeds)),
        plot("loss", "Held-out loss by step"),
    ]
    plots = {"elo": intervals(marks, "Elo over bing-linear, 95 %", least=50.0), "loss": _curves(nets, kinds)}
    return Report("BING: a 14-2-1 network for Lines of Action", parts, plots)


def _compared(matches: JsonView, seeds: int) -> list[list[str]]:
    """How much better one kind of net is than another, in general and seed by seed."""
    rows = []
    for words, one, other in COMPARED:
        first, second = (Pairs(*_pooled(matches, name, seeds)["pairs"]).elo() for name in (one, other))
        value, error = first.value - second.value, math.hypot(first.error, second.error)
        each = [_elo(matches[f"{one}-{seed}"]) - _elo(matches[f"{other}-{seed}"]) for seed in range(seeds)]
        rows.append([words, _interval(value, error), _by_seeds(each), ", ".join(map(_signed, each))])
    return rows


def _by_seeds(differences: list[float]) -> str:
    """The mean and its 95 % interval, as far as so few values allow.

    >>> _by_seeds([50.0, 31.0, 21.0]), _by_seeds([50.0])
    ('+34 ± 37', 'unknown')
    """
    from scipy.special import stdtrit  # noqa: PLC0415  (slow to load)

    count = len(differences)
    if count < 2 or not np.isfinite(differences).all():
        return "unknown"
    error = float(stdtrit(count - 1, 0.975) * np.std(differences, ddof=1) / math.sqrt(count))
    return _interval(float(np.mean(differences)), error)


def _interval(value: float, error: float) -> str:
    return f"{value:+.0f} ± {error:.0f}" if math.isfinite(value + error) else "unknown"


def _signed(value: float) -> str:
    return f"{value:+.0f}" if math.isfinite(value) else "unknown"


def _elo(result: JsonView) -> float:
    return Pairs(*result["pairs"]).elo().value


def _curves(nets: JsonView, kinds: Mapping[str, Kind]) -> str:
    def of(*names: str) -> dict[str, Curve]:
        return _last_parts({kinds[name].name: nets[f"{name}-0"]["curve"] for name in names})

    panels = {
        "Neurons and optimiser": of("usual", "one", "sum", "backprop"),
        "Lambda": of("usual", "lambda-05", "lambda-07", "lambda-10"),
        "Bases (each held out by itself)": of("usual", "network-alone", "linear-alone"),
        "Few steps, of some games each": of("some-games", "leaf", "treestrap"),
    }
    return curves(panels, title="Held-out loss (mean squared error of the result), once it is near its end", x="step")


def _last_parts(lines: Mapping[str, Curve]) -> dict[str, Curve]:
    """Each curve from where it stays near the ends of all: the first steps would hide how these differ.

    >>> _last_parts({"a": [(1, 1.5), (2, 0.78), (3, 0.77)], "b": [(1, 1.4), (2, 0.9), (3, 0.75)]})
    {'a': [(2, 0.78), (3, 0.77)], 'b': [(3, 0.75)]}
    """
    ends = [points[-1][1] for points in lines.values()]
    near = 2 * max(ends) - min(ends)  # as far above the highest end as the lowest is below it
    parts = {}
    for name, points in lines.items():
        first = max((number for number, point in enumerate(points, 1) if point[1] > near), default=0)
        parts[name] = points[first:]
    return parts


def _pooled(matches: JsonView, name: str, seeds: int) -> JsonObject:
    """The matches of all nets of a kind as one."""
    results = [matches[f"{name}-{seed}"] for seed in range(seeds)]
    sums = {key: sum(result[key] for result in results) for key in ("wins", "draws", "losses", "games")}
    return {**sums, "pairs": [sum(counts) for counts in zip(*(result["pairs"] for result in results), strict=True)]}


def _brief(result: JsonView) -> str:
    elo = Pairs(*result["pairs"]).elo()
    return f"{elo.value:+.0f}" if math.isfinite(elo.value) else str(elo)


def _mark(name: str, result: JsonView) -> Interval:
    elo = Pairs(*result["pairs"]).elo()
    known = [end for end in (elo.low, elo.high) if end is not None]
    low, high = (known[0], known[-1]) if known else (elo.value, elo.value)
    value = min(max(elo.value, low), high)  # where all games were won, the end that is known
    return Interval(name, value, low, high, elo_text(result), f"{result['games']} games")
