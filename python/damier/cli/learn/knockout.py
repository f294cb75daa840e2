"""`damier learn knockout`: generations of knock-out tournaments."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["knockout"]


def knockout(
    game: Game,
    *,
    out: learn.TrainingOut,
    features: learn.Features = "",
    players: Annotated[int, typer.Option(min=2, max=1024, metavar="N", help="Players per tournament.")] = 32,
    games: Annotated[int, typer.Option(min=1, max=1000, metavar="N", help="Games per match.")] = 5,
    play: learn.PlayOptions,
    settle: Annotated[
        float,
        typer.Option(
            min=0,
            max=2,
            metavar="X",
            help="Stop when the winner changed by at most this, on average over 10 tournaments; 0 for never.",
        ),
    ] = 0.05,
    steps: Annotated[int, typer.Option(min=1, metavar="N", help="Maximum number of tournaments.")] = 100,
    matches: learn.MatchOptions,
    threads: learn.PlayThreads = 1,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn the weights of an evaluation by knock-out tournaments, from random weights."""
    from damier.lab.knockout import KnockoutLearner, KnockoutSettings  # noqa: PLC0415  (slow to load)

    settings = KnockoutSettings(
        features=features,
        players=players,
        games=games,
        **vars(play),
        settle=settle,
        seed=seed,
    )
    learner = KnockoutLearner(game, steps=steps, settings=settings, threads=threads)
    run_training(learner, out, run, matches)
