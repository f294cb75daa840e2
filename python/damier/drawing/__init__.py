"""Boards as pictures: SVG for notebooks, files and the web, plain text for terminals."""

from __future__ import annotations

from damier.drawing import svg, text
from damier.drawing.pieces import Piece
from damier.drawing.svg import THEMES, Theme

__all__ = ["THEMES", "Piece", "Theme", "svg", "text"]
