"""Tree search guided by a policy and value network: the network, and searches of many boards at once."""

from __future__ import annotations

from damier.puct.network import KIND, PolicyValue, Shape
from damier.puct.search import Evaluate, PuctSettings, Search

__all__ = ["KIND", "Evaluate", "PolicyValue", "PuctSettings", "Search", "Shape"]
