"""The textbook algorithms as players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import monotonic
from typing import Any, cast

from damier import textbook
from damier._core import Evaluator, StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.engine.arguments import evaluator_of
from damier.players.base import Player, legal_moves
from damier.players.engine import own_limit

__all__ = ["TextbookPlayer"]

DEEPEST = 60  # plies of a search that ends by its time
PATIENCE = 0.05  # seconds between two looks at whether the game was stopped


class TextbookPlayer(Player):
    """A textbook algorithm, with its depth and options; mcts takes `nodes` simulations instead of a depth.

    With a `time` it deepens as long as that lasts, and plays the move of the last depth it finished.

    >>> from damier import loa
    >>> TextbookPlayer("mtdf", depth=2).play(loa.Board()).move in loa.Board().legal_moves
    True
    """

    def __init__(
        self,
        algorithm: str,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        time: float | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        self.name = algorithm
        self.limit = own_limit(time, depth, nodes)
        self._options = options
        self._random = random.Random(seed)
        self._tried = ""  # the game in which its options are known to be right
        self._evaluator: tuple[str, Evaluator] | None = None  # and the game it is for

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        if seed is not None:
            self._random.seed(seed)
        if self._tried != board.variant:  # a search that ends at once reports a wrong option before the game begins
            ended = StopFlag()
            ended.set()
            self._search(board, None, 0, ended)
            self._tried = board.variant

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        legal_moves(board)
        return self._search(board, limit, self._random.getrandbits(32), stop)

    def _search(self, board: Board, limit: Limit | None, seed: int, stop: StopFlag | None) -> SearchResult:
        limit = self.limit or limit or Limit()
        options = self._options | {"simulations": limit.nodes or 800, "seed": seed}
        if "eval" in options:
            options["eval"] = self._evaluator_for(board)
        if limit.time is None or self.name == "mcts":
            return _search(board, self.name, limit.depth or 3, options | {"stop": stop})
        with _over_after(limit.time, stop) as over:
            return _search(board, self.name, limit.depth or DEEPEST, options | {"iterative": True, "stop": over})

    def _evaluator_for(self, board: Board) -> Evaluator:
        """The evaluation in its options, which may be a large file and is read once."""
        if self._evaluator is None or self._evaluator[0] != board.variant:
            self._evaluator = board.variant, evaluator_of(board, self._options["eval"])
        return self._evaluator[1]


def _search(board: Board, algorithm: str, depth: int, options: dict[str, Any]) -> SearchResult:
    return textbook.search(board, algorithm, depth=depth, **cast(textbook.Options, options))


@contextmanager
def _over_after(seconds: float, stop: StopFlag | None) -> Iterator[StopFlag]:
    """A flag that is set when the time is over, or after another one."""
    over, done = StopFlag(), Event()
    end = monotonic() + seconds
    if stop and stop.is_set():
        over.set()

    def watch() -> None:
        while not done.wait(max(0.0, min(PATIENCE, end - monotonic()))):
            if monotonic() >= end or (stop and stop.is_set()):
                over.set()
                return

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield over
    finally:
        done.set()
        watcher.join()
