"""`damier data`: games as data sets, from any source and for any program."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.markup import escape
from rich.table import Table

from damier._core import DataError
from damier.cli.options import Json, console, counting, print_json
from damier.drawing.readable import readable
from damier.files import JsonObject

if TYPE_CHECKING:  # pyarrow is slow to load
    from damier.lab.data import DataSet
    from damier.lab.description import Description

__all__ = ["data"]

MOST_SHOWN = 6  # players, settings or sources in a table

data = typer.Typer(no_args_is_help=True, help="Import, inspect, merge, deduplicate and export games.")

Sources = Annotated[
    list[str],
    typer.Argument(metavar="RUN|FILE", help="Run folders, PGN, PDN or SGF files (.gz too), or databases."),
]
NewRun = Annotated[Path, typer.Option(metavar="RUN", help="Write the data set to this new folder.")]
OneGame = Annotated[
    str | None, typer.Option(metavar="GAME", help="The game or variant; by default that of the first game.")
]


@data.callback()
def _data() -> None:
    """Import, inspect, merge, deduplicate and export games."""


@data.command("import")
def import_command(
    sources: Sources,
    *,
    out: NewRun,
    game: OneGame = None,
    skip_errors: Annotated[
        bool, typer.Option("--skip-errors", help="Skip games that are broken or of another game instead of stopping.")
    ] = False,
    json: Json = False,
) -> None:
    """Turn game files, databases, and match or tournament folders into a data set."""
    from damier.lab.data import import_games  # noqa: PLC0415

    _made(lambda tell: import_games(sources, out, game=game, skip_errors=skip_errors, on_progress=tell), json)


@data.command()
def merge(sources: Sources, *, out: NewRun, game: OneGame = None, json: Json = False) -> None:
    """Merge the games of several runs into one data set."""
    from damier.lab.data import merge as merge_runs  # noqa: PLC0415

    _made(lambda tell: merge_runs(sources, out, game=game, on_progress=tell), json)


@data.command()
def dedupe(
    sources: Sources,
    *,
    out: NewRun,
    plies: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Keep one game per opening: those whose first N plies are the same."),
    ] = None,
    game: OneGame = None,
    json: Json = False,
) -> None:
    """Copy games without repeats: those with the same start and the same moves."""
    from damier.lab.data import dedupe as without_repeats  # noqa: PLC0415

    _made(lambda tell: without_repeats(sources, out, plies=plies, game=game, on_progress=tell), json)


@data.command()
def info(
    sources: Sources,
    *,
    game: OneGame = None,
    duplicates: Annotated[
        bool, typer.Option("--duplicates/--no-duplicates", help="Look for repeated games; without, it is faster.")
    ] = True,
    json: Json = False,
) -> None:
    """Show what runs and files hold: games, results, scores, players, repeats, settings."""
    from damier.lab.description import describe  # noqa: PLC0415

    for source in sources:
        with counting("reading", None) as progress:
            about = describe(source, game=game, duplicates=duplicates, on_progress=progress)
        if json:
            print_json(vars(about) | {"mean_plies": round(about.mean_plies, 2)})
        else:
            console().print(_table(about))


@data.command()
def export(
    source: Annotated[str, typer.Argument(metavar="RUN|FILE", help="A run folder, a game file or a database.")],
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write: .npz, .csv, .pgn, .pdn or .sgf, or with .gz.")
    ],
    *,
    game: OneGame = None,
    json: Json = False,
) -> None:
    """Write games as NumPy arrays, CSV, PGN, PDN or SGF."""
    from damier.lab.export import export_games  # noqa: PLC0415

    if file.is_file():
        raise DataError(f"{file}: is there already, expected the name of a new file")
    with counting("writing", None) as progress:
        written = export_games(source, file, game=game, on_progress=progress)
    if json:
        print_json({"source": source, "file": str(file), "games": written})
        return
    console().print(f"{_counted(written)} written to {file}", markup=False)


def _made(make: Callable[[Callable[..., None]], DataSet], json: bool) -> None:
    with counting("reading", None) as progress:
        made = make(progress)
    if json:
        print_json(vars(made) | {"out": str(made.out), "sources": [asdict(part) for part in made.sources]})
        return
    notes = [f"{_counted(made.dropped)} repeated"] if made.dropped else []
    for word in ("unfinished", "broken"):
        if count := sum(getattr(part, word) for part in made.sources):
            notes.append(f"{_counted(count)} {word}")
    left_out = f"; left out: {', '.join(notes)}" if notes else ""
    console().print(f"{_counted(made.games)} of {made.game} in {made.out}{left_out}", markup=False)


def _counted(games: int) -> str:
    return "1 game" if games == 1 else f"{games:,} games"


def _table(about: Description) -> Table:
    table = Table(title=escape(readable(about.source)), title_justify="left", show_header=False)
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    games = max(1, about.games)
    rows: JsonObject = {
        "kind": about.kind,
        "game": about.game or "",
        "games": f"{about.games:,}",
        "plies": f"{about.plies:,}, {about.mean_plies:.1f} per game",
        "results": ", ".join(f"{name} {count / games:.1%}" for name, count in about.results.most_common()),
        "endings": ", ".join(f"{name} {count / games:.1%}" for name, count in about.reasons.most_common()),
        "scores": f"{_counted(about.scored)} ({about.scored / games:.1%}), {about.scored_plies:,} plies",
        "players": _first(f"{name} ({count:,})" for name, count in about.players.most_common()),
    }
    if about.repeats is not None:
        rows["repeats"] = f"{_counted(about.repeats)} ({about.repeats / games:.1%})"
    if about.other_starts:
        rows["other starts"] = _counted(about.other_starts)
    if about.unfinished or about.broken:
        rows["left out"] = f"{about.unfinished:,} without a result, {about.broken:,} broken"
    rows["size"] = f"{about.size:,} bytes in {about.files:,} file{'s' * (about.files != 1)}"
    if about.seed is not None:
        rows["seed"] = about.seed
    if sources := about.settings.get("sources"):
        rows["sources"] = _first(str(part.get("source")) for part in sources if isinstance(part, dict))
    plain = ((name, value) for name, value in about.settings.items() if name not in ("sources", "fen", "digest"))
    rows["settings"] = ", ".join(f"{name} {_plain(value)}" for name, value in plain if _plain(value))
    rows["unfinished"] = about.left_out
    for name, value in rows.items():
        if value not in (None, ""):
            table.add_row(name, escape(readable(str(value))))
    return table


def _plain(value: object) -> str:
    """A setting in readable form, without values that are not set."""
    if isinstance(value, dict):
        return " ".join(f"{name}={_plain(each)}" for name, each in value.items() if each is not None)
    if isinstance(value, list):
        return " ".join(_plain(each) for each in value)
    return "" if value is None else str(value)


def _first(words: Iterable[str]) -> str:
    some = list(words)
    more = len(some) - MOST_SHOWN
    return ", ".join(some[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
