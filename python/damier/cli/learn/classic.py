"""`damier learn classic`: logistic regression on games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from damier._core import DataError
from damier.cli.options import Game, Json, console, print_json

__all__ = ["classic"]


def classic(
    game: Game,
    *,
    games: Annotated[
        Path, typer.Option(metavar="DIR|FILE", help="A run folder, a PGN, PDN or SGF file, or a database.")
    ],
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
    """Fit the weights of the `classic` evaluation by logistic regression on games."""
    from damier.lab import fit_classic  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    if not out.parent.is_dir():
        raise DataError(f"{out.parent}: no such folder")
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        reading = bar.add_task("reading games", total=1.0)
        fitting = bar.add_task("fitting", total=steps)

        def on_progress(stage: str, step: int, value: float) -> None:
            if stage == "reading":
                bar.update(reading, completed=value)
            else:
                bar.update(fitting, completed=step, description=f"fitting, loss {value:.6f}")

        fit = fit_classic(
            game,
            games,
            skip=skip,
            every=every,
            mix=mix,
            prior=prior,
            steps=steps,
            threads=threads,
            seed=seed,
            on_progress=on_progress,
        )
    fit.save(out)
    if json:
        print_json(
            {
                "game": game,
                "samples": fit.samples,
                "held_out": fit.held_out,
                "slope": fit.slope,
                "loss_before": fit.loss_before,
                "loss_after": fit.loss_after,
                "margin": fit.margin,
                "spread": fit.spread,
                "out": str(out),
            }
        )
        return
    console().print(
        f"{fit.samples:,} positions, {fit.held_out:,} held out; loss there {fit.loss_before:.5f} before, "
        f"{fit.loss_after:.5f} after\nslope {fit.slope:.5f}, margin {fit.margin:.0f}, "
        f"spread {fit.spread:.0f}\n{out}",
        markup=False,
    )
