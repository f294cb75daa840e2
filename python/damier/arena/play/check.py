"""Whether a stored game can be genuine: its moves are legal, and its result follows from them."""

from __future__ import annotations

from itertools import zip_longest

from damier import games
from damier._core import DamierError, Side
from damier.arena.play.referee import LONGEST, Adjudication
from damier.engine.result import FaultKind
from damier.records import GameRecord

__all__ = ["what_is_wrong"]

DECIDED = ("1-0", "0-1")
FAULTS = ("time", *FaultKind.__args__)  # type: ignore[attr-defined]  # how a player can lose before the game is over


def what_is_wrong(game: GameRecord, adjudication: Adjudication) -> str | None:
    """What contradicts the rules or the adjudication, in one line; None if nothing does.

    >>> what_is_wrong(GameRecord("loa", result="1-0", reason="time"), Adjudication()) is None
    True
    >>> what_is_wrong(GameRecord("loa", result="x", reason="time"), Adjudication())
    "the result is 'x', expected 1-0, 0-1 or 1/2-1/2"
    """
    if game.result not in (*DECIDED, "1/2-1/2"):
        return f"the result is {game.result!r}, expected 1-0, 0-1 or 1/2-1/2"
    try:
        board = game.board()
    except DamierError as error:
        return str(error)
    if board.ply != game.plies:
        scores = f"has scores of {len(game.seconds)} moves, expected {board.ply - game.opening_plies}"
        opening = f"the opening has {game.opening_plies} plies, the whole game {board.ply}"
        return opening if game.opening_plies > board.ply else scores
    outcome = board.outcome(claim_draw=True)
    if outcome and (game.result, game.reason) != (outcome.result, outcome.reason):
        return f"{game.result} by {game.reason!r}, expected {outcome.result} by {outcome.reason!r}"
    if not outcome and not _may_end_early(game, adjudication):
        return f"{game.result} by {game.reason!r} does not follow from the moves"
    return _misread(game, board) if game.notation else None


def _misread(game: GameRecord, board: games.Board) -> str | None:
    """Which of its moves, stored as texts too, differs from the one played: records are written from the texts."""
    moves = games.line_of(games.board(game.variant, game.fen), board.moves)
    for ply, (text, played) in enumerate(zip_longest(game.notation.split(), moves), 1):
        if text != played:
            return f"ply {ply}: move {text!r}, expected {played!r}"
    return None


def _may_end_early(game: GameRecord, adjudication: Adjudication) -> bool:
    """Whether a game that is not over can have had this result."""
    if game.reason in ("agreement", "adjudication") or (game.reason == "resignation" and not game.note):
        return _agreed(game, adjudication) == (game.result, game.reason)
    return game.reason in FAULTS and game.result in DECIDED


def _agreed(game: GameRecord, adjudication: Adjudication) -> tuple[str, str] | None:
    """The result that the players' scores and the length of the game lead to."""
    adjudicator, agreed = adjudication.adjudicator(), None
    first = game.board()
    while first.ply > game.opening_plies:
        first.pop()
    sides = (first.turn, Side.BLACK if first.turn == Side.WHITE else Side.WHITE)
    for ply, score in enumerate(game.scores or (None,) * len(game.seconds)):
        agreed = adjudicator.after(sides[ply % 2], score, game.opening_plies + ply + 1)
    if agreed:
        return agreed, "agreement" if agreed == "1/2-1/2" else "resignation"
    return ("1/2-1/2", "adjudication") if len(game.seconds) >= LONGEST else None
