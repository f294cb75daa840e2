"""`damier selfplay`: games of the engine against itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.options import (
    Cluster,
    Eval,
    Fen,
    Game,
    Games,
    GameThreads,
    Json,
    RunSeed,
    console,
    counting,
    print_json,
)

__all__ = ["selfplay"]


def selfplay(
    game: Game,
    *,
    games: Games,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Save the games in this folder; run the same command again to resume.")
    ],
    nodes: Annotated[int, typer.Option(min=1, help="Nodes per move.")] = 1000,
    random_plies: Annotated[int, typer.Option(min=0, max=60, help="Random moves at the start of each game.")] = 8,
    eval: Eval = None,
    fen: Fen = None,
    threads: GameThreads = None,
    cluster: Cluster = None,
    seed: RunSeed = 0,
    json: Json = False,
) -> None:
    """Play games of the engine against itself, as training data."""
    from damier.lab import self_play  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    with counting(f"playing {game}", games) as progress:
        done = self_play(
            game,
            games=games,
            nodes=nodes,
            random_plies=random_plies,
            eval=eval,
            fen=fen,
            seed=seed,
            threads=threads,
            cluster=cluster,
            out=out,
            on_progress=progress,
        )
    if json:
        report = {"game": game, "seed": seed, "games": done.games, "played": done.played, "out": str(out)}
        times = {"seconds": round(done.seconds, 3), "mean_plies": round(done.mean_plies, 2)}
        print_json(report | times | {"results": dict(done.results)})
        return
    shares = ", ".join(f"{name} {count / done.games:.1%}" for name, count in done.results.most_common())
    console().print(
        f"{done.games:,} games of {game}, {done.mean_plies:.1f} plies on average: {shares}; "
        f"{done.played:,} played in {done.seconds:.1f} s"
    )
