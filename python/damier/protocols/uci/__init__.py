"""The Universal Chess Interface, for every game damier knows."""

from __future__ import annotations

__all__: list[str] = []
