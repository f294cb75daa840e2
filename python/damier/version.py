"""The version of this package, as in `pyproject.toml`: looking up the installed version takes longer than starting."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "0.1.0"
