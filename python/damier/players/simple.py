"""Players that know only the rules of a game."""

from __future__ import annotations

import random

from damier._core import DamierError, Outcome, Side, StopFlag, results
from damier.board import Board, Move
from damier.engine import Limit, SearchResult
from damier.players.base import Player, legal_moves

__all__ = ["OnePlyPlayer", "RandomPlayer", "wins_at_once"]


class RandomPlayer(Player):
    """Plays any legal move, all equally likely; the same seed plays the same game.

    >>> from damier import loa
    >>> RandomPlayer(seed=3).play(loa.Board()).move
    <Move g8-g6>
    """

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        if seed is not None:
            self._random.seed(seed)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        return SearchResult(self._random.choice(legal_moves(board)))


class OnePlyPlayer(Player):
    """Tries each move, knowing only the rules of the game.

    It wins at once if it can, lets nobody else win at once if it can help it, and otherwise takes the move after
    which `games` random games end best.

    >>> from damier import chess
    >>> OnePlyPlayer().play(chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")).move
    <Move a1a8>
    """

    name = "oneply"

    def __init__(self, seed: int | None = None, games: int = 8) -> None:
        if not 1 <= games <= 10_000:
            raise DamierError(f"games is {games}, expected 1 to 10000")
        self.games = games
        self._random = random.Random(seed)

    def new_game(self, board: Board, seed: int | None = None, *, stop: StopFlag | None = None) -> None:
        if seed is not None:
            self._random.seed(seed)

    def play(self, board: Board, limit: Limit | None = None, *, stop: StopFlag | None = None) -> SearchResult:
        board = board.copy()
        scored = [(self._score(board, move, stop), move) for move in legal_moves(board)]
        best = max(score for score, _ in scored)
        return SearchResult(self._random.choice([move for score, move in scored if score == best]))

    def _score(self, board: Board, move: Move, stop: StopFlag | None) -> float:
        us = board.turn
        board.push(move)
        try:
            if outcome := board.outcome(claim_draw=True):
                return _value(outcome, us)
            if any(wins_at_once(board, reply) for reply in board.legal_moves):
                return -Sure
            return self._played_out(board, us, stop)
        finally:
            board.pop()

    def _played_out(self, board: Board, us: Side, stop: StopFlag | None) -> float:
        """The share of random games won minus the share lost."""
        seed = self._random.getrandbits(32)
        played = board.play_games(self.games, seed=seed, keep_moves=False, stop=stop)["results"]
        ours = results().index("1-0" if us == Side.WHITE else "0-1")
        draws = results().index("1/2-1/2")
        return float(sum(0 if result == draws else 1 if result == ours else -1 for result in played)) / self.games


def wins_at_once(board: Board, move: Move) -> bool:
    """Whether a legal move wins the game on the board.

    >>> from damier import chess
    >>> board = chess.Board("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    >>> [move for move in board.legal_moves if wins_at_once(board, move)]
    [<Move a1a8>]
    """
    us = board.turn
    board.push(move)
    outcome = board.outcome()
    board.pop()
    return outcome is not None and outcome.winner == us


Sure = 2.0  # a result on the board counts more than any number of random games


def _value(outcome: Outcome, us: Side) -> float:
    return 0.0 if outcome.winner is None else Sure if outcome.winner == us else -Sure
