"""Games between weights over one feature set, for methods that learn from who beats whom.

The core plays whole games, and the same meetings have the same results on any number of threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np
import numpy.typing as npt

from damier import _core, games
from damier._core import Adjudicator, Side, StopFlag
from damier.arena.play.book import RandomOpenings
from damier.engine import Limit
from damier.engine.arguments import check_range
from damier.eval import Linear, feature_set, resolve

__all__ = ["DuelSettings", "Duels", "Meeting", "Spread"]

Array = npt.NDArray[np.float64]
LONGEST = 300  # plies of a game; one that is still going is a draw
TABLE = 64  # KiB, plenty for searches this small
SAMPLES, SAMPLE_PLIES = 400, 30  # random positions that show how far scores spread


@dataclass(frozen=True)
class DuelSettings:
    """Settings shared by methods that learn by playing: which weights, and how they play."""

    features: str = ""  # a feature set of the game, its first by default
    nodes: int = 50  # per move
    depth: int = 0  # per move, instead of nodes if it is not 0
    random_plies: int = 6
    seed: int = 0

    def duels(self, game: str, threads: int) -> Duels:
        """The `Duels` that play the games; settings that make no sense are refused.

        >>> DuelSettings(nodes=0).duels("paris", threads=1)
        Traceback (most recent call last):
        damier._core.DamierError: nodes is 0, expected 1 to 1000000000
        """
        check_range("nodes", self.nodes, 1, 10**9)
        check_range("depth", self.depth, 0, 20)
        check_range("random plies", self.random_plies, 0, 200)
        return Duels(
            game,
            feature_set(game, self.features),
            nodes=self.nodes,
            depth=self.depth,
            random_plies=self.random_plies,
            threads=threads,
        )


@dataclass(frozen=True)
class Meeting:
    """Two rows of weights that meet for some games; the seed decides the openings."""

    first: Array
    second: Array
    games: int
    seed: int


class Duels:
    """Plays meetings at a fixed depth, or number of nodes, per move.

    The first of the two players moves first in even games. Both games of a pair have the same opening.

    >>> duels = Duels("paris", "paris", nodes=20)
    >>> men, nothing = np.array([100.0, -100, 300, -300]), np.zeros(4)
    >>> mine, others = duels.play([Meeting(men, nothing, 4, 1), Meeting(nothing, men, 4, 1)])
    >>> mine > others, mine + others
    (True, 4.0)
    """

    def __init__(
        self, game: str, features: str, *, nodes: int = 50, depth: int = 0, random_plies: int = 6, threads: int = 1
    ) -> None:
        self.features = features
        self._game, self._plies, self._threads = game, random_plies, threads
        self._limit = Limit(depth=depth) if depth else Limit(nodes=nodes)
        self._board = games.board(game)
        self._stop = StopFlag()
        self._engines: SimpleQueue[tuple[_core.Engine, _core.Engine]] = SimpleQueue()
        for _ in range(threads):
            pair = _core.Engine(game), _core.Engine(game)
            for engine in pair:
                engine.set_hash(TABLE)
            self._engines.put(pair)

    def play(self, meetings: Sequence[Meeting]) -> list[float]:
        """The points of the first player of each meeting: 1 for a win, 0.5 for a draw."""
        if self._threads == 1:
            return [self._points(meeting) for meeting in meetings]
        self._stop = StopFlag()
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                return list(pool.map(self._points, meetings))
            except BaseException:  # games under way end at once, and none begins
                self._stop.set()
                pool.shutdown(cancel_futures=True)
                raise

    def _points(self, meeting: Meeting) -> float:
        engines = self._engines.get()
        try:
            for engine, weights in zip(engines, (meeting.first, meeting.second), strict=True):
                engine.set_evaluator(resolve(self._board, Linear(self.features, weights)))
            openings = RandomOpenings(self._game, self._plies, meeting.seed)
            return sum(
                self._game_points(*engines, openings[number // 2].board(self._game), first_moves=number % 2 == 0)
                for number in range(meeting.games)
            )
        finally:
            self._engines.put(engines)

    def _game_points(
        self, first: _core.Engine, second: _core.Engine, board: games.Board, *, first_moves: bool
    ) -> float:
        mover, other = (first, second) if first_moves else (second, first)
        won = "1-0" if (board.turn == Side.WHITE) == first_moves else "0-1"  # by the first
        for engine in (first, second):
            engine.clear()
        mover.play_on(
            board,
            other,
            limit=self._limit,
            rival_limit=self._limit,
            max_plies=LONGEST,
            adjudicator=Adjudicator(),
            stop=self._stop,
        )
        outcome = board.outcome(claim_draw=True)
        return 0.5 if outcome is None or outcome.result == "1/2-1/2" else float(outcome.result == won)


class Spread:
    """How far scores spread over random positions, which turns weights of any size into hundredths of a man.

    >>> spread = Spread("paris", "paris")
    >>> scaled = spread.scaled(np.array([1.0, -1, 3, -3]))
    >>> bool(np.allclose(scaled, spread.scaled(np.array([5.0, -5, 15, -15])))), bool(50 < scaled[0] < 200)
    (True, True)
    """

    def __init__(self, game: str, features: str) -> None:
        rows, scores = [], []
        own = resolve(games.board(game), games.classic_or_own(games.board(game)))
        for number in range(SAMPLES):
            board = games.board(game)
            board.play_at_random(2 + number % SAMPLE_PLIES, seed=number)
            rows.append(board.features(features))
            scores.append(board.evaluate(own))
        self._rows = np.array(rows, np.float64)
        self._own_spread = float(np.std(scores)) or 100.0

    def scaled(self, weights: Array) -> Array:
        """The weights in the same proportions, with the spread of scores of the game's own evaluation."""
        spread = float((self._rows @ weights).std())
        return weights * (self._own_spread / spread) if spread > 1e-9 else weights

    def alone(self) -> Array:
        """For each feature, the weight with which it alone has that spread; 0 for features that never change.

        Positions in which a feature has its usual value do not count: otherwise a rare feature would get a weight that
        drowns all others as soon as it appears.

        >>> names = games.board("loa").feature_names("quads")
        >>> widest = dict(zip(names, Spread("loa", "quads").alone().round().tolist()))
        >>> widest["euler"], widest["quads of 4"]
        (29.0, 62.0)
        """
        offsets = self._rows - np.median(self._rows, axis=0)
        seen = np.maximum((offsets != 0).sum(axis=0), 1)
        spreads = np.sqrt((offsets**2).sum(axis=0) / seen)
        found: Array = np.where(spreads > 1e-9, self._own_spread / np.maximum(spreads, 1e-9), 0.0)
        return found
