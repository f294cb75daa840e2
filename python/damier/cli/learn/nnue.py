"""`damier learn nnue`: an efficiently updated network on the scores and results of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["nnue"]


def nnue(
    game: Game,
    *,
    games: learn.DataToLearnFrom,
    out: learn.TrainingOut,
    hidden: learn.Neurons = 0,
    buckets: Annotated[
        int, typer.Option(min=1, max=16, metavar="N", help="Output rows, chosen by how many pieces are left.")
    ] = 8,
    king_buckets: Annotated[
        bool, typer.Option("--king-buckets", help="Let each side's inputs depend on where its king stands (chess).")
    ] = False,
    positions: learn.PositionOptions,
    images: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Random turns or reflections of each position.")
    ] = 1,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Continue from the network in this file, of the same size."),
    ] = None,
    epochs: learn.Epochs = 30,
    batch_size: Annotated[
        int, typer.Option(min=0, max=2**24, metavar="N", help="Positions per update; 0 chooses 4096 or 16384.")
    ] = 0,
    rate: Annotated[float, typer.Option(help="Learning rate of AdamW at the start.")] = 4e-3,
    power: Annotated[float, typer.Option(min=1, max=10, metavar="X", help="Power of the error in the loss.")] = 2.0,
    seeds: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Networks to train at once; the best one is kept.")
    ] = 1,
    matches: learn.MatchOptions,
    threads: learn.TrainingThreads = 1,
    device: learn.Device = "auto",
    graphs: Annotated[bool, typer.Option(help="Record updates as CUDA graphs, which is faster.")] = True,
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn an efficiently updated network (NNUE) from games with scores; on a GPU by PyTorch, the extra `train`."""
    from damier.lab.nnue import NnueLearner, NnueSettings  # noqa: PLC0415  (slow to load)

    settings = NnueSettings(
        hidden=hidden,
        buckets=buckets,
        king_buckets=king_buckets,
        **vars(positions),
        images=images,
        start=str(start or ""),
        epochs=epochs,
        batch_size=batch_size,
        rate=rate,
        power=power,
        seeds=seeds,
        seed=seed,
    )
    learner = NnueLearner(game, games, settings=settings, threads=threads, device=device, record=graphs)
    run_training(learner, out, run, matches)
