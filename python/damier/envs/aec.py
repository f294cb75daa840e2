"""A game as an environment of PettingZoo, in which two agents take turns."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from damier._core import DamierError, Side
from damier.batch import BoardBatch

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise DamierError("an AEC environment needs PettingZoo: pip install 'damier[gym]'") from None

__all__ = ["GameAECEnv", "aec_env"]

SIDES = {"white_0": Side.WHITE, "black_0": Side.BLACK}


def aec_env(game: str, *, render_mode: str | None = None, **articles: Any) -> AECEnv:
    """Make the environment of a game as PettingZoo's own are: one that plays an illegal action loses.

    >>> env = aec_env("loa")
    >>> env.reset(seed=1)
    >>> env.agent_selection                                     # Black begins in Lines of Action
    'black_0'
    >>> env.last()[0]["action_mask"].sum()
    np.int64(36)
    """
    env = GameAECEnv(game, render_mode=render_mode, **articles)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


class GameAECEnv(AECEnv):
    """A game between the agents `white_0` and `black_0`; the winner is rewarded with 1 and the loser with -1.

    An observation is the board as the agent sees it, and which actions are legal when it is its turn. An illegal one
    raises MoveError; `aec_env` lets it lose the game.
    """

    metadata: ClassVar[dict[str, object]] = {"name": "damier_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: str, *, render_mode: str | None = None, **articles: Any) -> None:
        if render_mode not in (None, "ansi"):
            raise DamierError(f"render_mode is {render_mode!r}, expected ansi or None")
        super().__init__()
        self.batch = BoardBatch(game, 1, **articles)
        self.render_mode = render_mode
        self.possible_agents = list(SIDES)
        shape = self.batch.planes().shape[1:]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, 255.0, shape, np.float32),
                    "action_mask": spaces.Box(0, 1, (self.batch.action_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(self.batch.action_count) for agent in self.possible_agents}
        self._dice = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Space:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """What an agent may play."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game, after as many random moves as the option `opening_plies` says."""
        if seed is not None:
            self._dice = np.random.default_rng(seed)
        self.batch.reset(int(self._dice.integers(2**63)), int((options or {}).get("opening_plies", 0)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def observe(self, agent: str) -> dict[str, npt.NDArray[np.generic]]:
        """The board as an agent sees it, and the legal actions when it is its turn."""
        mask = self.batch.legal_mask()[0].astype(np.int8)
        return {
            "observation": self.batch.planes(side=SIDES[agent])[0].copy(),
            "action_mask": mask if agent == self._to_move() else np.zeros_like(mask),
        }

    def step(self, action: int | None) -> None:
        """Play an action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise DamierError(f"{agent} gave no action, expected a legal one")
        self.batch.play([action])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        outcome = self.batch.outcome(0)
        if outcome:
            self.terminations = dict.fromkeys(self.agents, True)
            for each in self.agents:
                if outcome.winner is not None:
                    self.rewards[each] = 1.0 if SIDES[each] == outcome.winner else -1.0
                self.infos[each] = {"reason": outcome.reason}
        self.agent_selection = self._to_move()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Draw the board as text."""
        return str(self.batch.board(0)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _to_move(self) -> str:
        return self.possible_agents[int(self.batch.turns()[0])]
