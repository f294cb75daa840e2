"""The report of `loa-levels`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from damier.drawing.chart import chart
from damier.drawing.intervals import intervals
from damier.drawing.markdown import table
from damier.files import JsonView
from damier.reproduce.matches import (
    elo_text,
    interval_text,
    rating_intervals,
    rating_text,
    score_text,
    share_text,
    wilson,
)
from damier.reproduce.report import Report, plot

if TYPE_CHECKING:
    from damier.reproduce.loa_levels import LoaLevelsSettings

__all__ = ["report"]

Results = Mapping[str, JsonView]
NAMES = {
    "minimax": "minimax",
    "negamax": "negamax",
    "alphabeta": "alpha-beta",
    "alphabeta-memory": "with memory",
    "mtdf": "MTD(f)",
}
THEIR_SPEED = "10,000 to 20,000"  # operations per second, section 5.3 of the report
VERDICTS = {"elo1": "accepted: it is better", "elo0": "refused", None: "undecided"}


def report(results: Results, held: LoaLevelsSettings) -> Report:
    """Tables and plots, from the results of the steps alone."""
    nodes = results["nodes"]["nodes"]
    plots = {
        "nodes": chart(
            {NAMES[level]: counts for level, counts in nodes.items()}, title="Nodes per move", x="depth", y="nodes"
        ),
        "time": intervals(rating_intervals(results["equal-time"], NAMES), f"Elo at {held.time:g} s per move", least=20),
        "pool": chart(
            {"members": results["pool"]["pool"]}, title="Members of the pool", x="step", y="members", log=False
        ),
    }
    parts = [
        "A Lines of Action program whose five levels are five algorithms, from minimax to MTD(f), with the same "
        "heuristics (`quads`: Euler number, quads, distances, capturable pieces, freedom). Its rules are those of our "
        "`loa`: if one move connects both sides the mover wins, a side without a move loses, and a single piece is a "
        "group, so that its owner has won.",
        "## What they reported, and ours",
        _beside(results, held),
        *_search_parts(results, held),
        *_pool_parts(results, held),
        "## What is different, and why",
        _differences(),
    ]
    return Report("Five levels of Lines of Action (`loa-levels`)", parts, plots)


def _beside(results: Results, held: LoaLevelsSettings) -> str:
    deep, sprt, pool = results["deep"], results["survivor-start"], results["pool"]
    speed = _speed(results, "alphabeta")
    return table(
        ("", "theirs", "ours"),
        [
            ["nodes per second, alpha-beta", THEIR_SPEED, f"{speed:,.0f}"],
            [
                f"alpha-beta against MTD(f) at depth {held.deep}",
                "a mode, no result given",
                f"{score_text(deep)}, {share_text(deep)}",
            ],
            ["plies per game there", "about 38", f"{deep['plies'] + 6:.0f}, 6 of them random"],
            ["the genetic pool", "did not work", _ending(pool)],
            [
                "its survivor better than the start",
                "-",
                f"SPRT [0, 20]: {VERDICTS[sprt['verdict']]}, {elo_text(sprt)} Elo",
            ],
        ],
    )


def _search_parts(results: Results, held: LoaLevelsSettings) -> list[str]:
    nodes, times = results["nodes"]["nodes"], results["nodes"]["milliseconds"]
    deepest, shared = (of(len(counts) for counts in nodes.values()) for of in (max, min))
    cost = table(
        ("level", *(f"nodes, depth {depth}" for depth in range(1, deepest + 1)), f"ms, depth {shared}"),
        (
            [NAMES[level], *_padded([f"{count:,.0f}" for count in counts], deepest), f"{times[level][shared - 1]:.1f}"]
            for level, counts in nodes.items()
        ),
    )
    differing = results["nodes"]["differing"]
    same = "All found the same value everywhere." if not differing else f"Values differed {differing} times."
    return [
        "## At equal depth",
        f"Means over {held.positions} positions, 6 to 24 random moves into the game, with moves searched in the order "
        f"they are generated. {same} Only the cost differs, so at equal depth the levels must score alike; those that "
        "remember may choose another of several equal moves.",
        cost,
        plot("nodes", "Nodes per move by depth"),
        f"A round-robin at depth {held.equal_depth}, {held.games} games per pairing:",
        _standing(results["equal-depth"]),
        "## At equal time",
        f"Each level deepens for {held.time:g} s per move, and plays the move of the last depth it finished:",
        _standing(results["equal-time"]),
        plot("time", "Elo of the five levels at equal time, with 95 % intervals"),
    ]


def _pool_parts(results: Results, held: LoaLevelsSettings) -> list[str]:
    pool, sprt, hand = results["pool"], results["survivor-start"], results["survivor-hand"]
    points, played, beaten = _gauntlet(results["survivor-pool"])
    rows = [
        [
            "one member of the first pool, by SPRT",
            sprt["games"],
            score_text(sprt),
            share_text(sprt),
            f"{elo_text(sprt)}; H1 {VERDICTS[sprt['verdict']]}",
        ],
        [
            f"all {held.pool} members of the first pool",
            played,
            f"{points:g} points",
            interval_text(points / played, *wilson(points, played)),
            f"scores at least half against {beaten}",
        ],
        ["`quads`, set by hand", hand["games"], score_text(hand), share_text(hand), elo_text(hand)],
    ]
    return [
        "## The genetic pool",
        f"{held.pool} members with random weights, within ranges in which each heuristic alone may count as much as "
        f"the whole evaluation, either way. In the end {_ending(pool)}. The survivor, at {held.match_nodes} nodes per "
        "move:",
        table(("against", "games", "score", "share of points", "Elo"), rows),
        plot("pool", "Members of the pool by step"),
        table(("heuristic", "weight of the survivor"), [[name, f"{w:.1f}"] for name, w in pool["weights"].items()]),
    ]


def _ending(pool: JsonView) -> str:
    left = "one is left" if pool["left"] == 1 else f"{pool['left']} are left"
    return f"{left} after {pool['steps']} steps, {pool['games']:,.0f} games and {pool['born']:.0f} births"


def _differences() -> str:
    return (
        "- Their weights are not given: `quads` has ours, set by hand. They value a finished game by groups and plies; "
        "here it is a win in so many plies.\n"
        "- Their table has 32-bit keys, and a stored move may be illegal; ours has 64-bit keys and only orders moves.\n"
        "- MTD(f) starts from a search two plies shallower rather than equally deep: a guess that costs as much as "
        "the answer saves nothing.\n"
        "- At equal time all levels deepen step by step; theirs search one depth.\n"
        "- In the pool a game is worth one point rather than the winner's final evaluation, and the room for new "
        "members shrinks, so that it ends: otherwise similar members may go on for ever.\n"
        "- The pool never sees the weights set by hand, and its members search 50 nodes per move: the last match shows "
        "how far learning from wins alone gets with so few games."
    )


def _standing(cup: JsonView) -> str:
    elo = {row["name"]: rating_text(row) for row in cup["ratings"]}
    rows = (
        [
            NAMES[row["name"]],
            f"{row['points']:g} of {row['games']}",
            f"+{row['wins']} ={row['draws']} -{row['losses']}",
            elo.get(row["name"], ""),
        ]
        for row in cup["standing"]
    )
    return table(("level", "points", "score", "Elo, 95 %"), rows)


def _gauntlet(cup: JsonView) -> tuple[float, int, int]:
    """The survivor's points and games, and how many it scored at least half against."""
    taken = cup["cross_table"]["survivor"].values()
    return sum(one[0] for one in taken), sum(one[1] for one in taken), sum(2 * one[0] >= one[1] for one in taken)


def _speed(results: Results, level: str) -> float:
    nodes, times = results["nodes"]["nodes"][level], results["nodes"]["milliseconds"][level]
    return float(1000 * sum(nodes) / max(sum(times), 1e-9))


def _padded(cells: list[str], width: int) -> list[str]:
    return cells + ["-"] * (width - len(cells))
