"""The levels of the engine and named anchors on one scale.

Each level meets its two neighbours on either side, each anchor levels of its strength; `rate` puts all on one scale.
The scale is fixed by the anchors that are given an Elo; without any, level 1 has 600. Ratings of different games
cannot be compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from damier._core import DamierError
from damier.arena.report.plot import ratings_svg
from damier.arena.schedule.ladder import LadderSchedule
from damier.arena.stats.ratings import Ratings
from damier.arena.stats.scores import Scores
from damier.arena.tournament import Tournament
from damier.engine import LEVELS, EloTable
from damier.engine.elo import Rung, general_table, write_table
from damier.files import write_atomically
from damier.players import KINDS, player

__all__ = [
    "ANCHORS",
    "FULL_NODES",
    "Rung",
    "keep_table",
    "ladder",
    "ladder_table",
    "read_anchors",
    "rungs",
    "write_ladder",
]

Anchors = Mapping[str, float | None]

ANCHORS: dict[str, float | None] = {"random": None, "oneply": None, "mtdf:depth=3": None}
FULL_NODES = 600_000  # of level 10, which has no limit of its own: four times level 9
ROUNDS = {1: 12, 5: 4, 9: 1}  # from that level on: the shorter games are, the more often levels meet


def ladder(
    game: str,
    *,
    games: int = 20,
    anchors: Anchors = ANCHORS,
    levels: Sequence[int] = tuple(LEVELS),
    nodes: int = FULL_NODES,
    seed: int = 0,
    concurrency: int | None = None,
    cluster: str | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> Tournament:
    """The tournament that rates levels and anchors, ready to run; `games` are per meeting, and levels that play quickly
    meet more often.

    No level may search more than `nodes`. Anchors play under limits of their own: `nodes` does not apply to them.

    >>> len(ladder("loa", anchors={"random": None}).due())
    97
    """
    names = {level: f"level {level}" for level in levels}
    specs = {names[level]: f"engine:level={level},nodes={nodes}" for level in levels} | {spec: spec for spec in anchors}
    rounds = {names[level]: ROUNDS[max(least for least in ROUNDS if least <= level)] for level in levels}
    return Tournament(
        game,
        specs,
        format="ladder",
        games=games,
        seed=seed,
        concurrency=concurrency,
        cluster=cluster,
        out=out,
        resume=resume,
        schedule=LadderSchedule(list(names.values()), list(anchors), rounds),
    )


def ladder_table(
    tournament: Tournament, anchors: Anchors = ANCHORS, on_progress: Callable[[Tournament], None] | None = None
) -> list[Rung]:
    """Play a ladder and return its table, the strongest first; where it keeps its games the table is written too.

    >>> table = ladder_table(ladder("rennes", games=4, anchors={}, levels=[1, 4], seed=1), anchors={})
    >>> [rung.name for rung in table]
    ['level 4', 'level 1']
    >>> table[1].elo
    600.0
    """
    try:
        tournament.run(on_progress)
    finally:
        if tournament.out and tournament.scores.games:
            write_ladder(tournament, anchors, tournament.out)
    return rungs(tournament.scores, anchors)


def rungs(scores: Scores, anchors: Anchors = ANCHORS) -> list[Rung]:
    """What is known so far, the strongest first; nothing while no path of games joins all who played."""
    found = _rated(scores, anchors)
    return [
        Rung(row.name, _level_of(row.name), round(row.elo, 1), round(row.error, 1), row.games) for row in found or ()
    ]


def write_ladder(tournament: Tournament, anchors: Anchors, folder: Path) -> None:
    """Write ladder.json (a list of rungs) and ladder.svg."""
    table = [asdict(rung) for rung in rungs(tournament.scores, anchors)]
    write_atomically(folder / "ladder.json", json.dumps(table, indent=2) + "\n")
    if found := _rated(tournament.scores, anchors):
        write_atomically(folder / "ladder.svg", ratings_svg(found, f"{tournament.game}: the ladder"))


def keep_table(tournament: Tournament, anchors: Anchors, file: Path) -> None:
    """Write what a whole ladder found for `Engine(elo=)` and `UCI_Elo`; refused where a level is not above the last."""
    if tournament.due():
        raise DamierError("the ladder is not finished, so its ratings may still change")
    try:
        table = EloTable(tournament.game, tuple(rungs(tournament.scores, anchors)))
    except DamierError as error:
        raise DamierError(f"{file} was not written: {error}") from None
    circumstances = {
        "games": tournament.scores.games,
        "games_per_pairing": tournament.games,
        "seed": tournament.seed,
        "level_10": tournament.players["level 10"],
        "fixed": {spec: elo for spec, elo in anchors.items() if elo is not None} or "level 1 at 600",
    }
    write_table(file, table, circumstances)


def _rated(scores: Scores, anchors: Anchors) -> Ratings | None:
    fixed = {spec: elo for spec, elo in anchors.items() if elo is not None}
    if not fixed:
        played = {name for result in scores.results for name in result[:2]}
        lowest = min((level for level in LEVELS if f"level {level}" in played), default=1)
        fixed = {f"level {lowest}": float(general_table().elos[lowest - 1])}
    return scores.ratings(fixed)


def _level_of(name: str) -> int | None:
    return int(name.removeprefix("level ")) if name.startswith("level ") else None


def read_anchors(text: str) -> dict[str, float | None]:
    """Anchors as people write them, separated by commas: `SPEC=ELO`, or `SPEC` alone for one to be measured.

    A word that does not name a kind of player belongs to the previous spec.

    >>> read_anchors("random=200,mtdf:depth=3,eval=quads=900,oneply")
    {'random': 200.0, 'mtdf:depth=3,eval=quads': 900.0, 'oneply': None}
    """
    specs: list[str] = []
    for word in filter(None, (word.strip() for word in text.split(","))):
        if specs and re.split("[:=]", word)[0] not in KINDS:
            specs[-1] += f",{word}"
        else:
            specs.append(word)
    anchors = dict(_anchor(spec) for spec in specs)
    if len(anchors) < len(specs):
        raise DamierError(f"--anchors has a player twice in {text!r}, expected different ones")
    return anchors


def _anchor(text: str) -> tuple[str, float | None]:
    """Spec and Elo: a number behind a value that is whole without it is an Elo."""
    spec, _, number = text.rpartition("=")
    last = re.split("[,:]", text)[-1]
    if re.fullmatch(r"-?\d+(\.\d+)?", number) and (last.count("=") > 1 or ":" not in text):
        player(spec).close()  # which says what is wrong with it
        return spec, float(number)
    try:
        player(text).close()
    except DamierError:  # such as uci:COMMAND=ELO, where the number is no value of a key
        if not number.isdecimal():
            raise
        player(spec).close()
        return spec, float(number)
    return text, None
