"""The result of a tournament, for people (Markdown), for scripts (JSON) and as a picture (SVG)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from damier.arena.report.plot import ratings_svg
from damier.arena.schedule.knockout import KnockOut
from damier.arena.stats.standings import cross_table
from damier.arena.tournament import Tournament
from damier.drawing.markdown import cell, table
from damier.files import JsonObject, write_atomically

__all__ = ["markdown", "report", "write_report"]


def report(tournament: Tournament) -> JsonObject:
    """Everything as plain values, for JSON; the same games give the same report.

    >>> report(Tournament("rennes", {"a": "random", "b": "oneply"}))["games"]
    0
    """
    scores, schedule = tournament.scores, tournament.drawn
    ratings = scores.ratings()
    standing = []
    for row in tournament.standing():
        wins, draws, losses = scores.wins_draws_losses(row.name)
        standing.append(asdict(row) | {"wins": wins, "draws": draws, "losses": losses})
    return {
        "game": tournament.game,
        "format": tournament.format,
        "players": dict(tournament.players),
        "games_per_pairing": tournament.games,
        "limit": str(tournament.control),
        "openings": tournament.openings,
        "seed": tournament.seed,
        "finished": tournament.is_finished,
        "games": scores.games,
        "winner": schedule.winner(scores.meetings(tournament.games)) if isinstance(schedule, KnockOut) else None,
        "standing": standing,
        "cross_table": {
            name: {other: list(score) for other, score in row.items()}
            for name, row in cross_table(scores.meetings()).items()
        },
        "meetings": [meeting._asdict() for meeting in scores.meetings()],
        "ratings": [asdict(row) | {"share": row.share} for row in ratings] if ratings else [],
        "white_advantage": asdict(ratings.advantage) if ratings else None,
        "draw_rate": ratings.draw_rate if ratings else None,
        "endings": scores.endings(),
    }


def markdown(tournament: Tournament) -> str:
    """The same for people.

    >>> print(markdown(Tournament("rennes", {"a": "random", "b": "oneply"})).splitlines()[0])
    # rennes, round-robin of 2
    """
    known = report(tournament)
    state = "" if known["finished"] else " It is not over."
    parts = [
        f"# {tournament.game}, {tournament.format} of {len(tournament.players)}",
        f"{known['games']} games, {tournament.games} per meeting; {known['limit']}; "
        f"openings {cell(tournament.openings)}; seed {tournament.seed}.{state}",
    ]
    if known["winner"]:
        parts.append(f"Winner: **{cell(known['winner'])}**.")
    parts += ["## Standing", _standing(known), "## Cross-table", _cross_table(known), "## Ratings", _ratings(known)]
    parts += ["## How games ended", table(("ending", "games"), known["endings"].items())]
    parts += ["## Players", table(("name", "spec"), tournament.players.items())]
    return "\n\n".join(parts) + "\n"


def _standing(known: JsonObject) -> str:
    head = ["rank", "name", "points", "games", "+", "=", "-", "Buchholz", "Sonneborn-Berger"]
    keys = ["rank", "name", "points", "games", "wins", "draws", "losses", "buchholz", "sonneborn_berger"]
    if any(row["byes"] for row in known["standing"]):
        head.append("points by byes")
        keys.append("byes")
    return table(head, ([row[key] for key in keys] for row in known["standing"]))


def _cross_table(known: JsonObject) -> str:
    names = [row["name"] for row in known["standing"]]
    rows = []
    for place, name in enumerate(names, 1):
        taken = known["cross_table"].get(name, {})
        cells = [f"{taken[other][0]:g}/{taken[other][1]}" if other in taken else "" for other in names]
        rows.append([place, name, *cells])
    return table(("", "name", *(str(place) for place in range(1, len(names) + 1))), rows)


def _ratings(known: JsonObject) -> str:
    if not known["ratings"]:
        return "None: no path of games joins all players."
    rows = (
        [row["name"], f"{round(row['elo']):+d} ± {row['error']:.0f}", row["games"], f"{row['share']:.0%}"]
        for row in known["ratings"]
    )
    white = known["white_advantage"]
    note = (
        f"Elo with 95 % intervals; the mean is 0. White is worth {round(white['value']):+d} ± {white['error']:.0f}, "
        f"and equals draw {known['draw_rate']:.0%} of their games."
    )
    return "\n\n".join((table(("name", "Elo", "games", "points"), rows), note, "![ratings](ratings.svg)"))


def write_report(tournament: Tournament, folder: Path) -> None:
    """Write report.md, report.json and, if there are ratings, ratings.svg."""
    write_atomically(folder / "report.md", markdown(tournament))
    write_atomically(folder / "report.json", json.dumps(report(tournament), indent=2, ensure_ascii=False) + "\n")
    if ratings := tournament.scores.ratings():
        write_atomically(folder / "ratings.svg", ratings_svg(ratings, f"{tournament.game}, {tournament.format}: Elo"))
