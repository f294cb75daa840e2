"""The settings of AlphaZero, with defaults that suit each game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from damier import games
from damier._core import DamierError
from damier.engine.arguments import check_range

__all__ = ["AlphaZeroSettings", "default_steps"]


@dataclass(frozen=True)
class AlphaZeroSettings:
    """The network, self-play, training and gating."""

    channels: int = 32
    blocks: int = 3
    # Self-play: some moves are searched fully and learnt from, the others quickly (Wu 2019, playout cap randomisation).
    games: int = 256  # per step
    parallel: int = 256  # of them at once
    groups: int = 2  # that play them side by side; threads share them out
    simulations: int = 32
    fast_simulations: int = 8
    full_share: float = 0.4
    random_plies: int = 4  # a game begins with 0 to this many random moves
    warm_plies: int = 12  # then as many drawn by visits, later ones at a lower temperature
    cool_temperature: float = 0.3
    plies: int = 200  # after which a game is a draw
    exploration: float = 1.5
    noise: float = 0.25
    # Training
    window: int = 150_000  # newest positions that are learnt from
    reuse: float = 6.0  # how often each position is learnt from, on average
    batch: int = 256
    rate: float = 2e-3  # at the first step
    decay: float = 1e-4  # of weights
    value_mix: float = 0.3  # share of the root's value in the value learnt, the rest being the result
    # Gating
    gate_games: int = 32
    gate_simulations: int = 16
    gate_share: float = 0.45  # of the points, at least, to be adopted
    seed: int = 0

    @classmethod
    def for_game(cls, game: str, **chosen: Any) -> AlphaZeroSettings:
        """The defaults of a game, except for the given settings.

        >>> AlphaZeroSettings.for_game("loa5", simulations=32).simulations
        32
        """
        return replace(cls(**DEFAULTS.get(games.info(game).name, {})), **chosen)

    def check(self) -> None:
        """Refuse settings that make no sense."""
        for name in ("channels", "blocks", "games", "parallel", "groups", "plies", "window", "batch"):
            check_range(name, getattr(self, name), 1)
        for name in ("simulations", "fast_simulations", "gate_simulations"):
            check_range(name, getattr(self, name), 2)
        for name in ("random_plies", "warm_plies", "gate_games"):
            check_range(name, getattr(self, name), 0)
        for name in ("rate", "reuse"):
            if not getattr(self, name) > 0:
                raise DamierError(f"{name} is {getattr(self, name)}, expected more than 0")
        if not 0 < self.full_share <= 1:
            raise DamierError(f"full_share is {self.full_share}, expected more than 0 and at most 1")
        if self.gate_games % 2:
            raise DamierError(f"gate_games is {self.gate_games}, expected an even number: each opening is played twice")


DEFAULTS: dict[str, dict[str, int]] = {
    "loa5": {"games": 1024, "parallel": 512},  # games of a dozen moves
    "loa": {"random_plies": 60},  # with few, untrained networks repeat positions, and learn to draw
    "rennes": {"games": 320, "parallel": 320},
}
STEPS = {"loa5": 60, "rennes": 45}  # each in half an hour on two cores


def default_steps(game: str) -> int:
    """The default number of steps for a game.

    >>> default_steps("chess")
    100
    """
    return STEPS.get(games.info(game).name, 100)
