"""One textbook search, and several side by side."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from damier import games
from damier._core import DamierError, StopFlag, textbook
from damier.board import Board
from damier.engine.arguments import evaluator_of, within
from damier.engine.knowledge import Probe, probed
from damier.engine.result import SearchResult
from damier.engine.score import Score

if TYPE_CHECKING:
    from damier.eval import Evaluation

__all__ = ["ALGORITHMS", "EXACT", "ORDERINGS", "Options", "compare", "search", "search_and_record"]

ALGORITHMS = tuple(textbook.names()["algorithm"])
EXACT = tuple(name for name in ALGORITHMS if name != "mcts")  # those that find minimax's value at a depth
ORDERINGS = tuple(textbook.names()["ordering"])


class Options(TypedDict, total=False):
    """The options of a search besides its depth; each can be set alone, so that its effect can be seen."""

    eval: Evaluation | None  # a name of `board.evaluations()` or what `damier.eval` offers; else `classic`
    iterative: bool  # search depth 1, 2, ... first
    ordering: str  # none, captures, killers or history, each including those before it
    hash: int  # MiB of the transposition table, 0 for none
    aspiration: int  # half the width of the window around the last value, with iterative deepening; 0 for none
    null_move: bool  # the only option that may change the value
    quiescence: bool  # play exchanges out before judging
    simulations: int  # the rest is for mcts
    exploration: float
    leaves: str  # random (a random game) or evaluated
    seed: int
    playout_plies: int  # a random game that lasts longer is judged by the evaluation
    probe: Probe | None  # knows the values of positions, which become leaves; see `Engine.probe`
    stop: StopFlag | None  # ends the search early when another thread sets it


INT = 2**31 - 1  # what the core can hold; it knows the bounds itself


def search_and_record(
    board: Board, algorithm: str, depth: int, cap: int = 0, **options: Unpack[Options]
) -> tuple[SearchResult, textbook.Trace | None]:
    """Search, and return the recorded tree (None without a `cap`) with the result."""
    settings: dict[str, Any] = dict(options)
    eval = settings.pop("eval", None)
    evaluator = evaluator_of(board, games.classic_or_own(board) if eval is None else eval)
    for name in ("hash", "aspiration", "simulations", "playout_plies"):
        if name in settings:
            settings[name] = within(name, settings[name], -INT, INT)
    if "seed" in settings:
        settings["seed"] = within("seed", settings["seed"], 0, 2**64 - 1)
    if settings.get("probe") is not None:
        settings["probe"] = probed(settings["probe"])
    if settings.get("aspiration") and not settings.get("iterative"):
        raise DamierError("aspiration needs iterative deepening, which gives it a value to aim at")
    unknown = settings.keys() - Options.__annotations__.keys()
    if unknown:
        raise DamierError(f"{min(unknown)!r} is not an option, expected one of {', '.join(Options.__annotations__)}")
    start = perf_counter()
    found = textbook.search(
        board,
        algorithm,
        evaluator,
        depth=within("depth", depth, -INT, INT),
        trace=within("cap", cap, 0, INT),
        **settings,
    )
    seconds = perf_counter() - start
    recorded, pv = found.pop("trace"), found["pv"]
    result = SearchResult(
        pv[0] if pv else None,
        Score(found.pop("score"), evaluator.calibration),
        seconds=seconds,
        bound="exact",
        algorithm=algorithm,
        **found,
    )
    return result, recorded


def search(board: Board, algorithm: str = "alphabeta", *, depth: int = 3, **options: Unpack[Options]) -> SearchResult:
    """Search a position by one textbook algorithm; the game so far counts for draws.

    >>> from damier import chess
    >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    >>> found = search(board, "mtdf", depth=3, ordering="history")
    >>> board.text(found.move), str(found.score)
    ('Ra8#', '#1')
    """
    return search_and_record(board, algorithm, depth, **options)[0]


def compare(
    board: Board, depth: int = 3, *, algorithms: Iterable[str] = EXACT, **options: Unpack[Options]
) -> list[SearchResult]:
    """Search a position by several algorithms, which all find the same value.

    >>> from damier import loa
    >>> results = compare(loa.Board(), 2, eval="material", algorithms=["minimax", "alphabeta", "pvs"])
    >>> [result.nodes for result in results], len({result.score for result in results})
    ([1281, 103, 103], 1)
    """
    return [search(board, algorithm, depth=depth, **options) for algorithm in algorithms]
