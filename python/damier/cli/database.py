"""`damier database`: list the games of a database, and export them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier.cli.options import Json, console, print_json
from damier.drawing.readable import readable
from damier.files import JsonObject

if TYPE_CHECKING:  # slow to load
    from damier import records
    from damier.storage.database import Database, RunCount

__all__ = ["database"]

RESULTS = ("1-0", "1/2-1/2", "0-1")  # won, drawn and lost by White
MOST_PLAYERS = 4  # named in a line


def database(
    where: Annotated[
        str, typer.Argument(metavar="FILE|URL", envvar="DAMIER_DATABASE", help="An SQLite file or a database URL.")
    ],
    *,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="Only games of this game or variant.")] = None,
    player: Annotated[
        str | None, typer.Option(metavar="NAME|SPEC", help="Only games of this player, with either colour.")
    ] = None,
    result: Annotated[
        str | None, typer.Option(metavar="RESULT", help="Only games with this result: 1-0, 0-1 or 1/2-1/2.")
    ] = None,
    event: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Only games of the event with this number.")
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the games this format can hold to a .pgn, .pdn or .sgf file."),
    ] = None,
    json: Json = False,
) -> None:
    """List the events in a game database, and export games."""
    from damier.storage.database import Database  # noqa: PLC0415  (SQLAlchemy is slow to load)

    which: JsonObject = {"game": game, "player": player, "result": result, "event": event}
    with Database(where, read_only=True) as opened:
        events = opened.events(**which)
        written = None if export is None else _export(opened, export, which)
    total = sum(row.games for row in events)
    if json:
        report = {"database": opened.name, "games": total, "events": [_plain(row) for row in events]}
        print_json(report if written is None else report | {"exported": written})
        return
    console().print(_table(events, f"{opened.name}: {_counted(total)}"))
    if written is not None:
        others = f"; {total - written} cannot be stored in this format" if written < total else ""
        console().print(f"{_counted(written)} written to {export}{others}", markup=False)


def _export(opened: Database, path: Path, which: JsonObject) -> int:
    from damier import games, records  # noqa: PLC0415

    format = records.format_of(path)

    def fitting() -> Iterator[records.GameRecord]:
        for game in opened.games(**which):
            if games.info(game.variant).record_format == format:
                yield game

    return records.write(fitting(), path)


def _counted(games: int) -> str:
    return "1 game" if games == 1 else f"{games} games"


def _plain(row: RunCount) -> JsonObject:
    event = row.event
    return {
        "event": row.id,
        "run": event.run,
        "kind": event.kind,
        "game": event.game,
        "started": event.started.isoformat(),
        "players": list(row.players),
        "games": row.games,
        "results": dict(row.results),
        "settings": dict(event.settings),
    }


def _table(events: list[RunCount], title: str) -> Table:
    table = Table(title=escape(readable(title)), title_justify="left")
    for name in ("event", "started", "kind", "game", "games", "+ = -", "players"):
        number = name in ("event", "games", "+ = -")
        table.add_column(name, justify="right" if number else "left", no_wrap=name != "players", overflow="fold")
    for row in events:
        more = len(row.players) - MOST_PLAYERS
        players = ", ".join(row.players[:MOST_PLAYERS]) + (f" and {more} more" if more > 0 else "")
        started = row.event.started.astimezone().strftime("%Y-%m-%d")
        won, drawn, lost = (row.results.get(result, 0) for result in RESULTS)
        about = started, *(escape(readable(word)) for word in (row.event.kind, row.event.game))
        table.add_row(str(row.id), *about, str(row.games), f"+{won} ={drawn} -{lost}", escape(readable(players)))
    return table
