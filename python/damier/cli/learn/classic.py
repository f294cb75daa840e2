"""`damier learn classic`: logistic regression on games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["classic"]


def classic(
    game: Game,
    *,
    games: learn.LearnFrom,
    out: learn.TrainingOut,
    features: Annotated[
        str, typer.Option(metavar="NAME", help="Feature set to weigh; the terms of `classic` by default.")
    ] = "",
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start from the weights in this file (.safetensors).")
    ] = None,
    skip: Annotated[int, typer.Option(min=0, max=1000, metavar="N", help="Skip the first plies of each game.")] = 10,
    every: Annotated[int, typer.Option(min=1, help="Use one position in N, at random.", metavar="N")] = 1,
    mix: learn.Mix = 0,
    prior: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="X", help="Regularisation towards the first weights; 1e-7, or 0 for a feature set."
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, metavar="N", help="Iterations of L-BFGS-B per step.")] = 10,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of steps.")] = 30,
    matches: learn.MatchOptions,
    threads: Annotated[int, typer.Option(min=1, max=1024, metavar="N", help="Number of threads.")] = os.cpu_count()
    or 1,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Fit the weights of an evaluation to the results of games by logistic regression."""
    from damier.lab.classic import ClassicLearner, ClassicSettings  # noqa: PLC0415  (slow to load)

    settings = ClassicSettings(
        features=features,
        start=str(start or ""),
        skip=skip,
        every=every,
        mix=mix,
        prior=prior,
        iterations=iterations,
        seed=seed,
    )
    learner = ClassicLearner(game, games, steps=steps, settings=settings, threads=threads)
    run_training(learner, out, run, matches)
