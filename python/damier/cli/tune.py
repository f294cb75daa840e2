"""`damier tune`: parameters of the search, tuned by games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from damier.arena import Sprt
from damier.arena.spsa import Spsa
from damier.cli.match import shown, table_of
from damier.cli.options import (
    Cluster,
    Concurrency,
    Json,
    Out,
    Resume,
    check_resume,
    console,
    counting,
    leave_interrupted,
    print_json,
)
from damier.cli.sprt import two_numbers

__all__ = ["tune"]


def tune(
    file: Annotated[Path, typer.Argument(metavar="SPACE.toml", help="Game, player, limit, steps and parameters.")],
    *,
    out: Out = None,
    resume: Resume = False,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    sprt: Annotated[
        str, typer.Option(metavar="E0,E1|none", help="The test of tuned against untuned in the end.")
    ] = "0,10",
    json: Json = False,
) -> None:
    """Tune parameters by games (SPSA), and test whether that made the player stronger."""
    from damier.arena.tune_file import read_tune  # noqa: PLC0415  (numpy and records are slow to load)

    check_resume(resume, out)
    test = None if sprt == "none" else Sprt(*two_numbers("--sprt", sprt))
    asked = read_tune(file, out=out, resume=resume, concurrency=concurrency, cluster=cluster)
    report: dict[str, Any] = {"game": asked.game, "player": asked.player}
    try:
        with counting("tuning", asked.steps) as count:

            def told(spsa: Spsa) -> None:
                count(spsa.done, ", ".join(f"{name} {value:.1f}" for name, value in spsa.values.items()))

            asked.run(told)
        if not json:
            console().print(f"tuned: {asked.with_values(asked.spsa.best())}", markup=False)
        if test:
            trial = asked.trial(test)
            with shown(trial) as show:
                trial.run(show)
            if json:
                report["trial"] = trial.tally.report(test)
            else:
                console().print(table_of(trial, trial.tally))
    except KeyboardInterrupt:
        leave_interrupted(out)
    if json:
        print_json(report | {"values": asked.spsa.values, "best": asked.spsa.best(), "steps": asked.spsa.done})
