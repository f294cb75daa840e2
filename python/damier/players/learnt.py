"""Players from learnt files."""

from __future__ import annotations

import random
from typing import Any

from damier._core import DamierError, StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.players.base import Player, legal_moves
from damier.players.engine import EnginePlayer
from damier.players.puct import PuctPlayer
from damier.puct import KIND as POLICY_VALUE
from damier.scorers import Scorer, is_scorer, load_scorer, score_moves
from damier.weights import evaluation_path, read_weights

__all__ = ["ScoringPlayer", "learnt_player"]

OF_NETWORKS = {"simulations", "leaves", "device"}


class ScoringPlayer(Player):
    """Plays the move with the best score one ply ahead, a random one of equals; the same seed plays the same game."""

    name = "learnt"

    def __init__(self, path: str, *, seed: int | None = None) -> None:
        self.path = path
        self._random = random.Random(seed)
        self._scorer: Scorer | None = None
        self._game = ""

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        self._scorer_for(board)
        if seed is not None:
            self._random.seed(seed)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        legal_moves(board)
        moves, scores = score_moves(self._scorer_for(board), board)
        return SearchResult(self._random.choice([moves[at] for at in (scores == scores.max()).nonzero()[0]]))

    def _scorer_for(self, board: Board) -> Scorer:
        if self._scorer is None or self._game != board.variant:
            self._scorer, self._game = load_scorer(self.path, board.variant), board.variant
        return self._scorer


def learnt_player(path: str, **settings: Any) -> Player:
    """The player for a learnt file: the engine with an evaluation, a tree search guided by a network, or one ply deep.

    A missing file is reported before the game begins.
    """
    file = read_weights(path)
    given = {key for key in settings if key != "seed"}
    if file.kind == POLICY_VALUE:
        _check(path, given - OF_NETWORKS, "simulations")
        return PuctPlayer(path, **settings)
    if is_scorer(file):
        _check(path, given, "none, as it looks one ply ahead")
        return ScoringPlayer(path, **settings)
    _check(path, given & OF_NETWORKS, "nodes, depth or time")
    return EnginePlayer(eval=evaluation_path(path), **settings)


def _check(path: str, unknown: set[str], expected: str) -> None:
    if unknown:
        raise DamierError(f"{path}: does not take {min(unknown)}, expected {expected}")
