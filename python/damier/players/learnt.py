"""Players of files that were learnt."""

from __future__ import annotations

import random
from typing import Any

from damier._core import DamierError, StopFlag
from damier.board import Board
from damier.engine import Limit, SearchResult
from damier.players.base import Player, legal_moves
from damier.players.engine import EnginePlayer
from damier.scorers import Scorer, is_scorer, load_scorer, score_moves
from damier.weights import read_weights

__all__ = ["ScoringPlayer", "learnt_player"]


class ScoringPlayer(Player):
    """Looks one ply ahead: plays the move with the best score, of several as good any; the same seed the same game."""

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
    """The engine with an evaluation that was learnt, or a player one ply deep, by what the file holds."""
    if not is_scorer(read_weights(path)):  # a file that is not there is reported before the game begins
        return EnginePlayer(eval=path if "/" in path or "." in path else f"./{path}", **settings)
    if unknown := [key for key in settings if key != "seed"]:
        raise DamierError(f"{path}: looks one ply ahead and has no {unknown[0]}, expected none but seed")
    return ScoringPlayer(path, **settings)
