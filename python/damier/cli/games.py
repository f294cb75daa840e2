"""`damier games`: the games and variants."""

from __future__ import annotations

from rich.table import Table

from damier.cli.options import Json, console, print_json
from damier.games import GAMES


def games(json: Json = False) -> None:
    """List the games and variants."""
    if json:
        print_json([{"name": game.name, "title": game.title, "family": game.family} for game in GAMES.values()])
        return
    table = Table("name", "title", "family", box=None, pad_edge=False, header_style="bold")
    for game in GAMES.values():
        table.add_row(game.name, game.title, game.family)
    console().print(table)
