"""Efficiently updated networks (NNUE) learnt from stored games."""

from __future__ import annotations

from damier.lab.nnue.generation import GenerationLearner, GenerationSettings
from damier.lab.nnue.learner import NnueLearner
from damier.lab.nnue.settings import NnueSettings

__all__ = ["GenerationLearner", "GenerationSettings", "NnueLearner", "NnueSettings"]
