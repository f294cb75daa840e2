"""`damier tune`: parameters of the search, tuned by games."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from damier.arena import Sprt
from damier.cli.match import shown, table_of
from damier.cli.options import Json, console, print_json
from damier.cli.sprt import two_numbers
from damier.cli.tournament import Concurrency, Out, Resume

__all__ = ["tune"]


def tune(
    file: Annotated[Path, typer.Argument(metavar="SPACE.toml", help="Game, player, limit, steps and parameters.")],
    *,
    out: Out = None,
    resume: Resume = False,
    concurrency: Concurrency = 1,
    sprt: Annotated[
        str, typer.Option(metavar="E0,E1|none", help="The test of tuned against untuned in the end.")
    ] = "0,10",
    json: Json = False,
) -> None:
    """Tune parameters by games (SPSA), and test whether that made the player stronger."""
    from damier.arena.tune_file import read_tune  # noqa: PLC0415  (numpy and records are slow to load)

    if resume and out is None:
        raise typer.BadParameter("--resume goes on with what is in --out DIR")
    test = None if sprt == "none" else Sprt(*two_numbers("--sprt", sprt))
    asked = read_tune(file, out=out, resume=resume, concurrency=concurrency)
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    report: dict[str, Any] = {"game": asked.game, "player": asked.player}
    try:
        with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
            task = bar.add_task("tuning", total=asked.steps)

            def told(spsa: object) -> None:
                values = ", ".join(f"{name} {value:.1f}" for name, value in asked.spsa.values.items())
                bar.update(task, completed=asked.spsa.done, description=values)

            asked.run(told)
        if not json:
            console().print(f"tuned: {asked.with_values(asked.spsa.best())}", markup=False)
        if test:
            trial = asked.trial(test)
            with shown(trial) as show:
                trial.run(show)
            if json:
                report["trial"] = trial.tally.report(test)
            else:
                console().print(table_of(trial, trial.tally))
    except KeyboardInterrupt:
        if out:
            print(f"interrupted; `--out {out} --resume` goes on", file=sys.stderr)
        raise
    if json:
        print_json(report | {"values": asked.spsa.values, "best": asked.spsa.best(), "steps": asked.spsa.done})
