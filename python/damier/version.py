"""The version of this package, as in `pyproject.toml`: to look up what is installed takes longer than to start."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
