"""Weights by knock-out tournaments: random players meet, and the next ones are drawn around the winner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np

from damier import games
from damier.engine.arguments import check_range
from damier.eval import Linear
from damier.lab.duels import Array, DuelSettings, Meeting, Spread
from damier.lab.training import Learner, Metrics

__all__ = ["KnockoutLearner", "KnockoutSettings"]

DRAWS = 10  # from [-1, 1], which are added to each weight
WINDOW = 10  # generations over which the winners must have settled


@dataclass(frozen=True)
class KnockoutSettings(DuelSettings):
    """The settings of a training: `players` meet in matches of `games` games.

    It ends when the mean `change` of the winner over ten generations is at most `settle`; 0 for never.
    """

    players: int = 32
    games: int = 5
    settle: float = 0.05


class KnockoutLearner(Learner):
    """Generations of players, each drawn around the previous winner; the winner itself plays again.

    A step is a generation. `distance` is that between the weights of successive winners, and `change` the same with
    both scaled to length 1, since twice the weights play the same: it gets smaller as the winner's weights grow, while
    the draws stay as wide.

    >>> learner = KnockoutLearner("rennes", steps=2, settings=KnockoutSettings(players=4, nodes=10))
    >>> {name: value for name, value in learner.step(0).items() if name == "games"}
    {'games': 15.0}
    """

    method: ClassVar[str] = "knockout"
    extendable: ClassVar[bool] = True

    def __init__(
        self, game: str, *, steps: int = 100, settings: KnockoutSettings | None = None, threads: int = 1
    ) -> None:
        settings = settings or KnockoutSettings()
        self.game, self.steps, self._settings = games.info(game).name, steps, settings
        _check(settings)
        self._duels = settings.duels(game, threads)
        self._features = self._duels.features
        self._names = games.board(game).feature_names(self._features)
        self._spread = Spread(game, self._features)
        self._winner = self._draws(np.random.default_rng([settings.seed, 2**32]), 1)[0]
        self._changes = np.zeros(0)
        self.settings = {**asdict(settings), "features": self._features}

    def step(self, number: int) -> Metrics:
        rng = np.random.default_rng([self._settings.seed, number])
        centre = self._winner if number else np.zeros_like(self._winner)
        others = centre + self._draws(rng, self._settings.players - 1)
        entrants = np.concatenate([self._winner[None, :], others])
        best, share = self._play(entrants, rng)
        winner = entrants[best]
        distance = float(np.linalg.norm(winner - self._winner))
        change = float(np.linalg.norm(_unit(winner) - _unit(self._winner)))
        self._winner, self._changes = winner, np.append(self._changes, change)[-WINDOW:]
        weights = {
            f"weights/{name}": float(weight)
            for name, weight in zip(self._names, self._spread.scaled(winner), strict=True)
        }
        matches = self._settings.players - 1
        return {
            "games": float(matches * self._settings.games),
            "distance": distance,
            "change": change,
            "winner_share": share,
            **weights,
        }

    def state(self) -> dict[str, Array]:
        return {"winner": self._winner, "changes": self._changes}

    def restore(self, state: Mapping[str, Array]) -> None:
        if state["winner"].shape != self._winner.shape:
            raise ValueError(f"it has {state['winner'].size} weights, expected {self._winner.size}")
        self._winner, self._changes = state["winner"], state["changes"]

    def learnt(self) -> Linear:
        return Linear(self._features, self._spread.scaled(self._winner), f"{self._features}-knockout")

    def is_done(self) -> bool:
        return len(self._changes) == WINDOW and bool(self._changes.mean() <= self._settings.settle > 0)

    def _draws(self, rng: np.random.Generator, players: int) -> Array:
        draws: Array = rng.uniform(-1, 1, size=(DRAWS, players, len(self._names)))
        return np.asarray(draws.sum(axis=0))

    def _play(self, entrants: Array, rng: np.random.Generator) -> tuple[int, float]:
        """The number of the winner, and its share of the points in its matches; an odd player has a bye."""
        rows = [self._spread.scaled(row) for row in entrants]
        left = rng.permutation(len(rows)).tolist()
        points, played = np.zeros(len(rows)), np.zeros(len(rows))
        games = self._settings.games
        while len(left) > 1:
            bye = left[-1:] if len(left) % 2 else []
            pairs = list(zip(left[::2], left[1::2], strict=False))
            seeds, coins = rng.integers(2**62, size=len(pairs)), rng.integers(2, size=len(pairs))
            found = self._duels.play(
                [Meeting(rows[a], rows[b], games, int(seed)) for (a, b), seed in zip(pairs, seeds, strict=True)]
            )
            left = bye
            for (a, b), mine, coin in zip(pairs, found, coins, strict=True):
                points[[a, b]] += mine, games - mine
                played[[a, b]] += games
                left.append(a if mine > games / 2 or (mine == games / 2 and coin) else b)
        best = left[0]
        return best, float(points[best] / played[best])


def _unit(weights: Array) -> Array:
    return weights / (float(np.linalg.norm(weights)) or 1.0)


def _check(settings: KnockoutSettings) -> None:
    check_range("players", settings.players, 2, 1024)
    check_range("games", settings.games, 1, 1000)
    check_range("settle", settings.settle, 0, 2)
