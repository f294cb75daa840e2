"""AlphaZero: a network plays itself by tree search, learns from what the search found, and is kept if it wins."""

from __future__ import annotations

from damier.lab.alphazero.learner import AlphaZeroLearner
from damier.lab.alphazero.settings import AlphaZeroSettings

__all__ = ["AlphaZeroLearner", "AlphaZeroSettings"]
