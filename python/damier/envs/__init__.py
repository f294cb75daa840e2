"""Games as environments: Gymnasium's vector API and PettingZoo's AEC, by `pip install "damier[gym]"`.

>>> from damier import envs
>>> env = envs.GameVectorEnv("loa", 3)
>>> observations, infos = env.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((3, 5, 8, 8), (3, 1457))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from damier.envs.aec import GameAECEnv, aec_env
    from damier.envs.vector import GameVectorEnv

__all__ = ["GameAECEnv", "GameVectorEnv", "aec_env"]

_WHERE = {"GameAECEnv": "aec", "GameVectorEnv": "vector", "aec_env": "aec"}


def __getattr__(name: str) -> object:
    """Load an environment on first use: either library may be missing."""
    if name in _WHERE:
        return getattr(importlib.import_module(f"damier.envs.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'damier.envs' has no attribute {name!r}")
