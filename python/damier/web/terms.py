"""The terms of an evaluation one by one, and the squares or points that they concern."""

from __future__ import annotations

from collections import Counter

from damier import chess, loa
from damier._core import Side as CoreSide
from damier.board import Board
from damier.engine import Score as EngineScore
from damier.web.errors import RefusedError
from damier.web.lines import score_for_white
from damier.web.position import side_of
from damier.web.state import Evaluation, Place, Term

__all__ = ["evaluation_of"]

SIDES = (CoreSide.WHITE, CoreSide.BLACK)
CENTRE = ("spread", "off centre", "middle", "concentration", "distance", "distance, exponential")
PLACES = {  # which places a term is about, by its name
    **dict.fromkeys(CENTRE, "centre"),
    "groups": "group",
    "connections": "group",
    "links": "group",
    "euler": "group",
    "blocked": "blocked",
    "mobility": "mobility",
    "freedom": "mobility",
    "passed pawns": "passed pawn",
}


def evaluation_of(board: Board, name: str | None) -> Evaluation:
    """The evaluation of a position, term by term; by default the engine's.

    >>> found = evaluation_of(loa.Board(), "bing-linear")
    >>> [term.name for term in found.terms][:4], found.terms[3].places[0].kind
    (['pieces', 'spread', 'off centre', 'groups'], 'group')
    """
    known = board.evaluations()
    chosen = known[0] if name is None else name
    if chosen not in known:
        raise RefusedError("unknown_player", f"{chosen!r} is not an evaluation, expected one of {', '.join(known)}")
    evaluator = board.evaluator(chosen)
    places = places_of(board)
    terms = [
        Term(
            name=term,
            white=white,
            black=black,
            value=value,
            places=_piece(board, term, white) or [place for place in places if place.what == PLACES.get(term)],
        )
        for term, white, black, value in board.explain(evaluator)
    ]
    score = EngineScore(board.evaluate(evaluator), evaluator.calibration)
    return Evaluation(eval=chosen, score=score_for_white(score, board.turn), terms=terms, places=places)


def _piece(board: Board, term: str, white: float | None) -> list[Place]:
    """The piece that a term of a network is about, such as "man 32"."""
    square = term.rsplit(maxsplit=1)[-1]
    if square not in {name for name, *_ in board.squares}:
        return []
    return [Place(kind="squares", side="black" if white is None else "white", squares=[square], what="piece")]


def places_of(board: Board) -> list[Place]:
    """Places worth drawing, whatever is evaluated."""
    return [*_loa_places(board), *_passed_pawns(board), *_mobility(board)]


def _loa_places(board: Board) -> list[Place]:
    if not isinstance(board, loa.Board):
        return []
    found = []
    for side in SIDES:
        file, rank = board.centre(side)
        found.append(Place(kind="point", side=side_of(side), file=file, rank=rank, what="centre"))
        groups = board.groups(side)
        found += [Place(kind="group", side=side_of(side), squares=group, what="group") for group in groups]
        blocked = [square for square, value in board.blocked(side).items() if value > 0]
        if blocked:
            found.append(Place(kind="squares", side=side_of(side), squares=blocked, what="blocked"))
    return found


def _passed_pawns(board: Board) -> list[Place]:
    if not isinstance(board, chess.Board):
        return []
    pawns = {side: board.passed_pawns(side) for side in SIDES}
    return [
        Place(kind="squares", side=side_of(side), squares=squares, what="passed pawn")
        for side, squares in pawns.items()
        if squares
    ]


def _mobility(board: Board) -> list[Place]:
    """How many squares each piece of the side to move can go to."""
    movers = Counter(board.ends(move)[0] for move in board.legal_moves if not move.is_pass)
    return [
        Place(kind="squares", side=side_of(board.turn), squares=[square], what="mobility", count=count)
        for square, count in movers.items()
    ]
