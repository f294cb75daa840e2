"""The texts of UCI and Hub that both sides write and read: moves, positions, scores, lines."""

from __future__ import annotations

__all__: list[str] = []
