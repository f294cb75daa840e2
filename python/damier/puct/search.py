"""Searches of many boards at once: the core descends the trees, and a network evaluates all leaves in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from damier import _core
from damier._core import StopFlag
from damier.batch import BoardBatch

__all__ = ["Evaluate", "PuctSettings", "Search"]

Array = npt.NDArray[np.generic]
Evaluate: TypeAlias = Callable[[Array], tuple[Array, Array]]


@dataclass(frozen=True)
class PuctSettings:
    """How trees are searched; Dirichlet noise is for the priors of roots."""

    exploration: float = 1.5
    fpu_reduction: float = 0.25  # first-play urgency: an untried move is thought to be so much worse than its position
    noise: float = 0.25  # its share in the priors
    dirichlet_concentration: float = 10.0  # sum of its alphas, one per move and all alike
    most_nodes: int = 1 << 20  # per tree


class Search:
    """PUCT on every board of a batch, with a network or any function from planes to logits and values.

    >>> boards = BoardBatch("loa5", 2)
    >>> search = Search(boards, lambda planes: (np.zeros((len(planes), 321)), np.zeros(len(planes))))
    >>> search.run(50)
    >>> actions, shares, *_ = search.policies()
    >>> len(actions), round(float(shares.sum()), 6)
    (36, 2.0)
    >>> boards.play(search.choose())
    """

    def __init__(
        self,
        boards: BoardBatch,
        evaluate: Evaluate,
        settings: PuctSettings | None = None,
        *,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        self.boards, self.evaluate = boards, evaluate
        self.trees = _core.TreeBatch(boards, **asdict(settings or PuctSettings()), seed=seed, threads=threads)
        self.evaluations = 0  # so far

    def run(
        self, simulations: int | Array, *, noisy: bool | Array = False, leaves: int = 1, stop: StopFlag | None = None
    ) -> None:
        """Search each board until its root has this many visits; 0 leaves a board out.

        With more than one leaf per tree at a time there are fewer calls of the network, with slightly worse leaves.
        """
        n = len(self.boards)
        self.trees.begin(
            np.broadcast_to(np.asarray(simulations, np.int64), n), np.broadcast_to(np.asarray(noisy, np.uint8), n)
        )
        while len(planes := self.trees.select(leaves)) and not (stop and stop.is_set()):
            logits, values = self.evaluate(planes)
            self.trees.back_up(np.ascontiguousarray(logits, np.float32), np.ascontiguousarray(values, np.float32))
            self.evaluations += len(planes)

    def policies(self) -> tuple[Array, Array, Array, Array, Array]:
        """The moves of all boards: actions, shares of visits, priors, values; and where those of each board end."""
        return self.trees.policies()

    def values(self) -> Array:
        """The value of each board for its side to move, from -1 to 1."""
        return self.trees.values()

    def choose(self, temperatures: float | Array = 0.0) -> Array:
        """An action for each board: the most visited, or at a temperature one drawn by visits."""
        return self.trees.choose(np.array(np.broadcast_to(temperatures, len(self.boards)), np.float32))
