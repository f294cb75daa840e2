"""Boards as SVG. A square is 100 units wide; everything is drawn here and needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import hypot

from damier._core import Board, DamierError, Side
from damier.drawing import shapes
from damier.drawing.pieces import grid, last_path, numbered, pieces_of, title
from damier.drawing.text import labels

__all__ = ["THEMES", "Theme", "draw"]

SQUARE = 100


@dataclass(frozen=True)
class Theme:
    """The colours of a board."""

    light: str
    dark: str
    frame: str
    label: str
    number: str
    last: str
    arrow: str


THEMES = {
    "wood": Theme("#f0dcb8", "#b88a5a", "#6f4a2b", "#f6e7cc", "#3a2413", "#f2c230", "#1d6f8c"),
    "slate": Theme("#dfe4ea", "#8296a9", "#3b4957", "#eef2f6", "#0f1a26", "#ffcf5c", "#c2410c"),
    "green": Theme("#eeeed8", "#769656", "#3f5630", "#f1f4e6", "#16240a", "#f4e04d", "#8a2be2"),
    "paper": Theme("#ffffff", "#c9c9c9", "#ffffff", "#222222", "#222222", "#ffd54d", "#222222"),
}


def draw(
    board: Board,
    *,
    size: int,
    lastmove: bool,
    arrows: Iterable[tuple[str, str]],
    flip: bool,
    theme: str,
) -> str:
    """Draw a board as a complete SVG document: what `board.svg()` does.

    >>> from damier import chess
    >>> chess.Board().svg(theme="slate").count('class="piece"')
    32
    """
    if theme not in THEMES:
        raise DamierError(f"{theme!r} is not a theme, expected one of {', '.join(THEMES)}")
    if size < 1:
        raise DamierError(f"size is {size}, expected 1 pixel or more")
    return _Drawing(board, THEMES[theme], flip).document(size, last_path(board) if lastmove else [], arrows)


class _Drawing:
    """A board being drawn: where its squares are, and the parts of its picture."""

    def __init__(self, board: Board, theme: Theme, flip: bool) -> None:
        self.board, self.theme, self.flip = board, theme, flip
        self.rows = grid(board, flip)
        self.margin = 24 if numbered(board) else 44
        self.at = {
            name: (self.margin + SQUARE * column, self.margin + SQUARE * row)
            for row, names in enumerate(self.rows)
            for column, name in enumerate(names)
            if name
        }

    def document(self, size: int, path: list[str], arrows: Iterable[tuple[str, str]]) -> str:
        width, height = (2 * self.margin + SQUARE * n for n in (len(self.rows[0]), len(self.rows)))
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{size}" height="{round(size * height / width)}" role="img">',
            f"<title>{escape(title(self.board))}</title>",
            f"<desc>{escape(self.words())}</desc>",
            f"<defs>{self.definitions()}</defs>",
            f'<rect width="{width}" height="{height}" rx="10" fill="{self.theme.frame}"/>',
            self.squares(),
            self.trail(path),
            self.coordinates(),
            self.pieces(),
            *(self.arrow(start, end) for start, end in arrows),
            "</svg>",
        ]
        return "\n".join(part for part in parts if part)

    def words(self) -> str:
        """Every piece in words, for screen readers."""
        known = pieces_of(self.board)
        return " ".join(
            f"{side.name.capitalize()}: "
            + (
                ", ".join(f"{known[x].name} {at}" for at, x in self.board.pieces().items() if known[x].side == side)
                or "none"
            )
            + "."
            for side in Side
        )

    def definitions(self) -> str:
        known = pieces_of(self.board)
        used = [known[letter] for letter in sorted(set(self.board.pieces().values()))]
        return "".join(shapes.gradients(side) for side in Side) + "".join(
            f'<g id="damier-{kind.side.name.lower()}-{kind.name}">{shapes.piece(kind.side, kind.name)}</g>'
            for kind in used
        )

    def squares(self) -> str:
        """The light board, then the dark squares: those one plays on, or every other one as on a chess board."""
        everywhere = all(name for row in self.rows for name in row)
        corner = (len(self.rows) - 1) % 2
        dark = "".join(
            f"M{self.margin + SQUARE * column},{self.margin + SQUARE * row}h{SQUARE}v{SQUARE}h-{SQUARE}z"
            for row, names in enumerate(self.rows)
            for column, name in enumerate(names)
            if (name and not everywhere) or (everywhere and (row + column) % 2 == corner)
        )
        width, height = SQUARE * len(self.rows[0]), SQUARE * len(self.rows)
        return (
            f'<rect x="{self.margin}" y="{self.margin}" width="{width}" height="{height}" '
            f'fill="{self.theme.light}" stroke="{self.theme.dark}" stroke-width="3"/>'
            f'<path d="{dark}" fill="{self.theme.dark}"/>'
        )

    def trail(self, path: list[str]) -> str:
        """The squares of the last move, its ends stronger."""
        return "".join(
            f'<rect class="last" x="{self.at[name][0]}" y="{self.at[name][1]}" width="{SQUARE}" height="{SQUARE}" '
            f'fill="{self.theme.last}" opacity="{0.62 if name in (path[0], path[-1]) else 0.35}"/>'
            for name in dict.fromkeys(path)
        )

    def coordinates(self) -> str:
        if numbered(self.board):
            texts = [
                f'<text x="{x + 3}" y="{y + 19}" fill="{self.theme.number}">{name}</text>'
                for name, (x, y) in self.at.items()
            ]
            return f'<g font-family="sans-serif" font-size="21">{"".join(texts)}</g>'
        left, _, below = labels(self.board, self.flip)
        middle, bottom = self.margin + SQUARE / 2, self.margin + SQUARE * len(self.rows)
        texts = [
            f'<text x="{self.margin / 2:g}" y="{middle + 9 + SQUARE * i:g}">{text}</text>'
            for i, text in enumerate(left)
        ]
        texts += [f'<text x="{middle + SQUARE * i:g}" y="{bottom + 31}">{text}</text>' for i, text in enumerate(below)]
        style = f'font-family="sans-serif" font-size="26" text-anchor="middle" fill="{self.theme.label}"'
        return f"<g {style}>{''.join(texts)}</g>"

    def pieces(self) -> str:
        known = pieces_of(self.board)
        return "\n".join(
            f'<use class="piece" href="#damier-{kind.side.name.lower()}-{kind.name}" x="{x}" y="{y}"/>'
            for name, letter in self.board.pieces().items()
            for kind, (x, y) in [(known[letter], self.at[name])]
        )

    def arrow(self, start: str, end: str) -> str:
        for name in (start, end):
            if name not in self.at:
                raise DamierError(f"arrow from {start!r} to {end!r}: {name!r} is not a square of this board")
        (x1, y1), (x2, y2) = ((x + SQUARE / 2, y + SQUARE / 2) for x, y in (self.at[start], self.at[end]))
        length = hypot(x2 - x1, y2 - y1) or 1
        ux, uy = (x2 - x1) / length, (y2 - y1) / length
        neck_x, neck_y = x2 - 34 * ux, y2 - 34 * uy
        corners = [(x2, y2), (neck_x - 22 * uy, neck_y + 22 * ux), (neck_x + 22 * uy, neck_y - 22 * ux)]
        head = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
        return (
            f'<g class="arrow" opacity=".8" fill="{self.theme.arrow}" stroke="{self.theme.arrow}">'
            f'<path d="M{x1:g},{y1:g} L{neck_x:.1f},{neck_y:.1f}" stroke-width="16" stroke-linecap="round"/>'
            f'<polygon points="{head}"/></g>'
        )
