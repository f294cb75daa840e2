"""Networks that learn from the games of earlier networks. A step is a generation: self-play by the current evaluation,
training on the games of all generations, and a test that decides whether the new network is better.

Each part saves its work in the folder of its generation, so that an interrupted step continues where it was.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np

from damier import games
from damier._core import DamierError
from damier.arena.match import Match
from damier.arena.play.control import Control
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import Tally
from damier.engine.arguments import check_range
from damier.files import JsonObject, read_text
from damier.lab.blocks import Blocks, Where
from damier.lab.nnue.learner import NnueLearner
from damier.lab.nnue.settings import NnueSettings
from damier.lab.nnue.trainer import training_device
from damier.lab.selfplay import self_play
from damier.lab.training import LEARNT, METRICS, Learner, Metrics, Training, is_finished, parent_of, train
from damier.nnue import Nnue
from damier.weights import Array, evaluation_path

__all__ = ["GenerationLearner", "GenerationSettings"]

SEEDS = 1000  # of each run: a generation never plays the games of another


@dataclass(frozen=True)
class GenerationSettings:
    """Self-play, the network, and the test of a generation."""

    start: str = ""  # the evaluation of the first games, by name or file; the game's own by default
    games: int = 60_000
    nodes: int = 500  # per move, of self-play and of the test
    random_plies: int = 7
    net: NnueSettings = field(default_factory=lambda: NnueSettings(epochs=15))
    elo0: float = 0.0  # the bounds of the test, in normalised Elo
    elo1: float = 10.0
    most_games: int = 6000  # of the test: if it knows nothing then, the present network stays
    movetime: float | None = None  # seconds per move of the test, instead of nodes
    seed: int = 0

    def check(self) -> None:
        """Refuse settings that make no sense."""
        check_range("games", self.games, 20, 10**9)
        check_range("nodes", self.nodes, 1, 10**9)
        check_range("random_plies", self.random_plies, 0, 200)
        check_range("most_games", self.most_games, 2, 10**9)
        check_range("seed", self.seed, 0, 2**31 // SEEDS - 1)
        if self.most_games % 2:
            raise DamierError(f"most_games is {self.most_games}, expected an even number: each opening is played twice")
        self.net.check()
        self.test()

    def test(self) -> Sprt:
        """The test that decides about a network."""
        return Sprt(self.elo0, self.elo1)


class GenerationLearner(Learner):
    """Learns from its own games in `out`, the folder also given to `train`; `sources` are more games to learn from.

    `threads` play games, here or on each machine of a `cluster`, and do not change what is learnt. Training has one
    thread: on busy cores, several would wait for each other most of the time.
    """

    method: ClassVar[str] = "generation"
    extendable: ClassVar[bool] = True

    def __init__(
        self,
        game: str,
        out: str | os.PathLike[str],
        *,
        steps: int = 3,
        sources: Where | Iterable[Where] = (),
        settings: GenerationSettings | None = None,
        threads: int | None = None,
        device: str = "cpu",
        cluster: str | None = None,
    ) -> None:
        settings = settings or GenerationSettings()
        settings.check()
        self.game, self.steps, self._settings, self._out = games.info(game).name, steps, settings, Path(out)
        training_device(device)  # refused now, rather than after hours of games
        self._threads, self._device, self._cluster = threads, device, cluster
        board = games.board(game)
        self._start = settings.start or board.evaluations()[0]
        board.evaluator(self._start)  # refuses one that is not there
        self._parent = parent_of(self._start if self._start not in board.evaluations() else None)
        blocks = Blocks(self.game, sources) if sources else None
        self._sources, self._digest = blocks.names if blocks else [], blocks.digest() if blocks else ""
        self._present, self._newest, self._elo = 0, 0, 0.0  # generations, 0 being the start; Elo over it
        self.settings = {**asdict(settings), "start": self._start, "sources": self._sources}

    def step(self, number: int) -> Metrics:
        generation, times = number + 1, [time.monotonic()]
        self._play(generation)
        times.append(time.monotonic())
        measured = self._train(generation)
        times.append(time.monotonic())
        measured |= self._test(generation)
        times.append(time.monotonic())
        self._newest = generation
        if measured["adopted"]:
            self._present = generation
            self._elo = measured["gate_elo"]
        self.status = ""
        parts = zip(("self-play", "training", "test"), pairwise(times), strict=True)
        return measured | {f"seconds/{name}": end - start for name, (start, end) in parts}

    def state(self) -> dict[str, Array]:
        return {"generations": np.array([self._present, self._newest], np.float64), "elo": np.array([self._elo])}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._present, self._newest = (int(number) for number in state["generations"])
        self._elo = float(state["elo"][0])

    @property
    def present(self) -> int:
        """The generation that plays now, 0 for the evaluation it started from."""
        return self._present

    def first(self) -> None:
        return None

    def learnt(self) -> Nnue:
        """The network that plays, or the newest one if none was better than the start."""
        return Nnue.load(self._net(self._present or self._newest))

    def provenance(self) -> dict[str, str]:
        data = {"data_sha256": self._digest} if self._digest else {}
        found = {"generation": str(self._present or self._newest), "adopted": str(self._present > 0)}
        return {**data, **self._parent, **found}

    # The parts of a generation

    def _folder(self, generation: int) -> Path:
        return self._out / f"generation-{generation}"

    def _net(self, generation: int) -> Path:
        return self._folder(generation) / "net" / LEARNT

    def _eval(self) -> str:
        return evaluation_path(self._net(self._present)) if self._present else self._start

    def _seed(self, generation: int) -> int:
        return self._settings.seed * SEEDS + generation

    def _play(self, generation: int) -> None:
        settings = self._settings

        def tell(done: int) -> None:
            self.status = f"generation {generation}, self-play: {done:,} of {settings.games:,} games"

        tell(0)
        self_play(
            self.game,
            games=settings.games,
            nodes=settings.nodes,
            random_plies=settings.random_plies,
            eval=self._eval(),
            seed=self._seed(generation),
            threads=self._threads,
            cluster=self._cluster,
            out=self._folder(generation) / "games",
            resume=True,
            on_progress=tell,
        )

    def _train(self, generation: int) -> Metrics:
        """Learn from the games of all generations so far; return the last metrics of the training."""
        folder = self._net(generation).parent
        if not is_finished(self._net(generation)):
            self.status = f"generation {generation}, training: reading games"
            pool: list[Where] = [*self._sources, *(self._folder(each + 1) / "games" for each in range(generation))]
            settings = replace(self._settings.net, seed=self._seed(generation))
            learner = NnueLearner(self.game, pool, settings=settings, device=self._device)

            def tell(training: Training) -> None:
                loss = f"loss {training.last['loss']:.5f}"
                self.status = f"generation {generation}, training: step {training.steps} of {learner.steps}, {loss}"

            train(learner, out=folder, resume=folder.exists(), on_step=tell)
        last: JsonObject = json.loads(read_text(folder / METRICS).splitlines()[-1])
        return {name: float(last[name]) for name in ("loss", "r2", "positions")}

    def _test(self, generation: int) -> Metrics:
        """Whether the new network is better than the current evaluation."""
        settings, test, folder = self._settings, self._settings.test(), self._folder(generation) / "match"

        def tell(tally: Tally) -> None:
            so_far = f"{tally.games:,} games, {tally.pairs.elo()} Elo, LLR {test.llr(tally.pairs):.2f}"
            self.status = f"generation {generation}, test: {so_far}"

        control = Control(time=settings.movetime) if settings.movetime else Control(nodes=settings.nodes)
        tally = Match(
            self.game,
            f"engine:eval={self._net(generation)}",
            f"engine:eval={self._eval()}",
            games=settings.most_games,
            sprt=test,
            control=control,
            seed=self._seed(generation),
            concurrency=self._threads,
            cluster=self._cluster,
            out=folder,
            resume=folder.exists(),
        ).run(tell)
        elo = tally.pairs.elo()
        adopted = test.verdict(tally.pairs) == "elo1"
        found = {name: value for name, value in elo.report("elo").items() if value is not None}
        gained = found.get("elo", found.get("elo_low", 0.0)) if adopted else 0.0
        return {**found, "games": float(tally.games), "adopted": float(adopted), "gate_elo": self._elo + gained}
