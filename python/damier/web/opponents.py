"""The players behind the opponents that a page names; idle ones are kept, as engines are slow to start."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

from damier import textbook
from damier._core import DamierError, Limit
from damier.board import Board
from damier.engine import SearchResult
from damier.engine.elo import elo_range, elo_table
from damier.players import Player
from damier.players.engine import EnginePlayer
from damier.players.learnt import learnt_player
from damier.players.textbook import TextbookPlayer
from damier.web.algorithms import check_choice
from damier.web.clock import GameClock
from damier.web.errors import RefusedError
from damier.web.learnt import Learnt
from damier.web.pool import Turn
from damier.web.state import (
    EloOpponent,
    HumanOpponent,
    LearntOpponent,
    LevelOpponent,
    Opponent,
    Seat,
    TextbookOpponent,
)

__all__ = ["Opponents", "limit_of", "patience_of"]

IDLE = 12  # players that are kept
SMALL_HASH, HASH = 1, 16  # MiB: of levels that see little, and of the others
SHALLOW_LEVEL = 8  # the highest such level


class Opponents:
    """Creates players, and keeps idle ones."""

    def __init__(self, learnt: Learnt) -> None:
        self.learnt = learnt
        self._idle: OrderedDict[tuple[str, str], list[Player]] = OrderedDict()
        self._lock = threading.Lock()

    def seat(self, opponent: Opponent, variant: str) -> Seat:
        """The seat of an opponent in a game; one that cannot play it is refused."""
        if isinstance(opponent, HumanOpponent):
            return Seat(opponent=opponent, name="")
        if isinstance(opponent, LevelOpponent):
            elo = elo_table(variant).elos[opponent.level - 1]
            return Seat(opponent=opponent, name=f"damier, level {opponent.level}", elo=elo)
        if isinstance(opponent, EloOpponent):
            least, most = elo_range(variant)
            if not least <= opponent.elo <= most:
                raise RefusedError("unknown_player", f"elo is {opponent.elo}, expected {least} to {most}")
            return Seat(opponent=opponent, name=f"damier, {opponent.elo}", elo=opponent.elo)
        if isinstance(opponent, LearntOpponent):
            self.learnt.path(opponent.id, variant)
            return Seat(opponent=opponent, name=opponent.id)
        return Seat(opponent=opponent, name=self._checked(opponent, variant))

    @staticmethod
    def _checked(opponent: TextbookOpponent, variant: str) -> str:
        """The name of a textbook player that can play a game."""
        check_choice(opponent, variant)
        if opponent.algorithm == "mcts":
            return f"{opponent.algorithm}, {opponent.simulations} simulations"
        return f"{opponent.algorithm}, depth {opponent.depth}"

    def play(self, opponent: Opponent, board: Board, limit: Limit, turn: Turn) -> SearchResult:
        """The move of an opponent; one that was stopped before it had any looks one ply ahead."""
        with self._player(opponent, board.variant) as player:
            found = player.play(board, limit, stop=turn.stop)
            if found.move is None:
                found = EnginePlayer(depth=1, hash=SMALL_HASH).play(board)
            return found

    @contextmanager
    def _player(self, opponent: Opponent, variant: str) -> Iterator[Player]:
        key = variant, opponent.model_dump_json()
        with self._lock:
            idle = self._idle.get(key)
            player = idle.pop() if idle else None
        player = player or self._made(opponent, variant)
        yield player  # one that failed is not kept
        with self._lock:
            self._idle.setdefault(key, []).append(player)
            self._idle.move_to_end(key)
            while sum(map(len, self._idle.values())) > IDLE:
                oldest = next(iter(self._idle))
                self._idle[oldest].pop()
                if not self._idle[oldest]:
                    del self._idle[oldest]

    def _made(self, opponent: Opponent, variant: str) -> Player:
        if isinstance(opponent, LevelOpponent):
            return EnginePlayer(level=opponent.level, hash=SMALL_HASH if opponent.level <= SHALLOW_LEVEL else HASH)
        if isinstance(opponent, EloOpponent):
            return EnginePlayer(elo=opponent.elo, hash=HASH)
        if isinstance(opponent, LearntOpponent):
            return learnt_player(str(self.learnt.path(opponent.id, variant)))
        if isinstance(opponent, TextbookOpponent):
            options: textbook.Options = {} if opponent.eval is None else {"eval": opponent.eval}
            if opponent.algorithm == "mcts":
                return TextbookPlayer("mcts", nodes=opponent.simulations, **options)
            return TextbookPlayer(opponent.algorithm, depth=opponent.depth, iterative=True, **options)
        raise DamierError("a person is not an engine player")


def patience_of(clock: GameClock | None, longest_s: float, now: float) -> float:
    """The time for a move of a player that does not know clocks: a share of what it has left.

    >>> patience_of(None, 30.0, 0.0)
    30.0
    """
    if clock is None or clock.running is None:
        return longest_s
    return min(longest_s, 0.05 + clock.left(clock.running, now) / 20 + clock.setting.increment / 2)


def limit_of(clock: GameClock | None, move_s: float, now: float) -> Limit:
    """How long a player may think: by the clocks of the game, or a fixed time."""
    if clock is None:
        return Limit(time=move_s)
    increment = clock.setting.increment
    return Limit(
        white_clock=max(0.01, clock.left("white", now)),
        black_clock=max(0.01, clock.left("black", now)),
        white_inc=increment,
        black_inc=increment,
    )
