"""`damier learn`: evaluations made from games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from damier._core import DataError
from damier.cli.options import Game, Json, console, print_json

__all__ = ["learn"]

learn = typer.Typer(no_args_is_help=True, help="Train an evaluation from games.")


@learn.callback()
def _learn() -> None:
    """Train an evaluation from games."""


@learn.command()
def classic(
    game: Game,
    *,
    games: Annotated[Path, typer.Option(metavar="DIR", help="Folder of games from `damier selfplay --out`.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="Write the weights to this file (.safetensors).")],
    skip: Annotated[int, typer.Option(min=0, max=1000, help="Skip the first plies of each game.")] = 10,
    every: Annotated[int, typer.Option(min=1, help="Use every N-th position.", metavar="N")] = 1,
    mix: Annotated[
        float, typer.Option(min=0, max=1, help="Weight of the search score in the target; the rest is the game result.")
    ] = 0,
    prior: Annotated[float, typer.Option(min=0, help="Regularisation towards the current weights.")] = 1e-7,
    steps: Annotated[int, typer.Option(min=1, help="Maximum number of steps.")] = 300,
    threads: Annotated[int, typer.Option(min=1, max=1024, help="Number of threads.")] = os.cpu_count() or 1,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for choosing positions.")] = 0,
    json: Json = False,
) -> None:
    """Fit the weights of the `classic` evaluation by logistic regression on self-play games."""
    from damier.lab import tune  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    if not out.parent.is_dir():
        raise DataError(f"{out.parent}: no such folder")
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        reading = bar.add_task("reading games", total=1.0)
        fitting = bar.add_task("fitting", total=steps)

        def told(stage: str, step: int, value: float) -> None:
            if stage == "reading":
                bar.update(reading, completed=value)
            else:
                bar.update(fitting, completed=step, description=f"fitting, loss {value:.6f}")

        tuning = tune(
            game,
            games,
            skip=skip,
            every=every,
            mix=mix,
            prior=prior,
            steps=steps,
            threads=threads,
            seed=seed,
            told=told,
        )
    tuning.save(out)
    if json:
        print_json(
            {
                "game": game,
                "samples": tuning.samples,
                "held_out": tuning.held_out,
                "slope": tuning.slope,
                "loss_before": tuning.loss_before,
                "loss_after": tuning.loss_after,
                "margin": tuning.margin,
                "spread": tuning.spread,
                "out": str(out),
            }
        )
        return
    console().print(
        f"{tuning.samples:,} positions, {tuning.held_out:,} held out; loss there {tuning.loss_before:.5f} before, "
        f"{tuning.loss_after:.5f} after\nslope {tuning.slope:.5f}, margin {tuning.margin:.0f}, "
        f"spread {tuning.spread:.0f}\n{out}",
        markup=False,
    )
