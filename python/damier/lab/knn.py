"""Nearest neighbours: a move or a board is worth what the most similar ones of stored games were worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from damier import games
from damier.engine.arguments import check_range
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import r2
from damier.lab.labels import Labelled, label_games
from damier.lab.training import Learner, Metrics
from damier.scorers import Neighbours
from damier.weights import Array

__all__ = ["KnnLearner", "KnnSettings"]

QUERIES = 500  # of each kind in a step


@dataclass(frozen=True)
class KnnSettings:
    """The settings of a training."""

    label: str = "boards"
    k: int = 4
    both_sides: bool = False
    split: str = "games"
    test_share: float = 0.2
    seed: int = 0


class KnnLearner(Learner):
    """Neighbours need no training: each step queries some more moves or boards, to measure R2.

    `r2_train` is over the stored rows, each of which is among its own neighbours; `r2` over those held out.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = simulate("rennes", games=200, seed=1, out=run)
    ...     learner = KnnLearner("rennes", [run])
    >>> sorted(learner.step(0))
    ['queries', 'r2', 'r2_train', 'rows']
    """

    method: ClassVar[str] = "knn"
    extendable: ClassVar[bool] = True

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where],
        *,
        steps: int = 20,
        settings: KnnSettings | None = None,
        threads: int = 1,
    ) -> None:
        settings = settings or KnnSettings()
        check_range("test share", settings.test_share, 0.01, 0.9)
        self.game, self.steps, self._settings, self._threads = games.info(game).name, steps, settings, threads
        blocks = Blocks(self.game, sources)
        self.settings = {**asdict(settings), "sources": blocks.names}
        labelled = label_games(self.game, blocks, settings.label, both_sides=settings.both_sides)
        self._digest = blocks.digest()
        train, test = labelled.split(settings.test_share, by=settings.split, seed=settings.seed)
        self._parts: dict[str, Labelled] = {"r2_train": train, "r2": test}
        self._model = Neighbours(settings.label, train.rows, train.values, settings.k)
        self._sums = {name: np.zeros(4) for name in self._parts}  # queries, labels, their squares, squared errors

    def step(self, number: int) -> Metrics:
        rng = np.random.default_rng([self._settings.seed, number])
        for name, part in self._parts.items():
            queries = part.some(rng.integers(len(part), size=min(QUERIES, len(part))))
            found = self._model.scores(queries.rows, threads=self._threads).astype(np.float64)
            labels = queries.values.astype(np.float64)
            errors = labels - found
            self._sums[name] += np.array([len(labels), labels.sum(), labels @ labels, errors @ errors])
        measured = {name: _r2(sums) for name, sums in self._sums.items()}
        return {**measured, "queries": float(self._sums["r2"][0]), "rows": float(len(self._model.rows))}

    def state(self) -> dict[str, Array]:
        return dict(self._sums)

    def restore(self, state: Mapping[str, Array]) -> None:
        self._sums = {name: state[name].copy() for name in self._sums}

    def learnt(self) -> Neighbours:
        return self._model

    def spec(self, path: str, nodes: int) -> str:
        return f"learnt:{path}"

    def provenance(self) -> dict[str, str]:
        return {"data_sha256": self._digest}


def _r2(sums: Array) -> float:
    count, total, squares, errors = sums
    return r2(float(errors), float(squares - total**2 / count))
