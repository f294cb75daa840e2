"""`damier learn nnue`: an efficiently updated network on the scores and results of games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game, Json, Resume

__all__ = ["nnue"]


def nnue(
    game: Game,
    *,
    games: learn.DataToLearnFrom,
    out: learn.TrainingOut,
    hidden: Annotated[
        int, typer.Option(min=0, max=1024, metavar="N", help="Neurons, a multiple of 16; 0 chooses by positions.")
    ] = 0,
    buckets: Annotated[
        int, typer.Option(min=1, max=16, metavar="N", help="Output rows, chosen by how many pieces are left.")
    ] = 8,
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
    images: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Random turns or reflections of each position.")
    ] = 1,
    start: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Continue from the network of this file, of the same size."),
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, metavar="N", help="How often to go through all positions.")] = 30,
    batch_size: Annotated[
        int, typer.Option(min=0, max=2**24, metavar="N", help="Positions per update; 0 chooses 4096 or 16384.")
    ] = 0,
    rate: Annotated[float, typer.Option(help="Learning rate of AdamW at the start.")] = 4e-3,
    power: Annotated[float, typer.Option(min=1, max=10, help="Power of the error in the loss.")] = 2.0,
    seeds: Annotated[
        int, typer.Option(min=1, max=64, metavar="N", help="Networks to train at once; the best one is kept.")
    ] = 1,
    match_every: learn.MatchEvery = 0,
    match_games: learn.MatchGames = 100,
    threads: learn.TorchThreads = 1,
    device: learn.Device = "auto",
    graphs: Annotated[bool, typer.Option(help="Record updates as CUDA graphs, which is faster.")] = True,
    seed: learn.TrainingSeed = 0,
    resume: Resume = False,
    json: Json = False,
) -> None:
    """Learn an efficiently updated network (NNUE) from games with scores; needs PyTorch, the extra `train`."""
    from damier.lab.nnue import NnueLearner, NnueSettings  # noqa: PLC0415  (slow to load)

    settings = NnueSettings(
        hidden=hidden,
        buckets=buckets,
        mix=mix,
        scale=scale,
        skip=skip,
        max_score=max_score,
        tactical=tactical,
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
    run_training(learner, out=out, resume=resume, match_every=match_every, match_games=match_games, json=json)
