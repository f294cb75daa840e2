"""A position as pages see it: pieces, legal moves, and facts that only the boards of its family know."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from damier import chess, draughts, games, loa
from damier._core import DamierError, Outcome
from damier._core import Side as CoreSide
from damier.board import Board, Move
from damier.files import JsonObject
from damier.web.errors import RefusedError
from damier.web.reasons import bad_position
from damier.web.state import Captured, Ending, Groups, LastMove, LegalMove, Position, Side

__all__ = ["board_at", "ending_of", "play_text", "position_at", "position_of", "read_board", "side_of"]

LONG = 200  # plies


def side_of(side: CoreSide) -> Side:
    return "white" if side == CoreSide.WHITE else "black"


def board_at(variant: str, fen: str | None = None, moves: Sequence[str] = ()) -> Board:
    """The board of a variant after moves that a page has sent; errors in them are refusals.

    >>> board_at("chess", None, ["e2e4", "c5"]).ply
    2
    """
    if variant not in games.GAMES:
        raise RefusedError("unknown_variant", f"{variant!r} is not a game, expected one of {', '.join(games.GAMES)}")
    try:
        board = games.board(variant, fen)
    except DamierError as error:
        raise bad_position(str(error)) from None
    for text in moves:
        play_text(board, text)
    return board


async def read_board(variant: str, fen: str | None, moves: Sequence[str]) -> Board:
    """The board after moves that pages have sent; long games are played off the loop."""
    if len(moves) < LONG:
        return board_at(variant, fen, moves)
    return await asyncio.to_thread(board_at, variant, fen, moves)


async def position_at(variant: str, fen: str | None, moves: Sequence[str]) -> Position:
    """The position after moves that a page has sent."""
    board = await read_board(variant, fen, moves)
    return position_of(board) if len(moves) < LONG else await asyncio.to_thread(position_of, board)


def play_text(board: Board, text: str) -> Move:
    """Play a move that a page has sent."""
    try:
        return board.play(text)
    except DamierError as error:
        raise RefusedError("illegal_move", str(error)) from None


def position_of(board: Board) -> Position:
    """Everything a page needs to know about a position.

    >>> position = position_of(games.board("english", "W:W18,32:B14,27,9"))
    >>> position.turn, position.must_capture, [move.san for move in position.legal]
    ('white', ['32'], ['32x23'])
    """
    outcome = board.outcome()
    claim = None if outcome else board.outcome(claim_draw=True)
    lost = board.captured()
    return Position(
        variant=board.variant,
        fen=board.fen(),
        turn=side_of(board.turn),
        ply=board.ply,
        move_number=board.move_number,
        pieces=board.pieces(),
        legal=[] if outcome else [_legal(board, move) for move in board.legal_moves],
        last=_last(board),
        captured=Captured(white=lost[CoreSide.WHITE], black=lost[CoreSide.BLACK]),
        outcome=ending_of(outcome) if outcome else None,
        claimable=claim.reason if claim else None,
        **_facts(board),
    )


def ending_of(outcome: Outcome) -> Ending:
    winner = None if outcome.winner is None else side_of(outcome.winner)
    return Ending(result=outcome.result, winner=winner, reason=outcome.reason)  # type: ignore[arg-type]


def _facts(board: Board) -> JsonObject:
    """What only boards of one family know."""
    if isinstance(board, chess.Board):
        return {"check": board.checked_king()}
    if isinstance(board, draughts.Board):
        return {"must_capture": board.must_capture()}
    if isinstance(board, loa.Board):
        groups = Groups(white=board.groups(CoreSide.WHITE), black=board.groups(CoreSide.BLACK))
        return {"groups": groups, "line_counts": board.line_counts()}
    return {}


def _legal(board: Board, move: Move) -> LegalMove:
    return LegalMove(
        **_drawn(board, move), promotion=move.promotion, castling=move.to_square if move.is_castling else None
    )


def _last(board: Board) -> LastMove | None:
    if not board.ply:
        return None
    before = board.copy()
    return LastMove(**_drawn(before, before.pop()))


def _drawn(board: Board, move: Move) -> JsonObject:
    """A move before it is played, as it is written and drawn."""
    start, end = (None, None) if move.is_pass else board.ends(move)
    return {
        "move": str(move),
        "san": board.text(move),
        "from_": start,
        "to": end,
        "path": [] if move.is_pass else board.path(move),
        "captures": list(move.captured),
    }
