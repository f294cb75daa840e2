"""Boards in the terminal: coloured squares if there are colours, text otherwise."""

from __future__ import annotations

from collections.abc import Collection

from rich.console import Console
from rich.text import Text

from damier._core import Outcome, Side
from damier.board import Board
from damier.drawing import text
from damier.drawing.pieces import grid, last_path, pieces_of

__all__ = ["draw", "status_line", "verdict"]

INK = {Side.WHITE: "bold #ffffff", Side.BLACK: "bold #000000"}
LIGHT, DARK, BEYOND = "#b99b74", "#8a673f", "#e3d3b4"
LAST, MARKED = "#5f8f4e", "#4a7fb5"
FAINT = "#d8c3a0"


def draw(board: Board, console: Console, *, flip: bool = False, marks: Collection[str] = ()) -> Text:
    """Draw a board as well as the console can: colours, Unicode pieces, or plain letters."""
    unicode = console.is_terminal and console.encoding.startswith("utf")
    if unicode and console.color_system and not console.no_color:
        return _coloured(board, flip, marks)
    return Text(text.draw(board, flip=flip, unicode=unicode, marks=marks))


def _coloured(board: Board, flip: bool, marks: Collection[str]) -> Text:
    pieces, known, last = board.pieces(), pieces_of(board), last_path(board)
    left, right, below = text.labels(board, flip)
    width = max(map(len, left))
    lines = []
    for number, row in enumerate(grid(board, flip)):
        line = Text(f"{left[number]:>{width}} ", "dim")
        for column, square in enumerate(row):
            dark = None in row or (number + column) % 2 == (len(row) - 1) % 2
            ground = _ground(square, DARK if dark else LIGHT, last, marks)
            if piece := known.get(pieces.get(square or "", "")):
                line.append(f" {piece.solid} ", f"not dim {INK[piece.side]} on {ground}")
            else:
                line.append(_empty(square, marks), f"not dim {FAINT} on {ground}")
        lines.append(line.append(f" {right[number]}"))
    if below:
        lines.append(Text(" " * (width + 1) + "".join(f" {file} " for file in below), "dim"))
    return Text("\n").join(lines)


def _ground(square: str | None, plain: str, last: Collection[str], marks: Collection[str]) -> str:
    return BEYOND if square is None else MARKED if square in marks else LAST if square in last else plain


def _empty(square: str | None, marks: Collection[str]) -> str:
    """An empty square: its number if it has one, or a dot on squares a piece can reach."""
    if square and square.isdigit():
        return f"{square:^3}"
    return " • " if square in marks else "   "


def status_line(board: Board) -> str:
    """Whose move it is, or how the game ended.

    >>> from damier import loa
    >>> status_line(loa.Board())
    'Black to move, 36 legal moves'
    """
    if outcome := board.outcome():
        return verdict(outcome)
    count = len(board.legal_moves)
    words = f"{board.turn.name.capitalize()} to move, {count} legal move{'s' if count > 1 else ''}"
    if claim := board.outcome(claim_draw=True):
        words += f"; a draw can be claimed: {claim.reason}"
    return words


def verdict(outcome: Outcome) -> str:
    """A result in words.

    >>> from damier import chess
    >>> verdict(chess.Board("7k/5KQ1/8/8/8/8/8/8 b - - 0 1").outcome())
    'White wins, 1-0: checkmate'
    """
    who = f"{outcome.winner.name.capitalize()} wins" if outcome.winner else "Draw"
    return f"{who}, {outcome.result}: {outcome.reason}"
