"""`damier learn knn`: the nearest neighbours among the moves or boards of games."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["knn"]


def knn(
    game: Game,
    *,
    games: learn.LearnFrom,
    out: learn.TrainingOut,
    label: learn.Label = "boards",
    k: Annotated[int, typer.Option("--k", min=1, max=1000, metavar="N", help="Neighbours to average.")] = 4,
    rows: learn.RowOptions,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Steps of 500 queries each, to measure R2.")] = 20,
    threads: Annotated[int, typer.Option(min=1, max=1024, metavar="N", help="Threads; the result is the same.")] = 1,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Keep the moves or boards of games, and score others by the most similar ones."""
    from damier.lab.knn import KnnLearner, KnnSettings  # noqa: PLC0415  (slow to load, and only needed here)

    settings = KnnSettings(label=label, k=k, **vars(rows), seed=seed)
    learner = KnnLearner(game, games, steps=steps, settings=settings, threads=threads)
    run_training(learner, out, run, rival="random")
