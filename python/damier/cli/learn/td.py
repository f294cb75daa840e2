"""`damier learn td`: temporal differences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["td"]


def td(
    game: Game,
    *,
    out: learn.TrainingOut,
    games: learn.MayLearnFrom = None,
    variant: Annotated[
        str, typer.Option(metavar="NAME", help="td, directed (moves chosen by a search), leaf (TDLeaf) or treestrap.")
    ] = "directed",
    features: learn.Features = "",
    hidden: Annotated[int, typer.Option(min=0, max=64, metavar="N", help="Hidden neurons; 0 for a weighted sum.")] = 2,
    trace_decay: Annotated[
        float, typer.Option("--lambda", min=0, max=1, metavar="X", help="Weight of later differences.")
    ] = 0.9,
    optimiser: Annotated[str, typer.Option(metavar="NAME", help="rprop or backprop.")] = "rprop",
    rate: Annotated[float | None, typer.Option(help="Learning rate; for rprop, the first step.")] = None,
    depth: Annotated[int, typer.Option(min=1, max=20, metavar="PLIES", help="Search depth while learning.")] = 2,
    games_per_step: Annotated[int, typer.Option(min=0, metavar="N", help="Games per step; 0 for all given.")] = 0,
    random_plies: Annotated[
        int, typer.Option(min=0, max=200, metavar="N", help="Random opening plies of games it plays.")
    ] = 8,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Start from checkpoint.safetensors of another td training."),
    ] = None,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Number of steps.")] = 500,
    matches: learn.MatchOptions,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn an evaluation by temporal differences: TD(lambda), TD-directed, TDLeaf or TreeStrap."""
    from damier.lab.td import TdLearner, TdSettings  # noqa: PLC0415  (slow to load)

    settings = TdSettings(
        variant=variant,
        features=features,
        hidden=hidden,
        trace_decay=trace_decay,
        optimiser=optimiser,
        rate=rate,
        depth=depth,
        games_per_step=games_per_step,
        random_plies=random_plies,
        start=str(start or ""),
        seed=seed,
    )
    learner = TdLearner(game, games or (), steps=steps, settings=settings)
    run_training(learner, out, run, matches)
