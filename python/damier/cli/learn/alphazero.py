"""`damier learn alphazero`: a policy and value network by self-play."""

from __future__ import annotations

from typing import Annotated

import typer

from damier.cli.learn import options as learn
from damier.cli.learn.show import run_training
from damier.cli.options import Game

__all__ = ["alphazero"]


def alphazero(
    game: Game,
    *,
    out: learn.TrainingOut,
    channels: Annotated[int | None, typer.Option(min=1, max=1024, metavar="N", help="Channels of the network.")] = None,
    blocks: Annotated[
        int | None, typer.Option(min=1, max=100, metavar="N", help="Residual blocks of the network.")
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, metavar="N", help="Games of self-play per step.")] = None,
    parallel: Annotated[int | None, typer.Option(min=1, metavar="N", help="Games played at the same time.")] = None,
    groups: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="Groups of games, shared among threads.")
    ] = None,
    simulations: Annotated[int | None, typer.Option(min=2, metavar="N", help="Simulations per full search.")] = None,
    fast_simulations: Annotated[
        int | None, typer.Option(min=2, metavar="N", help="Simulations of moves that are not learnt from.")
    ] = None,
    full_share: Annotated[
        float | None,
        typer.Option(min=0.01, max=1, metavar="X", help="Share of the moves that are searched fully and learnt from."),
    ] = None,
    random_plies: Annotated[
        int | None, typer.Option(min=0, max=200, metavar="N", help="A game begins with 0 to N random moves.")
    ] = None,
    window: Annotated[int | None, typer.Option(min=1, metavar="N", help="Newest positions to learn from.")] = None,
    reuse: Annotated[float | None, typer.Option(help="How often each position is learnt from.")] = None,
    batch: Annotated[int | None, typer.Option(min=2, metavar="N", help="Positions per update.")] = None,
    rate: Annotated[float | None, typer.Option(help="Learning rate at the first step; it falls to a tenth.")] = None,
    gate_games: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Games against the best network, an even number; 0 for none.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, metavar="N", help="Number of steps.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0, metavar="M", help="Stop after the current step once M minutes are over.")
    ] = None,
    matches: learn.MatchOptions,
    threads: learn.TrainingThreads = 2,
    device: learn.Device = "auto",
    seed: learn.TrainingSeed = 0,
    run: learn.RunOptions,
) -> None:
    """Learn a policy and value network by playing itself, as AlphaZero does; needs PyTorch, the extra `train`."""
    from damier.lab.alphazero import AlphaZeroLearner, AlphaZeroSettings  # noqa: PLC0415  (slow to load)

    chosen: dict[str, object] = {
        "channels": channels,
        "blocks": blocks,
        "games": games,
        "parallel": parallel,
        "groups": groups,
        "simulations": simulations,
        "fast_simulations": fast_simulations,
        "full_share": full_share,
        "random_plies": random_plies,
        "window": window,
        "reuse": reuse,
        "batch": batch,
        "rate": rate,
        "gate_games": gate_games,
        "seed": seed,
    }
    settings = AlphaZeroSettings.for_game(game, **{key: value for key, value in chosen.items() if value is not None})
    learner = AlphaZeroLearner(game, steps=steps, settings=settings, threads=threads, device=device, minutes=minutes)
    run_training(learner, out, run, matches, rival="mcts:nodes=100", nodes=100)
