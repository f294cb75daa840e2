"""What people see of a training: a table that moves while it runs, and at its end what to do next."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from damier.cli.options import console, print_json

if TYPE_CHECKING:  # slow to load
    from damier.lab.training import Training

__all__ = ["shown", "summary"]

ROWS = 12
BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60


@contextmanager
def shown(total: int) -> Iterator[Callable[[Training], None]]:
    """A live table of the last steps on a terminal, nothing elsewhere; gives what `train` is to call after each."""
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    with Live(console=screen, refresh_per_second=4, transient=True) as live:
        yield lambda training: live.update(_picture(training, total))


def summary(training: Training, game: str, *, rival: str, json: bool) -> None:
    """Print what was reached, and the commands that play with it."""
    path = str(training.path)
    if json:
        print_json({"game": game, "method": training.method, "steps": training.steps, "out": path, **training.last})
        return
    first, last = training.metrics[0] if training.metrics else {}, training.last
    table = Table(title=f"{training.method}, {training.steps} steps", title_justify="left")
    for name in ("", "first step", "last step"):
        table.add_column(name, justify="left" if not name else "right")
    for name in last:
        if _has_column(name):
            table.add_row(name.replace("_", " "), _number(first.get(name)), _number(last[name]))
    output = console()
    output.print(table)
    output.print(
        f"{path}\n\nPlay against it:  damier play {game} --black engine:eval={path}\n"
        f"Measure it:       damier match {game} engine:eval={path},nodes=500 engine:eval={rival},nodes=500 --games 200",
        markup=False,
    )


def spark(values: list[float]) -> str:
    """A curve of at most sixty letters.

    >>> spark([0.0, 1.0, 2.0, 7.0])
    '▁▂▃█'
    """
    step = max(1, len(values) // WIDTH)
    chosen = values[::step]
    low, high = min(chosen), max(chosen)
    return "".join(BARS[round((value - low) / (high - low or 1) * (len(BARS) - 1))] for value in chosen)


def _picture(training: Training, total: int) -> Group:
    names = [name for name in training.last if _has_column(name)]
    table = Table(title=f"{training.method}, step {training.steps} of {total}", title_justify="left")
    for name in ("step", *names):
        table.add_column(name.replace("_", " "), justify="right")
    for row in training.metrics[-ROWS:]:
        table.add_row(*(_number(row.get(name)) for name in ("step", *names)))
    losses = [row["loss"] for row in training.metrics if "loss" in row]
    return Group(table, Text(f"loss {spark(losses)}" if losses else ""))


def _has_column(name: str) -> bool:
    """Whether tables show it: what comes in groups, such as `weights/own pieces`, is for plots."""
    return name != "step" and "/" not in name


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value == int(value) else f"{value:.4f}"
