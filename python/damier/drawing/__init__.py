"""Boards as pictures: SVG for notebooks, files and the web, plain text for terminals."""

from __future__ import annotations

from collections.abc import Iterable

from damier.drawing import svg as _svg
from damier.drawing import text as _text
from damier.drawing.pieces import Drawable, Piece
from damier.drawing.svg import THEMES, Theme

__all__ = ["THEMES", "Drawable", "Drawn", "Piece", "Theme"]


class Drawn:
    """What a board gains by being drawable; mixed into every game's Board, which says what its pieces are."""

    __slots__ = ()

    def svg(
        self: Drawable,
        *,
        size: int = 400,
        lastmove: bool = True,
        arrows: Iterable[tuple[str, str]] = (),
        flip: bool = False,
        theme: str = "wood",
    ) -> str:
        """Draw the board as SVG, `size` pixels wide, with arrows from square to square.

        >>> from damier import loa
        >>> loa.Board().svg(arrows=[("b1", "b3")], flip=True).startswith("<svg")
        True
        """
        return _svg.draw(self, size=size, lastmove=lastmove, arrows=arrows, flip=flip, theme=theme)

    def unicode(self: Drawable, *, flip: bool = False) -> str:
        """Draw the board with Unicode pieces.

        >>> from damier import chess
        >>> print(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unicode().splitlines()[-2])
        1  ·  ·  ·  ·  ♔  ·  ·  ·
        """
        return _text.draw(self, flip=flip, unicode=True)

    def _repr_svg_(self: Drawable) -> str:
        return _svg.draw(self)

    def __str__(self: Drawable) -> str:
        return _text.draw(self)
