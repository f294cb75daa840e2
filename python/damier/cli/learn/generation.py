"""`damier learn generation`: networks that learn from the games of earlier networks."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Cluster, Game, GameThreads, console
from damier.cli.sprt import two_numbers

__all__ = ["generation"]


def generation(
    game: Game,
    *,
    out: learn.TrainingOut,
    generations: Annotated[int, typer.Option(min=1, metavar="N", help="Number of generations.")] = 3,
    start: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Evaluation that plays first; the game's own by default.")
    ] = "",
    games: Annotated[int, typer.Option(min=20, metavar="N", help="Games of self-play per generation.")] = 60_000,
    nodes: Annotated[int, typer.Option(min=1, metavar="N", help="Nodes per move, of self-play and of the test.")] = 500,
    random_plies: Annotated[int, typer.Option(min=0, max=200, metavar="N", help="Random moves at the start.")] = 7,
    data: learn.AlsoLearnFrom = None,
    hidden: learn.Neurons = 0,
    mix: learn.Mix = 0.7,
    epochs: learn.Epochs = 15,
    sprt: Annotated[
        str, typer.Option(metavar="E0,E1", help="Adopt a network when an SPRT accepts H1, in normalised Elo.")
    ] = "0,10",
    most_games: Annotated[
        int, typer.Option(min=2, metavar="N", help="Keep the present network when a test is undecided after N games.")
    ] = 6000,
    movetime: Annotated[
        float | None, typer.Option(min=0.001, metavar="SECONDS", help="Time per move of the test, instead of nodes.")
    ] = None,
    threads: GameThreads = None,
    cluster: Cluster = None,
    device: learn.Device = "auto",
    seed: Annotated[int, typer.Option(min=0, max=2_000_000, metavar="N", help="Random seed.")] = 0,
    run: learn.RunOptions,
) -> None:
    """Play games, learn a network from all so far, adopt it if it is better, and repeat."""
    from damier.lab.nnue import GenerationLearner, GenerationSettings, NnueSettings  # noqa: PLC0415  (slow to load)

    elo0, elo1 = two_numbers("--sprt", sprt)
    settings = GenerationSettings(
        start=start,
        games=games,
        nodes=nodes,
        random_plies=random_plies,
        net=NnueSettings(hidden=hidden, mix=mix, epochs=epochs),
        elo0=elo0,
        elo1=elo1,
        most_games=most_games,
        movetime=movetime,
        seed=seed,
    )
    learner = GenerationLearner(
        game,
        out,
        steps=generations,
        sources=data or (),
        settings=settings,
        threads=threads,
        device=device,
        cluster=cluster,
    )
    run_training(learner, out, run, nodes=nodes)
    if not learner.present and not run.json:
        console().print("\nNo generation was better than the start; the newest one was kept.")
