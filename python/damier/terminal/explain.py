"""Why a move was refused, in a line a player can use."""

from __future__ import annotations

from damier.drawing.pieces import pieces_of
from damier.players import AnyBoard

__all__ = ["about", "from_square", "why_not"]


def from_square(board: AnyBoard, square: str) -> list[str]:
    """The legal moves of the piece on a square, in the notation of the game.

    >>> from damier import chess
    >>> from_square(chess.Board(), "g1")
    ['Nf3', 'Nh3']
    """
    return sorted(board.text(move) for move in board.legal_moves if board.ends(move)[0] == square)


def why_not(board: AnyBoard, text: str, error: Exception) -> str:
    """Say what is wrong with a move; `error` is what the rules said.

    >>> from damier import loa
    >>> why_not(loa.Board(), "b1-b4", ValueError())
    'b1-b4 is not legal: the piece on b1 can play b1-b3, b1-d3, b1-h1'
    >>> why_not(loa.Board(), "a2-b2", ValueError())
    'a2-b2 is not legal: the piece on a2 is White, and Black is to move'
    """
    names = [name for name, _, _ in board.squares if text.lower().startswith(name)]
    if not names:
        said = str(error).partition(f" in {board.fen().split()[0]}")[0]
        return f"{said}; type moves to see the legal moves"
    return f"{text} is not legal: {about(board, max(names, key=len))}"


def about(board: AnyBoard, square: str) -> str:
    """What the piece on a square can do, if it can do anything.

    >>> from damier import draughts
    >>> about(draughts.Board(variant="international"), "50")
    'the piece on 50 cannot move; type moves to see what can'
    """
    if square not in {name for name, _, _ in board.squares}:
        first, last = board.squares[0][0], board.squares[-1][0]
        return f"there is no square {square!r}, expected one from {first} to {last}"
    letter = board.pieces().get(square)
    if letter is None:
        return f"there is no piece on {square}"
    side = pieces_of(board)[letter].side
    if side != board.turn:
        return f"the piece on {square} is {side.name.capitalize()}, and {board.turn.name.capitalize()} is to move"
    if moves := from_square(board, square):
        return f"the piece on {square} can play {', '.join(moves)}"
    return f"the piece on {square} cannot move; type moves to see what can"
