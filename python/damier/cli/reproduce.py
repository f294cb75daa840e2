"""`damier reproduce`: repeat what others reported, and compare."""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier.cli import options
from damier.cli.live import live
from damier.drawing.readable import duration, readable

if TYPE_CHECKING:  # slow to load
    from damier.reproduce.frame import Progress

__all__ = ["reproduce"]


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="deep-checker, bing, loa-levels, paris or ocap; see docs/reproductions.md."
        ),
    ],
    *,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version that takes minutes, to see how it works.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Folder for games, training and the report; runs/reproduce-NAME by default."),
    ] = None,
    threads: Annotated[
        int, typer.Option(min=1, max=1024, metavar="N", help="Games played at the same time.")
    ] = os.cpu_count() or 1,
    seed: options.Seed = 0,
    resume: options.Resume = False,
    json: options.Json = False,
) -> None:
    """Repeat the experiments of a published program, and compare."""
    from damier.reproduce import named  # noqa: PLC0415
    from damier.reproduce import reproduce as run  # noqa: PLC0415

    reproduction = named(name, quick=quick)
    folder = out or Path("runs") / f"reproduce-{name}{'-quick' if quick else ''}"
    words = ["damier", "reproduce", name, *(["--quick"] if quick else []), *(["--seed", str(seed)] if seed else [])]
    with shown(reproduction.name) as show:
        page = run(
            reproduction,
            out=folder,
            seed=seed,
            threads=threads,
            resume=resume,
            command=shlex.join(words),
            on_progress=show,
        )
    if json:
        options.print_json(
            {"reproduction": name, "game": reproduction.game, "seed": seed, "out": str(folder), "report": str(page)}
        )
    else:
        options.console().print(f"{page}", markup=False)


def shown(name: str) -> AbstractContextManager[Callable[[Progress], None]]:
    """A live table of the steps on a terminal."""
    started: dict[str, float] = {}

    def draw(progress: Progress) -> Table:
        now = time.monotonic()
        return _picture(name, progress, now - started.setdefault(progress.now or "", now))

    return live(draw)


def _picture(name: str, progress: Progress, running: float) -> Table:
    table = Table(title=f"{name}, {len(progress.seconds)} of {len(progress.steps)} steps", title_justify="left")
    for column in ("step", "", "time"):
        table.add_column(column, justify="right" if column == "time" else "left")
    for step in progress.steps:
        if step.name in progress.seconds:
            row = step.what, "done", duration(progress.seconds[step.name])
        elif step.name == progress.now:
            row = step.what, progress.words or "running", duration(running)
        else:
            row = step.what, "", ""
        table.add_row(*(escape(readable(word)) for word in row))
    return table
