"""`damier learn patterns`: tables over regions of squares on the scores and results of games."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game, Json, Resume

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
    mix: Annotated[
        float, typer.Option(min=0, max=1, help="Weight of the search score in the target; the rest is the game result.")
    ] = 0.7,
    scale: Annotated[
        int, typer.Option(min=0, max=10_000, metavar="CP", help="Score at which a win has odds of e to 1; 0 fits it.")
    ] = 0,
    skip: Annotated[int, typer.Option(min=0, max=1000, help="Skip first plies that have no score.")] = 10,
    max_score: Annotated[
        int, typer.Option(min=1, max=31_000, metavar="CP", help="Leave out positions with larger scores.")
    ] = 2000,
    tactical: Annotated[
        bool, typer.Option("--tactical", help="Use positions in which a capture or promotion was played, too.")
    ] = False,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="How often to go through all positions.")] = 4,
    batch_size: Annotated[
        int, typer.Option(min=0, max=2**24, metavar="N", help="Positions per update; 0 chooses at most 16384.")
    ] = 0,
    rate: Annotated[float, typer.Option(help="Learning rate of Adam at the start.")] = 0.08,
    prior: Annotated[
        float, typer.Option(min=0, help="Regularisation of every weight towards 0, as a number of positions.")
    ] = 30.0,
    match_every: learn.MatchEvery = 0,
    match_games: learn.MatchGames = 100,
    seed: learn.TrainingSeed = 0,
    resume: Resume = False,
    json: Json = False,
) -> None:
    """Learn tables over regions of squares by logistic regression on games with scores."""
    from damier.lab.patterns import PatternsLearner, PatternsSettings  # noqa: PLC0415  (slow to load)

    settings = PatternsSettings(
        windows=windows,
        phases=phases,
        least=least,
        mix=mix,
        scale=scale,
        skip=skip,
        max_score=max_score,
        tactical=tactical,
        epochs=epochs,
        batch_size=batch_size,
        rate=rate,
        prior=prior,
        seed=seed,
    )
    learner = PatternsLearner(game, games, settings=settings)
    run_training(learner, out=out, resume=resume, match_every=match_every, match_games=match_games, json=json)
