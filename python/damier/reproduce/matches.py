"""Matches and tournaments as steps of a reproduction, and their results in words."""

from __future__ import annotations

import math
from collections.abc import Mapping

from damier.arena.event import OPENINGS, Where
from damier.arena.match import Match
from damier.arena.report.report import report
from damier.arena.stats.pairs import Pairs
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import Tally
from damier.arena.tournament import FORMATS, Tournament
from damier.drawing.intervals import Interval
from damier.files import JsonView
from damier.reproduce.frame import Result, Work

__all__ = [
    "elo_text",
    "interval_text",
    "play_match",
    "play_tournament",
    "rating_intervals",
    "rating_text",
    "score_text",
    "share_interval",
    "share_text",
    "wilson",
]

Z95 = 1.959963984540054


def play_match(
    work: Work,
    game: str,
    first: str,
    second: str,
    *,
    games: int,
    sprt: Sprt | None = None,
    openings: str = OPENINGS,
    name: str = "",
) -> Result:
    """Play a match, saved in the folder of the step.

    A step with several matches gives each a name, which is that of its folder. The result is that of `Tally.report`,
    with `plies` and `seconds` of thinking per game.
    """
    out = work.folder / name if name else work.folder
    where: Where = {"concurrency": work.threads, "out": out, "resume": True}
    match = Match(game, first, second, games, sprt, openings=openings, seed=work.seed, **where)

    def tell(tally: Tally) -> None:
        of = f" of {match.games}" if match.games else ""
        work.say(f"{name + ': ' if name else ''}{tally.games}{of} games, {tally.pairs.elo()} Elo")

    tally = match.run(tell)
    per_game = {"plies": tally.plies / max(tally.games, 1), "seconds": tally.thinking / max(tally.games, 1)}
    return {"first": first, "second": second, **tally.report(sprt), **per_game}


def play_tournament(
    work: Work, game: str, players: Mapping[str, str], *, games: int, format: str = FORMATS[0]
) -> Result:
    """Play a tournament, saved in the folder of the step; the result is that of the arena's report."""
    where: Where = {"concurrency": work.threads, "out": work.folder, "resume": True}
    cup = Tournament(game, players, format, games, seed=work.seed, **where)
    cup.run(lambda now: work.say(f"{now.scores.games} of {now.total_games or '?'} games"))
    return report(cup)


def score_text(result: JsonView) -> str:
    """Wins, draws and losses.

    >>> score_text({"wins": 5, "draws": 1, "losses": 0})
    '+5 =1 -0'
    """
    return f"+{result['wins']} ={result['draws']} -{result['losses']}"


def elo_text(result: JsonView) -> str:
    """Elo with its 95 % interval.

    >>> elo_text({"pairs": [46, 237, 513, 392, 94]})
    '+34.1 ± 9.1'
    """
    return str(Pairs(*result["pairs"]).elo())


def share_interval(result: JsonView) -> tuple[float, float, float]:
    """The share of points, and its 95 % interval.

    >>> [round(each, 3) for each in share_interval({"pairs": [46, 237, 513, 392, 94]})]
    [0.549, 0.536, 0.562]
    """
    pairs = Pairs(*result["pairs"])
    return pairs.share, *pairs.interval()


def share_text(result: JsonView) -> str:
    """The share of points with its 95 % interval.

    >>> share_text({"pairs": [46, 237, 513, 392, 94]})
    '54.9 % (53.6 to 56.2)'
    """
    return interval_text(*share_interval(result))


def interval_text(share: float, low: float, high: float) -> str:
    """A share with its interval.

    >>> interval_text(0.5, 0.25, 0.75)
    '50.0 % (25.0 to 75.0)'
    """
    return f"{share:.1%} ({100 * low:.1f} to {100 * high:.1f})".replace("%", " %", 1)


def rating_text(row: JsonView) -> str:
    """A rating of a tournament's report with its 95 % interval.

    >>> rating_text({"elo": 34.1, "error": 9.4})
    '+34 ± 9'
    """
    return f"{round(row['elo']):+d} ± {row['error']:.0f}"


def rating_intervals(cup: JsonView, names: Mapping[str, str] | None = None) -> list[Interval]:
    """The ratings of a tournament's report to be drawn, under other names if any are given."""
    return [
        Interval(
            (names or {}).get(row["name"], row["name"]),
            row["elo"],
            row["elo"] - row["error"],
            row["elo"] + row["error"],
            rating_text(row),
        )
        for row in cup["ratings"]
    ]


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share that was reported as points out of games.

    >>> [round(end, 2) for end in wilson(18, 50)]
    [0.24, 0.5]
    """
    share, squared = wins / games, Z95 * Z95
    middle = (share + squared / (2 * games)) / (1 + squared / games)
    half = Z95 / (1 + squared / games) * math.sqrt(share * (1 - share) / games + squared / (4 * games * games))
    return max(0.0, middle - half), min(1.0, middle + half)
