"""`damier simulate`: random games by the million."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from damier.cli import options

if TYPE_CHECKING:
    from damier.lab.simulation import Simulation


def simulate(
    game: options.Game,
    *,
    games: options.Games,
    fen: options.Fen = None,
    threads: options.GameThreads = None,
    cluster: options.Cluster = None,
    seed: options.RunSeed = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Save the games in this folder as they finish."),
    ] = None,
    resume: options.Resume = False,
    json: options.Json = False,
) -> None:
    """Play random games, and save them as Parquet files."""
    from damier.lab.simulation import simulate as run  # noqa: PLC0415  (pyarrow is slow to load, and only needed here)

    done = options.collected(
        run, game, games=games, fen=fen, seed=seed, threads=threads, cluster=cluster, out=out, resume=resume
    )
    if json:
        options.print_json(_report(done, out))
        return
    options.console().print(
        f"{done.games:,} games of {done.game}, {done.mean_plies:.1f} plies on average; "
        f"{done.played:,} played in {done.seconds:.2f} s, {done.games_per_second:,.0f} games/s"
    )
    for counts in filter(None, (done.results, done.reasons)):
        shares = (f"{name} {count / done.games:.1%}" for name, count in counts.most_common())
        options.console().print("  " + ", ".join(shares))


def _report(done: Simulation, out: Path | None) -> dict[str, object]:
    return {
        "game": done.game,
        "seed": done.seed,
        "games": done.games,
        "played": done.played,
        "mean_plies": round(done.mean_plies, 3),
        "results": dict(done.results),
        "reasons": dict(done.reasons),
        "seconds": round(done.seconds, 6),
        "games_per_second": round(done.games_per_second),
        "out": str(out) if out else None,
    }
