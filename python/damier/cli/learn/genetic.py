"""`damier learn genetic`: a pool of weights until one is left."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game, console

__all__ = ["genetic"]


def genetic(
    game: Game,
    *,
    out: learn.TrainingOut,
    features: learn.Features = "",
    constraints: Annotated[
        Path | None, typer.Option(metavar="FILE", help=r"TOML file with the range of each weight: NAME = \[low, high].")
    ] = None,
    pool: Annotated[int, typer.Option(min=2, max=10_000, metavar="N", help="Members of the pool at the start.")] = 24,
    games_per_step: Annotated[int, typer.Option(min=1, metavar="N", help="Games per step.")] = 60,
    value: Annotated[float, typer.Option(min=0.001, max=1000, metavar="X", help="Points at stake in a game.")] = 1.0,
    trial: Annotated[int, typer.Option(min=1, metavar="N", help="Games before a member is judged.")] = 20,
    low: Annotated[float, typer.Option(max=0, metavar="X", help="Remove members with fewer points.")] = -8.0,
    high: Annotated[float, typer.Option(min=0, metavar="X", help="Members with more points have offspring.")] = 6.0,
    mutation: Annotated[
        float, typer.Option(min=0, max=1, metavar="X", help="Standard deviation of mutations, as a share of the range.")
    ] = 0.1,
    play: learn.PlayOptions,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of steps.")] = 500,
    matches: learn.MatchOptions,
    threads: learn.PlayThreads = 1,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn the weights of an evaluation by a genetic pool: members play until one is left."""
    from damier.lab.genetic import GeneticLearner, GeneticSettings  # noqa: PLC0415  (slow to load)

    settings = GeneticSettings(
        features=features,
        pool=pool,
        games_per_step=games_per_step,
        value=value,
        trial=trial,
        low=low,
        high=high,
        mutation=mutation,
        **vars(play),
        seed=seed,
    )
    learner = GeneticLearner(game, steps=steps, constraints=constraints, settings=settings, threads=threads)
    run_training(learner, out, run, matches)
    if learner.left > 1 and not run.json:
        console().print(f"\nThe pool still has {learner.left} members after --steps {steps}; the best one was kept.")
