"""`damier selfplay`: games of the engine against itself, or of any players, to learn from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli import options

__all__ = ["selfplay"]


def selfplay(
    game: options.Game,
    *,
    games: options.Games,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Save the games in this folder as they finish.")],
    player: Annotated[
        str | None,
        typer.Option(
            metavar="SPEC", help="Who plays: engine:level=4, mtdf:depth=3, mcts:nodes=200, uci:/path/to/engine."
        ),
    ] = None,
    opponent: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Who plays against it; by default the player plays both sides.")
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Nodes per move, for players whose spec sets no limit.")
    ] = 1000,
    random_plies: Annotated[
        int, typer.Option(min=0, max=60, metavar="N", help="Random moves at the start of each game.")
    ] = 8,
    eval: options.Eval = None,
    fen: options.Fen = None,
    adjudication: options.AdjudicationOptions,
    threads: options.GameThreads = None,
    cluster: options.Cluster = None,
    seed: options.RunSeed = 0,
    resume: options.Resume = False,
    database: options.DatabaseAt = None,
    json: options.Json = False,
) -> None:
    """Play games between any players, as training data."""
    from damier.arena.play.referee import Adjudication  # noqa: PLC0415
    from damier.lab import self_play  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    done = options.collected(
        self_play,
        game,
        games=games,
        player=player,
        opponent=opponent,
        nodes=nodes,
        random_plies=random_plies,
        eval=eval,
        fen=fen,
        adjudication=Adjudication(**vars(adjudication)) if adjudication != options.AdjudicationOptions() else None,
        seed=seed,
        threads=threads,
        cluster=cluster,
        out=out,
        resume=resume,
        database=database,
    )
    if json:
        report = {"game": game, "seed": seed, "games": done.games, "played": done.played, "out": str(out)}
        times = {"seconds": round(done.seconds, 3), "mean_plies": round(done.mean_plies, 2)}
        players = {"player": player, "opponent": opponent or player} if player or opponent else {}
        options.print_json(report | players | times | {"results": dict(done.results)})
        return
    shares = ", ".join(f"{name} {count / done.games:.1%}" for name, count in done.results.most_common())
    options.console().print(
        f"{done.games:,} games of {game}, {done.mean_plies:.1f} plies on average: {shares}; "
        f"{done.played:,} played in {done.seconds:.1f} s"
    )
