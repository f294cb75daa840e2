"""The algorithms of the ladder as players."""

from __future__ import annotations

import random
from typing import Any, cast

from damier._core import StopFlag
from damier.engine import Limit, Score, Thought
from damier.games import Board
from damier.players.base import AnyBoard, Player, legal_moves
from damier.search import Options, ladder

__all__ = ["LadderPlayer"]


class LadderPlayer(Player):
    """An algorithm of the ladder, with its depth and options; mcts takes `nodes` simulations instead of a depth.

    >>> from damier import loa
    >>> LadderPlayer("mtdf", depth=2).choose(loa.Board()) in loa.Board().legal_moves
    True
    """

    def __init__(
        self,
        algorithm: str,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        self.name = algorithm
        self.depth, self.nodes = depth, nodes
        self._options = options
        self._random = random.Random(seed)
        self._stop: StopFlag | None = None
        self._tried = ""  # the game in which its options are known to be right

    def new_game(self, board: AnyBoard, seed: int | None = None) -> None:
        if seed is not None:
            self._random.seed(seed)
        if self._tried != board.variant:  # a search that ends at once tells a wrong option before the game begins
            ended = StopFlag()
            ended.set()
            self._search(board, None, 0, ended)
            self._tried = board.variant

    def think(self, board: AnyBoard, limit: Limit | None = None) -> Thought:
        legal_moves(board)
        return self._search(board, limit, self._random.getrandbits(32), self._stop)

    def _search(self, board: AnyBoard, limit: Limit | None, seed: int, stop: StopFlag | None) -> Thought:
        depth = self.depth or (limit and limit.depth) or 3
        nodes = self.nodes or (limit and limit.nodes) or 800
        options = cast(Options, self._options | {"simulations": nodes, "seed": seed, "stop": stop})
        found = ladder(cast(Board, board), self.name, depth=depth, **options)
        return Thought(found.move, Score(found.value), depth, found.nodes)

    def obey(self, stop: StopFlag) -> None:
        self._stop = stop
