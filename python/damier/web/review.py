"""A review of a game: what each move cost, how accurate each side was, where the game turned."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from damier.board import Board, Move
from damier.web.analysis import Analyses, Searcher
from damier.web.lines import line_of, score_for_white
from damier.web.messages import AskReview, Reply, ReviewMessage, ReviewProgress
from damier.web.pool import Turn
from damier.web.position import side_of
from damier.web.state import Judgement, Line, Review, ReviewedMove, Score, Side

__all__ = ["accuracy_of", "judgement_of", "review", "reviewed"]

# Expected points lost, from which on a move is called so (lichess draws the same lines).
LOSSES: dict[Judgement, float] = {"blunder": 0.15, "mistake": 0.10, "inaccuracy": 0.05}
AHEAD = 0.6  # expected points from which on a side is ahead
HASH = 32  # MiB

Say = Callable[[Reply], None]


@dataclass(frozen=True)
class Judged:
    """A position of a game: White's score, and the best line unless the game is over."""

    score: Score
    best: Line | None


def accuracy_of(loss: float) -> float:
    """The accuracy of a move by the expected points it loses, 0 to 100; the curve is lichess's.

    >>> round(accuracy_of(0.0)), round(accuracy_of(0.1)), accuracy_of(1.0)
    (100, 64, 0.0)
    """
    return min(100.0, max(0.0, 103.1668 * math.exp(-0.04354 * 100 * max(0.0, loss)) - 3.1669))


def judgement_of(loss: float, *, best: bool, only: bool) -> Judgement:
    """What a move is called.

    >>> judgement_of(0.2, best=False, only=False), judgement_of(0.0, best=True, only=False)
    ('blunder', 'best')
    """
    if only:
        return "only"
    if best:
        return "best"
    return next((name for name, least in LOSSES.items() if loss >= least), "good")


async def review(
    analyses: Analyses, message: AskReview, line: tuple[Board, list[int | None]], *, owner: str, say: Say
) -> None:
    """Evaluate every position of a game, then review each move; with the nodes of the moves."""
    end, nodes = line
    moves = end.moves
    total = len(moves) + 1
    with analyses.memory(HASH) as hash:
        searcher = await asyncio.to_thread(Searcher, message.engine, end.variant, analyses.learnt, hash=hash)
        walker = end.copy()
        for _ in moves:
            walker.pop()
        judged: list[Judged] = []
        for number in range(total):
            work = partial(_judge, searcher, walker.copy(), message.nodes)
            found = None
            while found is None:
                found = await analyses.pool.run(owner, work, urgent=False, timeout=analyses.config.longest_s)
            judged.append(found)
            say(ReviewProgress(request=message.request, done=number + 1, total=total))
            if number < len(moves):
                walker.push(moves[number])
    say(ReviewMessage(request=message.request, review=reviewed(end, nodes, judged, searcher.name)))


def _judge(searcher: Searcher, board: Board, nodes: int, turn: Turn) -> Judged | None:
    """What is found in a turn; None if the turn was too short."""
    outcome = board.outcome()
    if outcome is None:
        found = searcher.best(board, nodes, turn)
        if found.move is None:
            return None
        return Judged(score_for_white(found.score, board.turn), line_of(board, found))
    if outcome.winner is None:
        return Judged(Score(cp=0, expectation=0.5), None)
    return Judged(Score(mate=0, expectation=1.0 if side_of(outcome.winner) == "white" else 0.0), None)


def reviewed(board: Board, nodes: list[int | None], judged: list[Judged], engine: str) -> Review:
    """The review of a game from its evaluated positions, including the first and the last."""
    walker = board.copy()
    moves = walker.moves
    for _ in moves:
        walker.pop()
    found = []
    for number, move in enumerate(moves):
        found.append(_reviewed_move(walker, move, nodes[number], judged[number], judged[number + 1]))
        walker.push(move)
    sides: tuple[Side, ...] = ("white", "black")
    of_side = {side: [each for each in found if each.side == side] for side in sides}
    return Review(
        moves=found,
        accuracy={side: _mean([each.accuracy for each in some]) for side, some in of_side.items()},
        counts={
            side: {each.judgement: sum(other.judgement == each.judgement for other in some) for each in some}
            for side, some in of_side.items()
        },
        engine=engine,
        depth=max((each.best.depth for each in judged if each.best), default=0),
    )


def _reviewed_move(board: Board, move: Move, node: int | None, before: Judged, after: Judged) -> ReviewedMove:
    side = side_of(board.turn)
    sign = 1 if side == "white" else -1
    loss = max(0.0, sign * (before.score.expectation - after.score.expectation))
    best = before.best is not None and before.best.moves[0] == str(move)
    loss = 0.0 if best else loss
    judgement = judgement_of(loss, best=best, only=len(board.legal_moves) == 1)
    return ReviewedMove(
        ply=board.ply + 1,
        node=node,
        side=side,
        move=str(move),
        san=board.text(move),
        before=before.score,
        after=after.score,
        loss=round(loss, 4),
        accuracy=round(accuracy_of(loss), 1),
        judgement=judgement,
        better=None if best or judgement == "only" else before.best,
        turning_point=judgement in ("mistake", "blunder") and _who(before.score) != _who(after.score),
    )


def _who(score: Score) -> Side | None:
    """The side that is ahead."""
    return "white" if score.expectation >= AHEAD else "black" if score.expectation <= 1 - AHEAD else None


def _mean(numbers: list[float]) -> float | None:
    return round(sum(numbers) / len(numbers), 1) if numbers else None
