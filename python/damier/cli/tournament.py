"""`damier tournament`: many players, live standings, and a report."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier.cli import options
from damier.cli.live import GameRate, live
from damier.drawing.readable import duration, readable

if TYPE_CHECKING:  # numpy and records are slow to load
    from damier.arena.tournament import Tournament

__all__ = ["standing_shown", "tournament"]

REFRESH = 0.25  # seconds between two standings, which are costly to compute
MOST_COLUMNS = 12  # of a cross-table that fits a terminal


def tournament(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.toml", help="Game, format, players, time control and openings; see docs/arena.md."
        ),
    ],
    *,
    folder: options.FolderOptions,
    machines: options.Machines,
    database: options.DatabaseAt = None,
    json: options.Json = False,
) -> None:
    """Play a round-robin, gauntlet, knock-out or Swiss tournament."""
    from damier.arena.report.report import report, write_report  # noqa: PLC0415
    from damier.arena.tournament_file import read_tournament  # noqa: PLC0415

    event = read_tournament(file, **vars(folder), **vars(machines))
    with options.ending() as end, options.database_at(database) as event.database, standing_shown() as show:
        event.run(show)
    if folder.out:
        write_report(event, folder.out)
    if json:
        options.print_json(report(event))
    else:
        options.console().print(standing_of(event))
    end.leave()


def standing_shown() -> AbstractContextManager[Callable[[Tournament], None]]:
    """Live standings on a terminal, updated as pairs end."""
    rate = GameRate()
    return live(lambda event: standing_of(event, rate(event.scores.games)), every=REFRESH)


def standing_of(event: Tournament, rate: float | None = None) -> Table:
    """The standings with cross-table and ratings, as a table."""
    from damier.arena.stats.standings import cross_table  # noqa: PLC0415

    scores = event.scores
    total = event.total_games
    of = f" of {total}" if total else ""
    left = f", {duration((total - scores.games) / rate)} left" if rate and total else ""
    speed = f", {rate:.2f} games/s{left}" if rate else ""
    title = f"{event.game}, {event.format}: {scores.games}{of} games, {event.control}{speed}"
    endings = ", ".join(f"{why} {n}" for why, n in scores.endings().items())
    table = Table(title=escape(readable(title)), title_justify="left", caption=endings or None, caption_justify="left")
    ratings = scores.ratings()
    elo = {row.name: f"{round(row.elo):+d} ± {row.error:.0f}" for row in ratings} if ratings else {}
    rows, cross = event.standing(), cross_table(scores.meetings())
    shown = rows if len(rows) <= MOST_COLUMNS else []
    for name in ("", "name", "points", "games", "+ = -", "Elo", *(str(place) for place in range(1, len(shown) + 1))):
        table.add_column(name, justify="left" if name == "name" else "right")
    for row in rows:
        taken = cross.get(row.name, {})
        cells = [f"{taken[other.name].points:g}" if other.name in taken else "" for other in shown]
        wins, draws, losses = scores.wins_draws_losses(row.name)
        numbers = f"{row.points:g}", str(row.games), f"+{wins} ={draws} -{losses}", elo.get(row.name, "")
        table.add_row(str(row.rank), escape(readable(row.name)), *numbers, *cells)
    return table
