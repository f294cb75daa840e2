"""Boards as pictures: SVG for notebooks, files and the web, plain text for terminals."""

from __future__ import annotations

__all__ = ["Drawn"]


class Drawn:
    """What a board gains by being drawable; mixed into every game's Board."""
