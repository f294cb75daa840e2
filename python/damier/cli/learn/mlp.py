"""`damier learn mlp`: a multilayer perceptron on the moves or boards of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier._core import DamierError
from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["mlp"]


def mlp(
    game: Game,
    *,
    games: learn.LearnFrom,
    out: learn.TrainingOut,
    label: learn.Label = "boards",
    hidden: Annotated[str, typer.Option(metavar="N,...", help="Neurons of each hidden layer.")] = "64,64,32,16",
    epochs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Maximum number of epochs; it stops once the loss has settled.")
    ] = 500,
    rate: Annotated[float, typer.Option(help="Learning rate of Adam.")] = 1e-3,
    batch_size: Annotated[int, typer.Option(min=1, metavar="N", help="Rows per update.")] = 200,
    start: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Start from the network in this file instead of a random one.")
    ] = None,
    rows: learn.RowOptions,
    matches: learn.MatchOptions,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Train scikit-learn's multilayer perceptron on the moves or boards of games."""
    from damier.lab.mlp import MlpLearner, MlpSettings  # noqa: PLC0415  (slow to load, and only needed here)

    settings = MlpSettings(
        label=label,
        hidden=_sizes(hidden),
        rate=rate,
        batch_size=batch_size,
        **vars(rows),
        start=str(start) if start else None,
        seed=seed,
    )
    learner = MlpLearner(game, games, steps=epochs, settings=settings)
    run_training(learner, out, run, matches, rival="random")


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise DamierError(f"hidden is {text!r}, expected whole numbers such as 64,64,32,16") from None
