"""The textbook algorithms as players."""

from __future__ import annotations

import random
from typing import Any, cast

from damier import textbook
from damier._core import StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.players.base import Player, legal_moves

__all__ = ["TextbookPlayer"]


class TextbookPlayer(Player):
    """A textbook algorithm, with its depth and options; mcts takes `nodes` simulations instead of a depth.

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
        seed: int | None = None,
        **options: Any,
    ) -> None:
        self.name = algorithm
        self.depth, self.nodes = depth, nodes
        self._options = options
        self._random = random.Random(seed)
        self._tried = ""  # the game in which its options are known to be right

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
        depth = self.depth or (limit and limit.depth) or 3
        nodes = self.nodes or (limit and limit.nodes) or 800
        options = cast(textbook.Options, self._options | {"simulations": nodes, "seed": seed, "stop": stop})
        return textbook.search(board, self.name, depth=depth, **options)
