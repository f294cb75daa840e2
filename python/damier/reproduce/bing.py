"""BING's network: 14 inputs, 2 hidden neurons, 1 output, learnt by temporal differences from stored games.

Its authors report, without figures, what mattered: a base of games that several versions of the program played, a
network rather than a weighted sum, games chosen by a search (TD-directed). Each is measured here by a match against the
weighted sum of the same components.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from damier.lab.selfplay import self_play
from damier.lab.td import TdLearner, TdSettings
from damier.lab.training import LEARNT, Training, train
from damier.reproduce import bing_report
from damier.reproduce.frame import Reproduction, Result, Step, Work
from damier.reproduce.learning import learn_all
from damier.reproduce.matches import play_match
from damier.reproduce.report import Report

__all__ = ["Bing", "BingSettings"]

VERSIONS = ("bing-linear", "classic", "quads")  # besides an earlier network
POINTS = 60  # of a curve that are kept
USUAL = TdSettings(features="bing")
BRISK = TdSettings(features="bing", rate=0.02)  # longer first steps, where steps are few


@dataclass(frozen=True)
class BingSettings:
    """Sizes; each version plays `games` games, and a base of a single version has four times as many."""

    games: int = 500
    nodes: int = 500  # per move, of games and of matches
    random_plies: int = 7
    replays: int = 300  # of the whole base
    searched_steps: int = 100  # of TDLeaf and TreeStrap, which search every position again
    searched_games: int = 50  # per step of these
    seeds: int = 3  # nets of each kind
    match_games: int = 600  # of each net


@dataclass(frozen=True)
class Kind:
    """A way to learn: its name, what they said about it, its settings and its base."""

    name: str
    theirs: str
    settings: TdSettings = USUAL
    base: str = "mixed"
    searched: bool = False  # it learns from some games per step


KINDS = {
    "usual": Kind("14-2-1: TD-directed(0.9), RPROP, mixed base", "their choice"),
    "one": Kind("1 hidden neuron", "not reported", replace(USUAL, hidden=1)),
    "sum": Kind("no hidden neuron: a weighted sum", "not reported", replace(USUAL, hidden=0)),
    "backprop": Kind("backpropagation", "used, as RPROP", replace(USUAL, optimiser="backprop")),
    "lambda-05": Kind("lambda 0.5", "not reported", replace(USUAL, trace_decay=0.5)),
    "lambda-07": Kind("lambda 0.7", "not reported", replace(USUAL, trace_decay=0.7)),
    "lambda-10": Kind("lambda 1: the result alone", "not reported", replace(USUAL, trace_decay=1.0)),
    "network-alone": Kind("games of the network alone", '"clearly worse"', base="network"),
    "linear-alone": Kind("games of bing-linear alone", "not reported", base="linear"),
    "some-games": Kind("TD-directed, few steps", "for comparison with the next two", BRISK, searched=True),
    "leaf": Kind(
        "TDLeaf(0.9), few steps", "better in chess (KnightCap)", replace(BRISK, variant="leaf"), searched=True
    ),
    "treestrap": Kind("TreeStrap, few steps", "not known then", replace(BRISK, variant="treestrap"), searched=True),
}
BASES = {
    "mixed": (*VERSIONS, "network"),
    "network": ("network", "network-more"),
    "linear": ("bing-linear", "linear-more"),
}
SHIPPED = "bing"  # damier's own net, for comparison


class Bing(Reproduction[BingSettings]):
    """Base, nets and matches; the matches are all against `bing-linear`, at the same nodes per move."""

    name, game = "bing", "loa"
    usual = BingSettings()
    quick = BingSettings(games=60, replays=80, searched_steps=30, searched_games=12, seeds=1, match_games=60)

    def steps(self) -> list[Step]:
        return [
            Step("games", "self-play of three versions, an earlier network and two of them alone", self._play),
            Step("nets", f"{len(KINDS)} ways to learn from them", self._learn),
            Step("matches", "every net against bing-linear", self._measure),
        ]

    # Games

    def _play(self, work: Work) -> Result:
        held, counts = self.settings, {}

        def play(name: str, eval: str, games: int, seed: int) -> None:
            work.say(f"{name}, {games} games")
            run = self_play(
                self.game,
                games=games,
                nodes=held.nodes,
                eval=eval,
                random_plies=held.random_plies,
                seed=seed,
                threads=work.threads,
                out=work.folder / name,
                resume=True,
            )
            counts[name] = run.games

        for number, version in enumerate(VERSIONS):
            play(version, version, held.games, work.seed + number)
        learner = TdLearner(self.game, [work.folder / name for name in VERSIONS], steps=held.replays, settings=USUAL)
        train(learner, out=work.folder / "earlier", resume=True, on_step=_teller(work, "the earlier network"))
        earlier = str(work.folder / "earlier" / LEARNT)
        play("network", earlier, held.games, work.seed + 10)
        play("network-more", earlier, 3 * held.games, work.seed + 11)
        play("linear-more", VERSIONS[0], 3 * held.games, work.seed + 12)
        return {"games": counts}

    # Nets

    def _learn(self, work: Work) -> Result:
        pieces = [(name, seed) for seed in range(self.settings.seeds) for name in KINDS]
        # The longest first, so that no thread is left with them at the end.
        pieces.sort(key=lambda piece: not KINDS[piece[0]].searched)
        return learn_all(work, self._net, {f"{name}-{seed}": (name, seed) for name, seed in pieces})

    def _net(self, work: Work, label: str, piece: tuple[str, int], on_step: Callable[[Training], None]) -> Result:
        (name, seed), held = piece, self.settings
        kind = KINDS[name]
        sources = [work.folder_of("games") / part for part in BASES[kind.base]]
        count = held.searched_games if kind.searched else 0
        settings = replace(kind.settings, games_per_step=count, seed=work.seed + seed)
        steps = held.searched_steps if kind.searched else held.replays
        learner = TdLearner(self.game, sources, steps=steps, settings=settings)
        training = train(learner, out=work.folder / label, resume=True, on_step=on_step)
        every = max(1, len(training.metrics) // POINTS)
        rows = [*training.metrics[::every], training.metrics[-1]]
        curve = [[row["step"], round(row["loss"], 5)] for row in rows]
        return {"loss": training.last["loss"], "r2": training.last["r2"], "curve": curve}

    # Matches

    def _measure(self, work: Work) -> Result:
        held, found = self.settings, {}
        players = [
            (f"{name}-{seed}", str(work.folder_of("nets") / f"{name}-{seed}" / LEARNT), seed)
            for name in KINDS
            for seed in range(held.seeds)
        ]
        for label, eval, seed in [*players, ("shipped", SHIPPED, held.seeds)]:
            specs = [f"engine:eval={each},nodes={held.nodes}" for each in (eval, "bing-linear")]
            own = replace(work, seed=work.seed + seed)  # other openings for each seed, the same for each way to learn
            result = play_match(own, self.game, *specs, name=label, games=held.match_games)
            found[label] = {key: result[key] for key in ("pairs", "wins", "draws", "losses", "games")}
        return found

    def report(self, results: Mapping[str, Result]) -> Report:
        return bing_report.report(results, self.settings, KINDS)


def _teller(work: Work, name: str) -> Callable[[Training], None]:
    return lambda training: work.say(f"{name}, step {training.steps}, loss {training.last['loss']:.3f}")
