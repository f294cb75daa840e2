"""The report of `deep-checker`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from damier.drawing.chart import chart
from damier.drawing.intervals import Interval, intervals
from damier.drawing.markdown import table
from damier.files import JsonView
from damier.reproduce.matches import rating_intervals, rating_text, score_text, share_interval, share_text, wilson
from damier.reproduce.report import Report, plot

if TYPE_CHECKING:
    from damier.reproduce.deep_checker import DeepCheckerSettings

__all__ = ["report"]

Results = Mapping[str, JsonView]
THEIR_GAMES = 50
THEIRS = {"A-knn": 18, "B-knn": 36, "A-mlp": 39, "B-mlp": 50}  # wins
THEIR_R2 = {"A-mlp": "0.46", "B-mlp": "0.68"}
NAMES = {
    "A-knn": "A, distance to the end: KNN",
    "B-knn": "B, captures: KNN",
    "A-mlp": "A, distance to the end: MLP",
    "B-mlp": "B, captures: MLP",
}


def report(results: Results, held: DeepCheckerSettings, ladder: Sequence[str]) -> Report:
    """Tables and plots, from the results of the steps alone."""
    plots = {
        "random": intervals(_wins(results), "Share of games won against a random player", least=0.2),
        "r2": chart(
            {name: known for name in THEIRS if (known := _known(results["fresh"][name]))},
            title="R2 on new games, by plies to the end",
            x="plies to the end, at least",
            y="R2",
            xs=results["fresh"]["spans"],
            log=False,
        ),
        "elo": intervals(rating_intervals(results["cup"]), "Elo, all against all", least=50),
    }
    games = results["games"]
    parts = [
        f"Random games of `rennes` teach a player what a move (A) or a board (B) is worth: {games['games']:,} games of "
        f"{games['mean_plies']:.0f} plies on average. A: a move scores 1/sqrt(plies to the end), positive if player 1 "
        "won; B: a board scores the captures that player 1 still makes, if it won, else 0. Scores of repeats are "
        "averaged. The nearest neighbours (KNN, k = 4, by bits that differ) or a multilayer perceptron "
        "(MLP, 64-64-32-16) generalise, and the player takes the move with the best score, one ply deep.",
        "## What they reported, and ours",
        _beside(results),
        f"Theirs are {THEIR_GAMES} games each, ours {held.match_games:,}, half of them with each colour, from the "
        "usual start; 95 % intervals. Our R2 is on held-out games.",
        plot("random", "Share of games won against a random player, with 95 % intervals; theirs in grey"),
        "## Why the figures differ",
        _differences(results),
        _r2_table(results),
        plot("r2", "R2 of the four models on new games, by plies to the end of the game"),
        "## What they wished for",
        _ladder(results, held, ladder),
        plot("elo", "Elo of all players in one tournament, with 95 % intervals"),
        _wishes(results, held),
    ]
    return Report("Learning from random games (`deep-checker`)", parts, plots)


def _beside(results: Results) -> str:
    rows = []
    for name, wins in THEIRS.items():
        low, high = wilson(wins, THEIR_GAMES)
        learnt, played = _learnt(results, name), results[f"play-{name}"]
        rows.append(
            [
                NAMES[name],
                f"{wins} of {THEIR_GAMES} ({100 * low:.0f} to {100 * high:.0f} %)",
                f"{played['wins']} of {played['wins'] + played['draws'] + played['losses']}",
                share_text(played),
                THEIR_R2.get(name, "not given"),
                f"{learnt['r2']:.2f}",
            ]
        )
    played = results["play-A-knn-lowest"]
    games = played["wins"] + played["draws"] + played["losses"]
    rows.append(["A: KNN, lowest score", "", f"{played['wins']} of {games}", share_text(played), "", ""])
    return table(("label and model", "their wins", "our wins", "share", "their R2", "our R2"), rows)


def _learnt(results: Results, name: str) -> JsonView:
    found: JsonView = results["nets"][name] if name in results["nets"] else results[f"learn-{name}"]
    return found


def _wins(results: Results) -> list[Interval]:
    rows = []
    for name, wins in THEIRS.items():
        low, high = wilson(wins, THEIR_GAMES)
        share = wins / THEIR_GAMES
        rows.append(Interval(f"{name}, theirs", share, low, high, f"{share:.0%}", theirs=True))
        rows.append(Interval(f"{name}, ours", *share_interval(results[f"play-{name}"]), _percent(results, name)))
    lowest = results["play-A-knn-lowest"]
    rows.append(Interval("A-knn, lowest score", *share_interval(lowest), _percent(results, "A-knn-lowest")))
    return rows


def _percent(results: Results, name: str) -> str:
    return f"{share_interval(results[f'play-{name}'])[0]:.1%}"


def _known(values: Sequence[float | None]) -> list[float]:
    """The figures up to the first that is missing."""
    end = next((place for place, value in enumerate(values) if value is None), len(values))
    return [value for value in values[:end] if value is not None]


def _r2_table(results: Results) -> str:
    nets, fresh = results["nets"], results["fresh"]
    won = nets["won"]
    lines = []
    for name in THEIRS:
        learnt = _learnt(results, name)
        split = nets["rows-moves" if name[0] == "A" else "rows-boards"] if name.endswith("mlp") else None
        lines.append(
            [
                NAMES[name],
                f"{learnt['r2_train']:.3f}",
                f"{learnt['r2']:.3f}",
                f"{fresh[f'{name}-all']:.3f}",
                f"{split['r2']:.3f}" if split else "",
                learnt["steps"] if name.endswith("mlp") else "",
            ]
        )
    lines.append(
        ["B of won games alone: MLP", f"{won['r2_train']:.3f}", f"{won['r2']:.3f}", "", "", won["steps"]],
    )
    by_rows = f"boards held out, {nets['rows-moves']['steps']} epochs"
    return table(("R2", "learnt from", "games held out", "new games, each board", by_rows, "epochs"), lines)


def _differences(results: Results) -> str:
    lowest, knn = results["play-A-knn-lowest"], results["play-A-knn"]
    a, by_rows, b, won = (results["nets"][name]["r2"] for name in ("A-mlp", "rows-moves", "B-mlp", "won"))
    epochs, rows_epochs = (results["nets"][name]["steps"] for name in ("A-mlp", "rows-moves"))
    early = _known(results["fresh"]["A-mlp"])
    return "\n".join(
        [
            "- **A with KNN.** Their 18 of 50 is fewer than a coin would win, which the label does not explain: ours "
            f"wins {share_text(knn)}. Their text chooses the move by *arg min* of a score that is high for good moves; "
            f"taking the lowest score, the same neighbours win {share_text(lowest)}.",
            f"- **R2 of A.** Ours is {a:.2f}, theirs 0.46. The label is large near the end of a game, where the winner "
            "is easily seen, so that R2 depends on how many of the last moves a test holds: by plies to the end it "
            f"goes from {early[0]:.2f} to {early[-1]:.2f} (plot below). Holding out boards instead of games, as they "
            f"may have done, gives {by_rows:.2f} after {rows_epochs} epochs instead of {epochs}.",
            f"- **R2 of B.** Ours is {b:.2f}, theirs 0.68. Half of the boards score 0 because their game was lost, and "
            "who wins a random game can hardly be told from its first half: no model can explain that. Their formula "
            "divides by the number of games *in which the score is not 0*. Taken at its word, lost games are left out, "
            f"and R2 is {won:.2f}: it is easy then, as the captures to come are hardly more than the men that are "
            "left. Theirs lies between the two readings.",
            "- **R2 does not measure play.** What is easy to predict need not tell good moves from bad ones: B of won "
            f"games alone, with the best R2, wins {share_text(results['play-won'])} against a random player.",
            "- Player 1 is the side that moves first. Boards are seen by the side to move, so that what is learnt "
            "serves both; a board is scored after the player's move, since that is what it compares.",
        ]
    )


def _ladder(results: Results, held: DeepCheckerSettings, ladder: Sequence[str]) -> str:
    ratings = {row["name"]: row for row in results["cup"]["ratings"]}
    lines: list[list[str]] = []
    clear: list[str] = []
    before: JsonView | None = None
    for place, name in enumerate(ladder):
        row = ratings.get(name)
        lines.append(
            [
                name,
                score_text(results[f"strong-{place}"]),
                rating_text(row) if row else "",
                _step(before, row) if before and row else "",
            ]
        )
        if before and row and abs(row["elo"] - before["elo"]) > _both(before, row):
            clear.append(name)
        before = row
    lines += [[name, "", rating_text(row), ""] for name, row in ratings.items() if name not in ladder]
    head = ("player", f"{held.strong_games} games against random", "Elo", "step")
    found = f"only to {'; to '.join(clear)}" if clear else "nowhere"
    return f"{table(head, lines)}\n\nThe step from the row above exceeds its 95 % interval {found}."


def _step(before: JsonView, after: JsonView) -> str:
    """The difference of two ratings, as if their errors were independent.

    >>> _step({"elo": 100, "error": 30}, {"elo": 150, "error": 40})
    '+50 ± 50'
    """
    return f"{after['elo'] - before['elo']:+.0f} ± {_both(before, after):.0f}"


def _both(one: JsonView, other: JsonView) -> float:
    return math.hypot(one["error"], other["error"])


def _wishes(results: Results, held: DeepCheckerSettings) -> str:
    last = results[f"generation-{held.generations}"]
    captures = (
        "- **A label for a search.** Captures to come are few both where a side is lost and where nothing is left to "
        "take, so that a search that fears the opponent's captures gives its own men away. `damier` therefore "
        "evaluates a net of B as the difference between the sides; the searches below use nets of the result itself (1 "
        "or 0)."
    )
    return "\n".join(
        [
            captures,
            f"- **Reinforcement.** Generations: {held.generations}, each of {last['games']:,} games of the net against "
            f"itself, searching {held.depth - 1} plies after 8 random moves; the net continues to learn from their "
            f"results, starting from the supervised one. R2 on held-out games of its own: {last['r2']:.2f}.",
            "- **Convolution.** Two convolutions and a dense layer (torch) learn from the same self-play games: "
            f"R2 {results['convolution']['r2']:.2f}. Exported as a dense network, it plays in the same search.",
            f"- **Search.** Alpha-beta looks {held.depth} plies ahead and plays captures out; MCTS asks the net at its "
            "leaves; the engine is damier's own search with the net of the last generation. `classic` is the "
            "same engine with damier's own evaluation.",
        ]
    )
