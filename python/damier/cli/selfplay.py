"""`damier selfplay`: games of the engine against itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from damier.cli import options

if TYPE_CHECKING:
    from damier.lab.simulation import Simulation

__all__ = ["selfplay"]


def selfplay(
    game: options.Game,
    *,
    games: options.Games,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="Save the games in this folder; run the same command again to resume.")
    ],
    nodes: Annotated[int, typer.Option(min=1, help="Nodes per move.")] = 1000,
    random_plies: Annotated[int, typer.Option(min=0, max=60, help="Random moves at the start of each game.")] = 8,
    eval: options.Eval = None,
    fen: options.Fen = None,
    threads: options.GameThreads = None,
    cluster: options.Cluster = None,
    seed: options.RunSeed = 0,
    resume: options.Resume = False,
    database: options.DatabaseAt = None,
    json: options.Json = False,
) -> None:
    """Play games of the engine against itself, as training data."""
    from damier.lab import self_play  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    options.check_resume(resume, out)
    done: Simulation | None = None
    with (
        options.ending() as end,
        options.database_at(database) as rows,
        options.counting(f"playing {game}", games) as progress,
    ):
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
            database=rows,
            on_progress=progress,
        )
    if done is None:
        end.leave()
        return
    if json:
        report = {"game": game, "seed": seed, "games": done.games, "played": done.played, "out": str(out)}
        times = {"seconds": round(done.seconds, 3), "mean_plies": round(done.mean_plies, 2)}
        options.print_json(report | times | {"results": dict(done.results)})
        return
    shares = ", ".join(f"{name} {count / done.games:.1%}" for name, count in done.results.most_common())
    options.console().print(
        f"{done.games:,} games of {game}, {done.mean_plies:.1f} plies on average: {shares}; "
        f"{done.played:,} played in {done.seconds:.1f} s"
    )
