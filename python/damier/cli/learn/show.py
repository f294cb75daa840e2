"""How a training is shown: a live table while it runs, and at its end what to do next."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from damier.arena.stats.pairs import Estimate
from damier.cli.learn.options import MatchOptions, RunOptions
from damier.cli.live import live
from damier.cli.options import console, print_json

if TYPE_CHECKING:  # slow to load
    from damier.lab.training import Learner, Training

__all__ = ["run_training", "shown", "spark"]

ROWS = 12
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 28  # of a curve: the widest table then fits into 80 columns
CLEARLY_WORSE = 0.03  # a fall of R2
LINES = ("loss", "r2", "elo", "gate_elo")  # drawn as they go


def run_training(
    learner: Learner,
    out: Path,
    run: RunOptions,
    matches: MatchOptions | None = None,
    *,
    rival: str = "",
    nodes: int = 500,
) -> Training:
    """Train a learner and show its progress: what every `damier learn` command does once it has made one.

    `rival` is the spec of the player to measure it against, by default the engine with the evaluation of the game, and
    `nodes` how many nodes per move the suggested commands use.
    """
    from damier.games import board  # noqa: PLC0415
    from damier.lab.training import Matches, train  # noqa: PLC0415  (slow to load)

    played = Matches(matches.match_every, matches.match_games) if matches and matches.match_every else None
    with shown(learner.steps, lambda: learner.status) as on_step:
        training = train(learner, out=out, resume=run.resume, matches=played, on_step=on_step)
    if run.json:
        about = {"game": learner.game, "method": learner.method, "steps": training.steps, "out": str(training.path)}
        print_json({**about, **{name: value for name, value in training.last.items() if name != "step"}})
    else:
        usual = f"engine:eval={board(learner.game).evaluations()[0]},nodes={nodes}"
        _summary(training, learner.game, learner.spec(str(training.path), nodes), rival or usual)
        # Generations, and those who play themselves, are measured on other games each time; neighbours learn nothing.
        if "data_sha256" in learner.provenance() and "loss" in training.last and "gate_elo" not in training.last:
            console().print(_overfitting(training.metrics), end="", markup=False, soft_wrap=True)
    return training


@dataclass(frozen=True)
class _Status:
    """A line that says how far the current step is, anew whenever the screen is refreshed."""

    text: Callable[[], str]

    def __rich__(self) -> Group:
        return Group(*([Text(self.text())] if self.text() else []))


def shown(total: int, status: Callable[[], str] = str) -> AbstractContextManager[Callable[[Training], None]]:
    """A live table of the last steps on a terminal, for `train` to call after each; `status` says how far the current
    one is.
    """
    now = _Status(status)
    return live(lambda training: Group(_picture(training, total), now), now)


def _summary(training: Training, game: str, spec: str, rival: str) -> None:
    """Print the result, where it is, and the commands that play with it."""
    from damier.lab.training import PLOT, TENSORBOARD  # noqa: PLC0415  (slow to load)

    assert training.path
    first = training.metrics[0] if training.metrics else {}
    table = Table(title=f"{training.method}, {training.steps} steps", title_justify="left")
    for name in ("", "start" if not first.get("step", 1) else "first step", "last step", ""):
        table.add_column(name, justify="right" if name else "left")
    for name in _columns(training.metrics):
        values = [row[name] for row in training.metrics if name in row]
        latest = next((row for row in reversed(training.metrics) if _cell(row, name)), training.last)
        words = _cell(first, name), _cell(latest, name)
        table.add_row(name.replace("_", " "), *words, spark(values) if len(set(values)) > 1 else "")
    output, folder = console(), training.path.parent
    output.print(table)
    lines = [f"{training.path}", f"Curves:           {folder / PLOT}"]
    lines += [
        f"                  {shlex.join(['tensorboard', '--logdir', str(folder / TENSORBOARD)])}",
        f"Play against it:  {shlex.join(['damier', 'play', game, '--black', spec])}",
        f"In the browser:   {shlex.join(['damier', 'serve', '--player', str(training.path)])}",
        f"Measure it:       {shlex.join(['damier', 'match', game, spec, rival, '--games', '200'])}",
    ]
    output.print("\n".join(lines), markup=False, soft_wrap=True)


def _overfitting(rows: Sequence[Mapping[str, float]]) -> str:
    """A line that says when the games held out were explained clearly better than in the end, if they were.

    >>> print(_overfitting([{"step": 0, "r2": 0.31}, {"step": 9, "r2": 0.05}]), end="")
    Warning: R2 on held-out games was 0.310 at step 0 and is 0.050 now; fewer steps or more games may do better
    """
    measured = [row for row in rows if "r2" in row]
    if not measured:
        return ""
    best, last = max(measured, key=lambda row: row["r2"]), measured[-1]
    if best["r2"] - last["r2"] < CLEARLY_WORSE:
        return ""
    return (
        f"Warning: R2 on held-out games was {best['r2']:.3f} at step {best['step']:.0f} and is {last['r2']:.3f} now; "
        "fewer steps or more games may do better\n"
    )


def spark(values: list[float]) -> str:
    """A curve of at most 28 characters.

    >>> spark([0.0, 1.0, 2.0, 7.0])
    '▁▂▃█'
    """
    chosen = values[:: -(-len(values) // WIDTH)]
    low, high = min(chosen), max(chosen)
    return "".join(BARS[round((value - low) / (high - low or 1) * (len(BARS) - 1))] for value in chosen)


def _picture(training: Training, total: int) -> Group:
    names = _columns(training.metrics[-ROWS:])
    table = Table(title=f"{training.method}, step {training.steps} of {total}", title_justify="left")
    for name in ("step", *names):
        table.add_column(name.replace("_", " "), justify="right")
    for row in training.metrics[-ROWS:]:
        table.add_row(*(_cell(row, name) for name in ("step", *names)))
    lines = {name: [row[name] for row in training.metrics if name in row] for name in LINES}
    lines = {name.replace("_", " "): values for name, values in lines.items() if values}
    width = max(map(len, lines), default=0)
    drawn = [f"{name:{width}} {spark(values)}" for name, values in lines.items()]
    return Group(table, *map(Text, drawn))


def _columns(rows: Sequence[Mapping[str, float]]) -> list[str]:
    """The columns of tables; groups, such as `weights/own pieces`, are only plotted."""
    names = dict.fromkeys("elo" if name.startswith("elo_") else name for row in rows for name in row)
    return [name for name in names if name != "step" and "/" not in name]


def _cell(row: Mapping[str, float], name: str) -> str:
    if name == "elo":
        return str(Estimate.read(row, name)) if {"elo", "elo_low", "elo_high"} & row.keys() else ""
    value = row.get(name)
    if value is None:
        return ""
    if name == "rate":  # which falls to almost nothing
        return f"{value:.2g}"
    return f"{value:,.0f}" if value == int(value) else f"{round(value, 4) + 0.0:.4f}"  # never -0
