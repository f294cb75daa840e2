"""The draughts program whose weights come from tournaments: from random weights until the winners settle.

The report describes the method and gives no figures. This asks what it did not: how many games does it take, do other
random starts end with the same weights, and are these as good as weights set by hand?
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from damier.drawing.chart import chart
from damier.drawing.intervals import Interval, intervals
from damier.drawing.markdown import table
from damier.lab.knockout import WINDOW, KnockoutLearner, KnockoutSettings
from damier.lab.training import FIRST, LEARNT, train
from damier.reproduce.frame import Reproduction, Result, Step, Work
from damier.reproduce.matches import elo_text, play_match, score_text, share_interval, share_text
from damier.reproduce.report import Report, plot

__all__ = ["Paris", "ParisSettings"]

OWN, ENEMY, KING, ENEMY_KING = "own pieces", "enemy pieces", "own kings", "enemy kings"
HAND = "paris"  # the evaluation with the weights set by hand
OUR_BEST = "classic"


@dataclass(frozen=True)
class ParisSettings:
    """`starts` trainings, each of at most `tournaments` of `players`; then matches of `match_games` each."""

    starts: int = 5
    players: int = 32
    tournaments: int = 200
    nodes: int = 50  # per move while learning
    settle: float = 0.05
    match_games: int = 600
    match_nodes: int = 200


class Paris(Reproduction[ParisSettings]):
    """Knock-out learning of the four weights of `paris`."""

    name, game = "paris", "paris"
    usual = ParisSettings()
    quick = ParisSettings(starts=2, tournaments=50, match_games=60)

    def steps(self) -> list[Step]:
        steps = []
        for start in self._starts():
            steps += [
                Step(f"learn-{start}", f"start {start}: tournaments until they settle", partial(self._learn, start)),
                Step(
                    f"progress-{start}", f"start {start}: against its random weights", partial(self._match, start, "")
                ),
                Step(
                    f"hand-{start}",
                    f"start {start}: against the weights set by hand",
                    partial(self._match, start, HAND),
                ),
            ]
        return [*steps, Step("classic", "start 1: against our own evaluation", partial(self._match, 1, OUR_BEST))]

    def report(self, results: Mapping[str, Result]) -> Report:
        learnt = {start: results[f"learn-{start}"] for start in self._starts()}
        longest = max(learnt, key=lambda start: int(learnt[start]["tournaments"]))
        against = [
            Interval(f"start {start}", *share_interval(results[f"hand-{start}"]), share_text(results[f"hand-{start}"]))
            for start in self._starts()
        ]
        plots = {
            "weights": chart(
                _worth(learnt[longest]["weights"]),
                title=f"What pieces are worth to the winner, start {longest}",
                x="tournament",
                y="weight",
                log=False,
            ),
            "settling": chart(
                {f"start {start}": _means(held["changes"]) for start, held in learnt.items()},
                title=f"Change of the winner, mean of {WINDOW} tournaments",
                x="tournament",
                y="change",
                log=False,
            ),
            "hand": intervals(against, "Share of points against the weights set by hand", least=0.1),
        }
        return Report("Weights by tournaments (`paris`)", self._parts(results, learnt), plots)

    def _starts(self) -> range:
        return range(1, self.settings.starts + 1)

    def _learn(self, start: int, work: Work) -> Result:
        held = self.settings
        settings = KnockoutSettings(
            players=held.players, nodes=held.nodes, settle=held.settle, seed=work.seed, features=HAND
        )
        learner = KnockoutLearner(self.game, steps=held.tournaments, settings=settings, threads=work.threads)
        training = train(
            learner,
            out=work.folder,
            resume=True,
            on_step=lambda now: work.say(f"tournament {now.steps}, change {now.last['change']:.3f}"),
        )
        rows = training.metrics
        return {
            "tournaments": training.steps,
            "games": sum(row["games"] for row in rows),
            "settled": learner.is_done(),
            "changes": [row["change"] for row in rows],
            "weights": {name: [row[f"weights/{name}"] for row in rows] for name in (OWN, ENEMY, KING, ENEMY_KING)},
        }

    def _match(self, start: int, rival: str, work: Work) -> Result:
        learnt = work.folder_of(f"learn-{start}")
        against = rival or str(learnt / FIRST)
        first, second = (f"engine:eval={eval},nodes={self.settings.match_nodes}" for eval in (learnt / LEARNT, against))
        return play_match(work, self.game, first, second, games=self.settings.match_games)

    def _parts(self, results: Mapping[str, Result], learnt: Mapping[int, Result]) -> list[str]:
        held = self.settings
        rows = []
        for start, found in learnt.items():
            man, enemy, king, enemy_king = (path[-1] for path in _worth(found["weights"]).values())
            rows.append(
                [
                    start,
                    found["tournaments"] if found["settled"] else f"{found['tournaments']}, not settled",
                    f"{found['games']:,.0f}",
                    f"{enemy / man:+.2f}",
                    f"{king / man:.2f}",
                    f"{enemy_king / man:+.2f}",
                    f"{score_text(results[f'progress-{start}'])}",
                    share_text(results[f"hand-{start}"]),
                    elo_text(results[f"hand-{start}"]),
                ]
            )
        head = ["start", "tournaments", "games", "enemy man", "king", "enemy king"]
        best = results["classic"]
        return [
            "A draughts program of four weights (own and enemy pieces, own and enemy queens) learns them from nothing "
            f"but tournaments: {held.players} players with random weights meet in a knock-out of matches of 5 games, "
            "and the next players are drawn around the winner's weights, until successive winners are similar.",
            "## What they reported, and ours",
            table(
                ("", "theirs", "ours"),
                [
                    ["players per tournament", "n, not given", held.players],
                    ["games per match, ties", "5, by lot", "5, by lot"],
                    ["first weights, and draws around a winner", "ten draws from [-1, 1]", "the same"],
                    [
                        "it ends when",
                        "the distance settles",
                        f"the change averages {held.settle:g} over {WINDOW} tournaments",
                    ],
                    [
                        "tournaments until then",
                        "not given",
                        _range([found["tournaments"] for found in learnt.values()]),
                    ],
                    ["learnt against random weights", "not given", _range_of_shares(results, learnt)],
                    ["learnt against weights set by hand", "not given", "below, start by start"],
                ],
            ),
            "## From different random starts",
            table([*head, "against its start", f"against `{HAND}`", "Elo"], rows),
            f"Weights are given in own men: `{HAND}`, set by hand, has an enemy man at -1, a king at 3 and an enemy "
            f"king at -3. Matches are {held.match_games} games at {held.match_nodes} nodes per move, with 95 % "
            "intervals; scores against the start are wins, draws and losses.",
            plot("hand", "Share of points against the weights set by hand, with 95 % intervals"),
            plot("weights", "What pieces are worth to the winner of each tournament of the longest start"),
            "A king has the weight of a man and one of its own: its worth is their sum. Weights are scaled so that "
            "scores of random positions spread as those of the game's own evaluation, in hundredths of a man; the "
            "table divides them by that of the winner's own man.",
            plot("settling", "How much the winner changes from one tournament to the next"),
            "## What is different, and why",
            "- The distance of two winners is taken after both are scaled to length 1: twice the weights play the "
            "same, and the plain distance never settles, as the draws stay as wide while the weights grow.\n"
            "- The winner itself plays in the next tournament, so that a lucky winner does not lose what was learnt; "
            "in the report only players around it do.\n"
            f"- Games begin with {KnockoutSettings().random_plies} random moves, the same in both games of a pair: "
            f"deterministic players that search {held.nodes} nodes would otherwise repeat one game.\n"
            "- A king of this game captures adjacent pieces only. By hand it was set to three men, as in other "
            f"draughts; the tournaments make it {_kings(learnt)}.\n"
            f"- Our own evaluation of the same game, `{OUR_BEST}`, knows more than four numbers: against it the first "
            f"of these scores {share_text(best)}, {elo_text(best)} Elo.",
        ]


def _worth(weights: Mapping[str, list[float]]) -> dict[str, list[float]]:
    """What pieces are worth, by their names: a king counts as a piece and as a king.

    >>> _worth({OWN: [100], ENEMY: [-100], KING: [50], ENEMY_KING: [-60]})["enemy king"]
    [-160]
    """

    def both(piece: str, king: str) -> list[float]:
        return [man + bonus for man, bonus in zip(weights[piece], weights[king], strict=True)]

    return {
        "own man": weights[OWN],
        "enemy man": weights[ENEMY],
        "own king": both(OWN, KING),
        "enemy king": both(ENEMY, ENEMY_KING),
    }


def _means(changes: list[float]) -> list[float]:
    """The moving average of the changes, over as many as decide the end."""
    spans = [changes[max(0, end - WINDOW) : end] for end in range(1, len(changes) + 1)]
    return [sum(span) / len(span) for span in spans]


def _range(numbers: list[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _kings(learnt: Mapping[int, Result]) -> str:
    paths = [_worth(found["weights"]) for found in learnt.values()]
    worth = [path["own king"][-1] / path["own man"][-1] for path in paths]
    return f"{min(worth):.1f} to {max(worth):.1f} men"


def _range_of_shares(results: Mapping[str, Result], learnt: Mapping[int, Result]) -> str:
    shares = [share_interval(results[f"progress-{start}"])[0] for start in learnt]
    low, high = (f"{100 * share:.0f}" for share in (min(shares), max(shares)))
    return f"{low if low == high else f'{low} to {high}'} % of the points"
