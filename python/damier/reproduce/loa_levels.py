"""The Lines of Action program with five levels: its algorithms against each other, and its genetic pool.

The levels are minimax, negamax, alpha-beta, alpha-beta with memory and MTD(f), with the program's own heuristics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from damier import games, textbook
from damier.arena.stats.sprt import Sprt
from damier.eval import Linear
from damier.lab.genetic import GeneticLearner, GeneticSettings
from damier.lab.training import FIRST, LEARNT, train
from damier.reproduce import loa_levels_report
from damier.reproduce.frame import Reproduction, Result, Step, Work
from damier.reproduce.matches import play_match, play_tournament
from damier.reproduce.report import Report

__all__ = ["LEVELS", "LoaLevels", "LoaLevelsSettings"]

LEVELS = ("minimax", "negamax", "alphabeta", "alphabeta-memory", "mtdf")
PLAIN = ("minimax", "negamax")  # which visit every node, so that a depth costs thirty times the one before
HAND = "quads"  # the program's heuristics, with weights that are ours
THEIRS = f"eval={HAND},ordering=none"  # moves in the order of generation, but for the table's
TEST = Sprt(0, 20)


@dataclass(frozen=True)
class LoaLevelsSettings:
    """Sizes: `positions` are searched to `depth`, the plain levels a ply less; tournaments have `games` per pairing."""

    positions: int = 20
    depth: int = 4
    equal_depth: int = 2
    games: int = 40  # per pairing of a tournament
    time: float = 0.02  # seconds per move where time is equal
    deep: int = 3  # of alpha-beta against MTD(f)
    deep_games: int = 200
    pool: int = 24
    pool_games: int = 60  # per step
    pool_nodes: int = 50  # per move
    steps: int = 500  # of the pool, at most
    start_games: int = 10  # of the survivor against each member of the first pool
    sprt_games: int = 4000  # at most
    match_games: int = 200
    match_nodes: int = 200


class LoaLevels(Reproduction[LoaLevelsSettings]):
    """Five algorithms at equal depth and at equal time, and the pool until one is left."""

    name, game = "loa-levels", "loa"
    usual = LoaLevelsSettings()
    quick = LoaLevelsSettings(
        positions=3, depth=3, games=4, deep_games=10, pool=12, steps=60, start_games=4, sprt_games=400, match_games=40
    )

    def steps(self) -> list[Step]:
        held = self.settings
        return [
            Step("nodes", "nodes and time by depth", self._nodes),
            Step("equal-depth", f"the five levels at depth {held.equal_depth}", self._equal_depth),
            Step("equal-time", f"the five levels at {held.time:g} s per move", self._equal_time),
            Step("deep", f"alpha-beta against MTD(f) at depth {held.deep}", self._deep),
            Step("pool", "the genetic pool until one is left", self._pool),
            Step("survivor-start", "the survivor against a member of the first pool, by SPRT", self._sprt),
            Step("survivor-pool", "the survivor against the whole first pool", self._first_pool),
            Step("survivor-hand", "the survivor against weights set by hand", self._hand),
        ]

    def report(self, results: Mapping[str, Result]) -> Report:
        return loa_levels_report.report(results, self.settings)

    def _nodes(self, work: Work) -> Result:
        """Nodes and milliseconds of each level, by depth, and whether all found the same value."""
        held = self.settings
        counted: dict[str, list[list[float]]] = {level: [[], []] for level in LEVELS}
        differing = 0
        for depth in range(1, held.depth + 1):
            levels = [level for level in LEVELS if depth < max(held.depth, 4) or level not in PLAIN]
            sums = dict.fromkeys(levels, (0.0, 0.0))
            for number in range(held.positions):
                work.say(f"depth {depth}, position {number + 1} of {held.positions}")
                board = games.board(self.game)
                board.play_at_random(6 + 2 * (number % 10), seed=work.seed + number)
                found = textbook.compare(board, depth, algorithms=levels, eval=HAND, ordering="none")
                differing += len({result.score.value for result in found}) > 1
                sums = {
                    each.algorithm: (
                        sums[each.algorithm][0] + each.nodes,
                        sums[each.algorithm][1] + 1000 * each.seconds,
                    )
                    for each in found
                }
            for level, (nodes, milliseconds) in sums.items():
                counted[level][0].append(nodes / held.positions)
                counted[level][1].append(milliseconds / held.positions)
        return {
            "nodes": {level: columns[0] for level, columns in counted.items()},
            "milliseconds": {level: columns[1] for level, columns in counted.items()},
            "differing": differing,
        }

    def _equal_depth(self, work: Work) -> Result:
        players = {level: f"{level}:depth={self.settings.equal_depth},{THEIRS}" for level in LEVELS}
        return play_tournament(work, self.game, players, games=self.settings.games)

    def _equal_time(self, work: Work) -> Result:
        players = {level: f"{level}:time={self.settings.time},{THEIRS}" for level in LEVELS}
        return play_tournament(work, self.game, players, games=self.settings.games)

    def _deep(self, work: Work) -> Result:
        first, second = (f"{level}:depth={self.settings.deep},{THEIRS}" for level in ("alphabeta", "mtdf"))
        return play_match(work, self.game, first, second, games=self.settings.deep_games)

    def _learner(self, work: Work, seed: int) -> GeneticLearner:
        held = self.settings
        settings = GeneticSettings(
            features=HAND, pool=held.pool, games_per_step=held.pool_games, nodes=held.pool_nodes, seed=seed
        )
        return GeneticLearner(self.game, steps=held.steps, settings=settings, threads=work.threads)

    def _pool(self, work: Work) -> Result:
        learner = self._learner(work, work.seed)
        training = train(
            learner,
            out=work.folder,
            resume=True,
            on_step=lambda now: work.say(f"step {now.steps}, {now.last['pool']:.0f} members"),
        )
        names = games.board(self.game).feature_names(HAND)
        survivor = Linear.load(work.folder / LEARNT).weights
        return {
            "seed": work.seed,
            "steps": training.steps,
            "left": learner.left,
            "games": sum(row["games"] for row in training.metrics),
            "born": sum(row["born"] for row in training.metrics),
            "pool": [row["pool"] for row in training.metrics],
            "weights": dict(zip(names, (float(weight) for weight in survivor), strict=True)),
        }

    def _spec(self, eval: object) -> str:
        return f"engine:eval={eval},nodes={self.settings.match_nodes}"

    def _sprt(self, work: Work) -> Result:
        folder, most = work.folder_of("pool"), self.settings.sprt_games
        first, second = self._spec(folder / LEARNT), self._spec(folder / FIRST)
        return play_match(work, self.game, first, second, games=most, sprt=TEST)

    def _first_pool(self, work: Work) -> Result:
        """A gauntlet against the members that the pool began with."""
        learner = self._learner(work, work.results["pool"]["seed"])
        work.folder.mkdir(parents=True, exist_ok=True)
        players = {"survivor": self._spec(work.folder_of("pool") / LEARNT)}
        for number, weights in enumerate(learner.state()["weights"], 1):
            path = work.folder / f"member-{number}.safetensors"
            Linear(HAND, weights, f"member-{number}").save(path, self.game)
            players[f"member {number}"] = self._spec(path)
        return play_tournament(work, self.game, players, format="gauntlet", games=self.settings.start_games)

    def _hand(self, work: Work) -> Result:
        first, second = self._spec(work.folder_of("pool") / LEARNT), self._spec(HAND)
        return play_match(work, self.game, first, second, games=self.settings.match_games)
