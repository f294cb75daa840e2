"""Many games as one vector environment of Gymnasium, in which the agent plays both sides."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from damier._core import DamierError
from damier.batch import BoardBatch
from damier.games import GAMES

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise DamierError("a vector environment needs Gymnasium: pip install 'damier[gym]'") from None

__all__ = ["GameVectorEnv"]

VALUES = np.array([0.0, 1.0, -1.0, 0.0])  # of an outcome for White: unfinished, White won, Black won, draw


class GameVectorEnv(VectorEnv):
    """`num_envs` games of one kind, stepped together; each observation is the board as the side to move sees it.

    The agent plays both sides: a reward is for the side that has just moved, 1 for winning and -1 for losing.
    `infos["action_mask"]` says which actions are legal; an illegal one raises MoveError. A finished game begins anew
    with the next step (`AutoresetMode.NEXT_STEP`). The option `opening_plies` of `reset` begins every game with so many
    random moves.

    >>> env = GameVectorEnv("loa5", 2)
    >>> _, infos = env.reset(seed=3, options={"opening_plies": 2})
    >>> over = np.zeros(2, dtype=bool)
    >>> while not over.any():
    ...     _, rewards, over, _, infos = env.step(env.batch.random_actions())
    >>> rewards[over] != 0
    array([ True])
    """

    metadata: ClassVar[dict[str, object]] = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        copy: bool = True,
        **articles: Any,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise DamierError(f"render_mode is {render_mode!r}, expected ansi or None")
        self.batch = BoardBatch(game, num_envs, **articles)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        shape = self.batch.planes().shape[1:]
        self.single_observation_space = gymnasium.spaces.Box(0.0, 255.0, shape, np.float32)
        self.single_action_space = gymnasium.spaces.Discrete(self.batch.action_count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        """Restart every game."""
        super().reset(seed=seed, options=options)
        self.batch.reset(int(self.np_random.integers(2**63)), int((options or {}).get("opening_plies", 0)))
        return self._observations(), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.float32],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play an action in every game."""
        movers = self.batch.turns().copy()
        self.batch.play(actions)
        outcomes = self.batch.outcomes()
        rewards = VALUES[outcomes] * np.where(movers == 0, 1.0, -1.0)
        return self._observations(), rewards, outcomes > 0, np.zeros(self.num_envs, dtype=np.bool_), self._infos()

    def render(self) -> tuple[str, ...] | None:
        """Draw every board as text."""
        return tuple(str(board) for board in self.batch.boards()) if self.render_mode == "ansi" else None

    def _observations(self) -> npt.NDArray[np.float32]:
        planes: npt.NDArray[np.float32] = self.batch.planes()
        return planes.copy() if self.copy else planes

    def _infos(self) -> dict[str, object]:
        mask, turns = self.batch.legal_mask(), self.batch.turns()
        return {"action_mask": mask.copy() if self.copy else mask, "turns": turns.copy() if self.copy else turns}


for _name in GAMES:  # gymnasium.make_vec("damier/chess-v0", num_envs=8)
    gymnasium.register(f"damier/{_name}-v0", vector_entry_point=GameVectorEnv, kwargs={"game": _name})
