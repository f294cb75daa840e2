"""`damier match`: two players against each other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier.arena import Sprt
from damier.cli import options
from damier.cli.live import GameRate, live
from damier.cli.sprt import two_numbers
from damier.drawing.readable import duration, readable

if TYPE_CHECKING:  # numpy and records are slow to load
    from damier.arena.match import Match
    from damier.arena.stats.tally import Tally

__all__ = ["match"]

SPECS = "engine:nodes=500, engine:level=4, mtdf:depth=3, random or uci:/path/to/engine"


def match(
    game: options.Game,
    first: Annotated[str, typer.Argument(metavar="A", help=f"First player, such as {SPECS}.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Second player.")],
    *,
    games: Annotated[int | None, typer.Option(min=2, metavar="N", help="Number of games; 100 without --sprt.")] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="E0,E1", help="Stop when an SPRT accepts H0 (A is E0 Elo stronger) or H1 (E1 Elo)."),
    ] = None,
    tc: Annotated[
        str | None, typer.Option(metavar="TIME", help="Time control in seconds: 5+0.05, 60 or 40/60.")
    ] = None,
    movetime: Annotated[float | None, typer.Option(min=0.001, metavar="SECONDS", help="Time per move.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Nodes per move.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="PLIES", help="Depth limit.")] = None,
    openings: Annotated[
        str,
        typer.Option(
            metavar="FILE|random:PLIES|balanced:PLIES",
            help="Openings: a PGN, PDN, SGF, EPD or FEN file, or random first moves; balanced ones leave neither side "
            "clearly better.",
        ),
    ] = "random:6",
    adjudication: options.AdjudicationOptions,
    seed: options.Seed = 0,
    machines: options.Machines,
    folder: options.FolderOptions,
    database: options.DatabaseAt = None,
    json: options.Json = False,
) -> None:
    """Play a match between two players: Elo, error bars, SPRT.

    Each opening is played twice, with colours reversed.
    """
    from damier.arena.match import Match  # noqa: PLC0415
    from damier.arena.play.control import Control  # noqa: PLC0415
    from damier.arena.play.referee import Adjudication  # noqa: PLC0415

    test = Sprt(*two_numbers("--sprt", sprt)) if sprt else None
    event = Match(
        game,
        first,
        second,
        games=games if games or test else 100,
        sprt=test,
        control=Control.of(tc, movetime, nodes, depth),
        openings=openings,
        adjudication=Adjudication(**vars(adjudication)),
        seed=seed,
        **vars(machines),
        **vars(folder),
    )
    with options.ending() as end, options.database_at(database) as event.database, shown(event) as show:
        event.run(show)
    if json:
        names = {"game": game, "first": first, "second": second, "finished": not end.interrupted}
        options.print_json(names | event.tally.report(test))
    else:
        options.console().print(table_of(event, event.tally))
    end.leave()


def shown(event: Match) -> AbstractContextManager[Callable[[Tally], None]]:
    """A live table on a terminal, updated as pairs end."""
    rate = GameRate()
    return live(lambda tally: table_of(event, tally, rate(tally.games)))


def table_of(event: Match, tally: Tally, rate: float | None = None) -> Table:
    """The results so far, as a table."""
    pairs = tally.pairs
    title = f"{event.game}: {event.names[0]} against {event.names[1]}, {event.control}"
    table = Table(title=escape(readable(title)), title_justify="left", show_header=False)
    table.add_column(style="dim")
    table.add_column()
    of = f" of {max(event.games, tally.games)}" if event.games else ""
    draws = f"{tally.draws / tally.games:.0%} drawn" if tally.games else ""
    table.add_row("games", f"{tally.games}{of}: +{tally.wins} ={tally.draws} -{tally.losses}  {draws}")
    table.add_row(
        "pairs", "  ".join(f"{p}: {n}" for p, n in zip(("0", "½", "1", "1½", "2"), pairs.counts, strict=True))
    )
    if tally.repeats:
        table.add_row("repeated", f"{tally.repeats} identical pairs, not counted; use more openings")
    table.add_row("Elo", f"{pairs.elo()}   normalised {pairs.nelo()}   LOS {pairs.los():.1%}")
    if event.sprt:
        low, high = event.sprt.bounds
        verdict = {"elo0": "H0 accepted", "elo1": "H1 accepted", None: "undecided"}
        words = verdict[event.sprt.verdict(pairs)]
        table.add_row("SPRT", f"LLR {event.sprt.llr(pairs):.2f} ({low:.2f} to {high:.2f}): {words}")
    if tally.endings:
        table.add_row("endings", ", ".join(f"{why} {n}" for why, n in tally.endings.most_common()))
    if rate:
        left = f", {duration((event.games - tally.games) / rate)} left" if event.games else ""
        table.add_row("speed", f"{rate:.2f} games/s{left}")
    return table
