"""Results of searches as pages see them: scores are White's, moves have texts and squares."""

from __future__ import annotations

from damier._core import Side as CoreSide
from damier.board import Board
from damier.engine import Score as EngineScore
from damier.engine import SearchResult
from damier.web.state import Line, Score

__all__ = ["line_of", "score_for_white"]

LONGEST = 40  # plies of a line


def score_for_white(score: EngineScore, turn: CoreSide) -> Score:
    """A score for the side to move, as White sees it.

    >>> score_for_white(EngineScore(150), CoreSide.BLACK).cp
    -150
    """
    seen = score if turn == CoreSide.WHITE else -score
    return Score(cp=seen.cp, mate=seen.mate, expectation=seen.expectation())


def line_of(board: Board, found: SearchResult) -> Line:
    """A line of analysis of the position on a board.

    >>> from damier import chess
    >>> board = chess.Board()
    >>> found = line_of(board, SearchResult(board.parse("e4"), pv=(board.parse("e4"),)))
    >>> found.moves, found.san, found.squares
    (['e2e4'], ['e4'], [('e2', 'e4')])
    """
    walker = board.copy()
    moves, san, squares = [], [], []
    for move in (found.pv or (found.move,))[:LONGEST]:
        moves.append(str(move))
        san.append(walker.text(move))
        if not move.is_pass:
            squares.append(walker.ends(move))
        walker.push(move)
    return Line(
        multipv=found.multipv,
        depth=found.depth,
        seldepth=max(found.depth, found.seldepth),
        score=score_for_white(found.score, board.turn),
        bound=found.bound,  # type: ignore[arg-type]
        nodes=found.nodes,
        nps=found.nps,
        seconds=round(found.seconds, 3),
        hashfull=found.hashfull,
        moves=moves,
        san=san,
        squares=squares,
    )
