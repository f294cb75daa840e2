"""Why a move was refused, in a line a player can use."""

from __future__ import annotations

import re

from damier.board import Board
from damier.drawing.pieces import pieces_of

__all__ = ["about", "from_square", "why_not"]

LIST = "type moves to see the legal moves"
SAN = re.compile(r"([KQRBN]?)[a-h]?[1-8]?x?([a-h][1-8])(=?[QRBN])?[+#]?[!?]*")


def from_square(board: Board, square: str) -> list[str]:
    """The legal moves of the piece on a square, in the notation of the game.

    >>> from damier import chess
    >>> from_square(chess.Board(), "g1")
    ['Nf3', 'Nh3']
    """
    return sorted(board.text(move) for move in board.legal_moves if board.ends(move)[0] == square)


def why_not(board: Board, text: str, error: Exception) -> str:
    """Say what is wrong with a move; `error` is the message of the rules, which is kept unless it is just "illegal".

    >>> from damier import loa
    >>> why_not(loa.Board(), "b1-b4", ValueError("'b1-b4' is illegal in ..."))
    'b1-b4 is not legal: the piece on b1 can play b1-b3, b1-d3, b1-h1'
    >>> why_not(loa.Board(), "a2-b2", ValueError("'a2-b2' is illegal in ..."))
    'a2-b2 is not legal: the piece on a2 is White, and Black is to move'
    """
    said = str(error)
    if " is illegal in " not in said and not (" promotion piece" in said and not _arrives(board, text[-2:])):
        return said if " fits " in said or " ambiguous" in said else f"{said}; {LIST}"
    if text.upper().startswith(("O-O", "0-0")):
        return f"{text} is not legal: {board.turn.name.capitalize()} cannot castle that way now"
    named = _named_squares(board, text)
    if len(named) < 2:
        return f"{text} is not legal: {_about_san(board, text)}"
    fitting = sorted(board.text(move) for move in board.legal_moves if board.ends(move) == (named[0], named[-1]))
    if len(fitting) > 1:
        return f"{text} fits {', '.join(fitting[:-1])} and {fitting[-1]}"
    return f"{text} is not legal: {about(board, named[0])}"


def about(board: Board, square: str) -> str:
    """What the piece on a square can do, if it can do anything.

    >>> import damier
    >>> about(damier.board("international"), "50")
    'the piece on 50 cannot move; type moves to see what can'
    """
    if square not in {name for name, _, _ in board.squares}:
        first, last = board.squares[0][0], board.squares[-1][0]
        return f"there is no square {square!r}, expected one from {first} to {last}"
    letter = board.pieces().get(square)
    if letter is None:
        return f"there is no piece on {square}"
    piece = pieces_of(board)[letter]
    if piece.side != board.turn:
        return f"the piece on {square} is {piece.side.name.capitalize()}, and {board.turn.name.capitalize()} is to move"
    return _can_play(f"piece on {square}", from_square(board, square))


def _arrives(board: Board, square: str) -> bool:
    return any(board.ends(move)[1] == square for move in board.legal_moves)


def _can_play(what: str, moves: list[str]) -> str:
    return f"the {what} can play {', '.join(moves)}" if moves else f"the {what} cannot move; type moves to see what can"


def _named_squares(board: Board, text: str) -> list[str]:
    """The squares that a move names one after the other, with any sign between them; none if there is anything else.

    >>> from damier import chess
    >>> _named_squares(chess.Board(), "e2e4"), _named_squares(chess.Board(), "exd5")
    (['e2', 'e4'], [])
    """
    words = re.split(r"[-x:*\s]+", re.sub(r"([a-h]\d)(?=[a-h]\d)", r"\1-", text.lower()))
    names = {name for name, _, _ in board.squares}
    return words if all(word in names for word in words) else []


def _about_san(board: Board, text: str) -> str:
    """What is wrong with a move that names a piece and its destination, as in chess."""
    side = board.turn.name.capitalize()
    known, move = pieces_of(board), SAN.fullmatch(text)
    wanted = (move[1] or "P") if move else ""
    kind = {letter for letter in known if letter.upper() == wanted and known[letter].side == board.turn}
    if not move or not kind:
        return LIST
    squares = [square for square, letter in board.pieces().items() if letter in kind]
    name = known[min(kind)].name
    moves = sorted(move for square in squares for move in from_square(board, square))
    if not squares:
        return f"{side} has no {name}"
    if getattr(board, "is_check", lambda: False)():
        return f"{side} is in check; {LIST}"
    pieces = f"{name} on {squares[0]}" if len(squares) == 1 else f"{name}s"
    if not moves or len(squares) == 1:
        return _can_play(pieces, moves)
    return f"no {name} can go to {move[2]}; {LIST if name == 'pawn' else _can_play(pieces, moves)}"
