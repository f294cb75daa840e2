"""`damier learn patterns`: tables over regions of squares on the scores and results of games."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["patterns"]


def patterns(
    game: Game,
    *,
    games: learn.DataToLearnFrom,
    out: learn.TrainingOut,
    windows: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Regions as rows, columns and steps, such as 4x6/2x2,6x4/2x2; the game's by default."
        ),
    ] = "",
    phases: Annotated[
        int, typer.Option(min=1, max=8, metavar="N", help="Weights of each state, from few pieces to many.")
    ] = 4,
    least: Annotated[
        int, typer.Option(min=1, max=10**9, metavar="N", help="Leave out states that occur less often.")
    ] = 30,
    positions: learn.PositionOptions,
    epochs: learn.Epochs = 4,
    batch_size: Annotated[
        int, typer.Option(min=0, max=2**24, metavar="N", help="Positions per update; 0 chooses at most 16384.")
    ] = 0,
    rate: Annotated[float, typer.Option(help="Learning rate of Adam at the start.")] = 0.08,
    prior: Annotated[
        float,
        typer.Option(min=0, metavar="X", help="Regularisation of every weight towards 0, as a number of positions."),
    ] = 30.0,
    matches: learn.MatchOptions,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn tables over regions of squares by logistic regression on games with scores."""
    from damier.lab.patterns import PatternsLearner, PatternsSettings  # noqa: PLC0415  (slow to load)

    settings = PatternsSettings(
        windows=windows,
        phases=phases,
        least=least,
        **vars(positions),
        epochs=epochs,
        batch_size=batch_size,
        rate=rate,
        prior=prior,
        seed=seed,
    )
    learner = PatternsLearner(game, games, settings=settings)
    run_training(learner, out, run, matches)
