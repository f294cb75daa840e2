"""`damier ladder`: the levels and named anchors on one scale."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier._core import DamierError
from damier.cli import options
from damier.cli.tournament import standing_shown
from damier.drawing.readable import readable

__all__ = ["ladder"]


def ladder(
    game: options.Game,
    *,
    games: Annotated[int, typer.Option(min=2, metavar="N", help="Games per pairing, an even number.")] = 20,
    anchors: Annotated[
        str | None,
        typer.Option(metavar="SPEC=ELO,...", help="Other players to rate; those given an Elo fix the scale."),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Nodes per move for level 10, which has no other limit.")
    ] = None,
    seed: options.Seed = 0,
    folder: options.FolderOptions,
    machines: options.Machines,
    database: options.DatabaseAt = None,
    use: Annotated[
        bool, typer.Option("--use", help="Use these ratings for --elo and UCI_Elo from now on, for this user.")
    ] = False,
    write: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the ratings to this JSON file.")] = None,
    json: options.Json = False,
) -> None:
    """Rate the engine's levels, and other players, on one Elo scale.

    Level 1 has 600 Elo unless an anchor says otherwise.
    """
    from damier.arena.ladder import ANCHORS, FULL_NODES, keep_table, ladder_table, read_anchors, rungs  # noqa: PLC0415
    from damier.arena.ladder import ladder as tournament  # noqa: PLC0415
    from damier.engine.elo import own_table_file  # noqa: PLC0415

    named = ANCHORS if anchors is None else read_anchors(anchors)
    event = tournament(
        game,
        games=games,
        anchors=named,
        nodes=nodes or FULL_NODES,
        seed=seed,
        **vars(machines),
        **vars(folder),
    )
    with options.ending() as end, options.database_at(database) as event.database, standing_shown() as show:
        ladder_table(event, named, show)
    table = rungs(event.scores, named)
    if json:
        options.print_json({"game": game, "finished": not end.interrupted, "ladder": [asdict(rung) for rung in table]})
    else:
        shown = Table("player", "Elo", "95 %", "games", title=f"{game}: the ladder", title_justify="left")
        for rung in table:
            shown.add_row(escape(readable(rung.name)), f"{rung.elo:.0f}", f"± {rung.error:.0f}", str(rung.games))
        options.console().print(shown)
    for file in filter(None, [write, own_table_file(game) if use else None]) if not end.interrupted else ():
        try:
            keep_table(event, named, file)
        except DamierError as error:
            if end.unwritten:
                error.add_note(str(end.unwritten))
            raise
        if not json:
            options.console().print(f"written: {escape(str(file))}", soft_wrap=True)
    end.leave()
