"""`damier tune`: tune search parameters by playing games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from damier.arena import Sprt
from damier.cli import options
from damier.cli.match import shown, table_of
from damier.cli.sprt import two_numbers
from damier.files import JsonObject

if TYPE_CHECKING:  # numpy and records are slow to load
    from damier.arena.tuning.tune import Tuner

__all__ = ["tune"]


def tune(
    file: Annotated[
        Path,
        typer.Argument(metavar="SPACE.toml", help="Game, player, limit, method and parameters; see docs/arena.md."),
    ],
    *,
    folder: options.FolderOptions,
    machines: options.Machines,
    sprt: Annotated[
        str, typer.Option(metavar="E0,E1|none", help="Bounds of the final SPRT of tuned against untuned.")
    ] = "0,10",
    database: options.DatabaseAt = None,
    json: options.Json = False,
) -> None:
    """Tune search parameters by playing games (SPSA or Optuna)."""
    from damier.arena.tuning.tune_file import read_tune  # noqa: PLC0415  (numpy and records are slow to load)

    test = None if sprt == "none" else Sprt(*two_numbers("--sprt", sprt))
    event = read_tune(file, **vars(folder), **vars(machines))
    report: JsonObject = {"game": event.game, "player": event.player, "method": event.method}
    match = None
    with options.ending() as end, options.database_at(database) as event.database:
        with options.counting("tuning", event.steps) as count:

            def on_progress(tuner: Tuner) -> None:
                count(tuner.done, ", ".join(f"{name} {value:.1f}" for name, value in tuner.values.items()))

            event.run(on_progress)
        if not json:
            options.console().print(f"tuned: {event.with_values(event.tuner.best())}", markup=False)
        if test:
            match = event.test(test)
            with shown(match) as show:
                match.run(show)
    if end.interrupted:
        end.leave()
    if match and json:
        report["test"] = match.tally.report(test)
    elif match:
        options.console().print(table_of(match, match.tally))
    if json:
        options.print_json(
            report | {"values": event.tuner.values, "best": event.tuner.best(), "steps": event.tuner.done}
        )
    end.leave()
