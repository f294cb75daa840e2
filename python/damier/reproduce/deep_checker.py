"""Deep Checker: an evaluation learnt from random games of `rennes`, by two labels and two models.

Their four players against a random one, and then the future work they named: reinforcement from the supervised net, a
convolutional net, alpha-beta and Monte-Carlo tree search on top.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from damier.lab import self_play, simulate
from damier.lab.fit import r2
from damier.lab.knn import KnnLearner, KnnSettings
from damier.lab.labels import Occurrences, label_games
from damier.lab.mlp import MlpLearner, MlpSettings, need_regressor
from damier.lab.training import LEARNT, Training, train
from damier.puct.network import import_torch
from damier.reproduce import deep_checker_report
from damier.reproduce.convolution import train_convolution
from damier.reproduce.frame import Reproduction, Result, Step, Work
from damier.reproduce.learning import learn_all
from damier.reproduce.matches import play_match, play_tournament
from damier.reproduce.report import Report
from damier.scorers import Neighbours, load_scorer
from damier.weights import Array

__all__ = ["DeepChecker", "DeepCheckerSettings"]

PLAYERS = {"A-knn": "moves", "B-knn": "boards", "A-mlp": "moves", "B-mlp": "boards"}  # theirs, and their labels


@dataclass(frozen=True)
class Net:
    """A network to learn from random games; one that does not play only shows R2, and is learnt for a shorter time."""

    label: str
    split: str = "games"
    won_only: bool = False
    plays: bool = True


NETS = {
    **{name: Net(label) for name, label in PLAYERS.items() if name.endswith("mlp")},
    "results": Net("results"),
    # Their split, as far as they tell: boards of one game lie on both sides.
    "rows-moves": Net("moves", split="rows", plays=False),
    "rows-boards": Net("boards", split="rows", plays=False),
    # Means over games in which the score is not 0, which is what their formula says.
    "won": Net("boards", won_only=True, plays=False),
}
LOWEST = "lowest.safetensors"
SPANS = (1, 5, 10, 15, 20, 30, 40)  # plies to the end of a game, from each to the next
FROM_START = "random:0"


@dataclass(frozen=True)
class DeepCheckerSettings:
    """Sizes: matches against `random` have `match_games`, those of stronger players `strong_games`."""

    games: int = 50_000
    epochs: int = 20  # what is held out is explained no better after that
    variant_epochs: int = 15  # of networks that only show R2
    knn_steps: int = 20
    match_games: int = 1000
    strong_games: int = 200
    fresh_games: int = 2000  # that R2 is measured on once more
    self_play_games: int = 20_000  # per generation
    generations: int = 2
    generation_epochs: int = 8
    conv_epochs: int = 6
    depth: int = 4
    mcts_nodes: int = 1000
    engine_nodes: int = 5000
    cup_games: int = 40  # per pairing


class DeepChecker(Reproduction[DeepCheckerSettings]):
    """Two labels by two models, and six stronger players."""

    name, game = "deep-checker", "rennes"
    usual = DeepCheckerSettings()
    quick = DeepCheckerSettings(
        games=4000,
        epochs=4,
        variant_epochs=2,
        knn_steps=2,
        match_games=40,
        strong_games=10,
        fresh_games=200,
        self_play_games=600,
        generations=1,
        generation_epochs=2,
        conv_epochs=5,
        depth=3,
        mcts_nodes=100,
        engine_nodes=500,
        cup_games=4,
    )

    def steps(self) -> list[Step]:
        held = self.settings
        neighbours = [
            Step(f"learn-{name}", f"knn on {label}", partial(self._neighbours, label))
            for name, label in PLAYERS.items()
            if name not in NETS
        ]
        play = [Step(f"play-{name}", f"{name} against random", partial(self._against_random, name)) for name in PLAYERS]
        generations = [
            Step(f"generation-{number}", f"generation {number} of self-play", partial(self._generation, number))
            for number in range(1, held.generations + 1)
        ]
        return [
            Step("games", "random games", self._games),
            *neighbours,
            Step("nets", f"{len(NETS)} networks", self._nets),
            *play,
            Step("play-A-knn-lowest", "A-knn that takes the lowest score", self._lowest),
            Step("play-won", "captures of won games alone against random", self._play_won),
            Step("fresh", "R2 by the distance to the end", self._fresh),
            *generations,
            Step("convolution", "a convolutional net", self._convolution),
            *(
                Step(f"strong-{place}", f"{name} against random", partial(self._strong, name))
                for place, name in enumerate(self._ladder(Path()))
            ),
            Step("cup", "all on one scale", self._cup),
        ]

    def report(self, results: Mapping[str, Result]) -> Report:
        return deep_checker_report.report(results, self.settings, list(self._ladder(Path())))

    # Games and models

    def _games(self, work: Work) -> Result:
        import_torch()
        need_regressor()  # what is missing is told before anything is played
        done = simulate(
            self.game, games=self.settings.games, seed=work.seed, threads=work.threads, out=work.folder, resume=True
        )
        return {"games": done.games, "mean_plies": done.mean_plies, "results": dict(done.results)}

    def _neighbours(self, label: str, work: Work) -> Result:
        learner = KnnLearner(
            self.game,
            [work.folder_of("games")],
            steps=self.settings.knn_steps,
            settings=KnnSettings(label=label, seed=work.seed),
            threads=work.threads,
        )
        return _trained(train(learner, out=work.folder, resume=True, on_step=_saying(work, "step")))

    def _nets(self, work: Work) -> Result:
        return learn_all(work, self._net, NETS)

    def _net(self, work: Work, name: str, net: Net, on_step: Callable[[Training], None]) -> Result:
        games, settings = work.folder_of("games"), MlpSettings(label=net.label, split=net.split, seed=work.seed)
        labelled = _of_won_games(label_games(self.game, [games], net.label)) if net.won_only else None
        steps = self.settings.epochs if net.plays else self.settings.variant_epochs
        learner = MlpLearner(self.game, [games], steps=steps, settings=settings, labelled=labelled)
        return _trained(train(learner, out=work.folder / name, resume=True, on_step=on_step))

    def _fresh(self, work: Work) -> Result:
        """R2 of all four models on new games, by plies to the end."""
        simulate(
            self.game,
            games=self.settings.fresh_games,
            seed=work.seed,
            threads=work.threads,
            out=work.folder,
            resume=True,
        )
        left = 1 / label_games(self.game, [work.folder], "moves").values ** 2  # the move itself included
        found: Result = {"spans": SPANS}
        for name, label in PLAYERS.items():
            work.say(name)
            asked = label_games(self.game, [work.folder], label)
            chosen = np.random.default_rng(work.seed).permutation(len(left))[: 10 * self.settings.fresh_games]
            rows, values = asked.rows[chosen], asked.values[chosen].astype(np.float64)
            scorer = load_scorer(_folder(work.folder.parent, name) / LEARNT, self.game)
            errors = values - scorer.scores(rows, threads=work.threads)
            spans = np.searchsorted(np.array(SPANS) - 0.5, left[chosen], side="right")
            found[name] = [_r2(values[spans == span], errors[spans == span]) for span in range(1, len(SPANS) + 1)]
            found[f"{name}-all"] = _r2(values, errors)
        return found

    def _generation(self, number: int, work: Work) -> Result:
        """Games of the last net against itself, from whose results the net continues to learn."""
        held = self.settings
        last = work.folder_of(f"generation-{number - 1}") / "net" if number > 1 else work.folder_of("nets") / "results"
        played = self_play(
            self.game,
            games=held.self_play_games,
            nodes=0,
            depth=held.depth - 1,
            eval=str(last / LEARNT),
            random_plies=8,
            seed=work.seed,
            threads=work.threads,
            out=work.folder / "games",
            resume=True,
            on_progress=lambda games: work.say(f"{games} of {held.self_play_games} games"),
        )
        settings = MlpSettings(label="results", both_sides=True, start=str(last / LEARNT), seed=work.seed)
        learner = MlpLearner(self.game, [work.folder / "games"], steps=held.generation_epochs, settings=settings)
        training = train(learner, out=work.folder / "net", resume=True, on_step=_saying(work, "epoch"))
        return _trained(training) | {"games": played.games, "mean_plies": played.mean_plies}

    def _convolution(self, work: Work) -> Result:
        sources = [work.folder_of(f"generation-{n}") / "games" for n in range(1, self.settings.generations + 1)]
        labelled = label_games(self.game, sources, "results", both_sides=True)
        train_part, test = labelled.split(0.1, seed=work.seed)
        net, explained = train_convolution(
            self.game,
            train_part,
            test,
            epochs=self.settings.conv_epochs,
            seed=work.seed,
            on_epoch=lambda epoch, r2: work.say(f"epoch {epoch}, R2 {r2:.3f}"),
        )
        work.folder.mkdir(exist_ok=True)
        net.save(work.folder / LEARNT, self.game, provenance={"method": "convolution", "seed": str(work.seed)})
        return {"r2": explained, "rows": len(train_part)}

    # Matches

    def _against_random(self, name: str, work: Work) -> Result:
        spec = f"learnt:{_folder(work.folder.parent, name) / LEARNT}"
        return play_match(work, self.game, spec, "random", games=self.settings.match_games, openings=FROM_START)

    def _lowest(self, work: Work) -> Result:
        folder = work.folder_of("learn-A-knn")
        model = load_scorer(folder / LEARNT, self.game)
        assert isinstance(model, Neighbours)
        Neighbours(model.label, model.rows, -model.values, model.k).save(folder / LOWEST, self.game)
        spec = f"learnt:{folder / LOWEST}"
        return play_match(work, self.game, spec, "random", games=self.settings.match_games, openings=FROM_START)

    def _play_won(self, work: Work) -> Result:
        spec = f"learnt:{_folder(work.folder.parent, 'won') / LEARNT}"
        return play_match(work, self.game, spec, "random", games=self.settings.strong_games, openings=FROM_START)

    def _ladder(self, folder: Path) -> dict[str, str]:
        """The players from theirs to the strongest, by name; `folder` holds all steps."""
        held = self.settings
        results, best = _folder(folder, "results") / LEARNT, folder / f"generation-{held.generations}" / "net" / LEARNT
        convolution = folder / "convolution" / LEARNT
        search = f"alphabeta:depth={held.depth},quiescence=on,ordering=history"
        return {
            "captures, one ply (theirs)": f"learnt:{_folder(folder, 'B-mlp') / LEARNT}",
            "results, one ply": f"alphabeta:depth=1,eval={results}",
            f"results, alpha-beta {held.depth}": f"{search},eval={results}",
            f"reinforced, alpha-beta {held.depth}": f"{search},eval={best}",
            f"reinforced, MCTS {held.mcts_nodes}": f"mcts:nodes={held.mcts_nodes},leaves=evaluated,eval={best}",
            f"convolution, alpha-beta {held.depth}": f"{search},eval={convolution}",
            f"reinforced, engine {held.engine_nodes}": f"engine:nodes={held.engine_nodes},eval={best}",
        }

    def _strong(self, name: str, work: Work) -> Result:
        spec = self._ladder(work.folder.parent)[name]
        return play_match(work, self.game, spec, "random", games=self.settings.strong_games, openings=FROM_START)

    def _cup(self, work: Work) -> Result:
        nodes = self.settings.engine_nodes
        players = self._ladder(work.folder.parent) | {f"classic, engine {nodes}": f"engine:nodes={nodes},eval=classic"}
        return play_tournament(work, self.game, players, games=self.settings.cup_games)


def _folder(out: Path, name: str) -> Path:
    """Where a model of theirs, or one of the networks, was learnt."""
    return out / "nets" / name if name in NETS else out / f"learn-{name}"


def _of_won_games(every: Occurrences) -> Occurrences:
    at = every.values > 0
    return Occurrences(every.label, every.rows[at], every.values[at], every.shares[at], every.games[at])


def _trained(training: Training) -> Result:
    rows = training.metrics
    return {
        "steps": training.steps,
        "r2": training.last["r2"],
        "r2_train": training.last["r2_train"],
        "rows": training.last["rows"],
        "curve": [row["r2"] for row in rows],
    }


def _saying(work: Work, what: str) -> Callable[[Training], None]:
    return lambda now: work.say(f"{what} {now.steps}, R2 {now.last['r2']:.3f}")


def _r2(values: Array, errors: Array) -> float | None:
    """None where there is nothing to explain."""
    spread = float(values.var()) if len(values) > 1 else 0.0
    return r2(float((errors**2).mean()), spread) if spread > 0 else None
