"""Games of a network against itself, all searched together, and matches between two networks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from damier._core import StopFlag
from damier.batch import BoardBatch
from damier.lab.alphazero.replay import ReplayBuffer
from damier.lab.alphazero.settings import AlphaZeroSettings
from damier.puct import Evaluate, PuctSettings, Search
from damier.weights import Array

__all__ = ["SelfPlayGames", "duel", "play_training_games"]

T = TypeVar("T")

# What an outcome of BoardBatch is worth to White: unfinished games count as drawn.
WORTH = np.array([0, 1, -1, 0], np.int8)

# Instead of the number of a game.
NEXT, NONE = -2, -1


@dataclass(frozen=True)
class SelfPlayGames:
    """Games of self-play: their samples, and how long they were."""

    samples: ReplayBuffer
    games: int
    plies: int
    evaluations: int


def play_training_games(
    game: str, evaluate: Evaluate, settings: AlphaZeroSettings, *, seed: Sequence[int], threads: int = 1
) -> SelfPlayGames:
    """Play the games of a step; they are the same with any number of threads."""
    groups = min(settings.groups, settings.games)
    shares = [settings.games * (n + 1) // groups - settings.games * n // groups for n in range(groups)]
    inner = max(1, threads // groups)

    def play(number: int, stop: StopFlag) -> SelfPlayGames:
        group = _Group(game, evaluate, settings, games=shares[number], seed=[*seed, number], threads=inner)
        return group.play(stop)

    parts = _in_threads(play, groups, threads)
    return SelfPlayGames(
        ReplayBuffer.joined([part.samples for part in parts]),
        sum(part.games for part in parts),
        sum(part.plies for part in parts),
        sum(part.evaluations for part in parts),
    )


class _Group:
    """Games that are searched together; finished ones are replaced by new ones."""

    def __init__(
        self, game: str, evaluate: Evaluate, settings: AlphaZeroSettings, *, games: int, seed: list[int], threads: int
    ) -> None:
        self._settings, self._rng = settings, np.random.default_rng(seed)
        n = min(games, max(1, settings.parallel // settings.groups))
        self._start, self._boards = BoardBatch(game, 1), BoardBatch(game, n)
        self._boards.reset(seed=int(self._rng.integers(2**63)))
        puct = PuctSettings(exploration=settings.exploration, noise=settings.noise)
        self._search = Search(self._boards, evaluate, puct, seed=int(self._rng.integers(2**63)), threads=threads)
        self._random_plies = self._drawn_plies(n)
        self._game = np.arange(n)  # the number of the game on each board
        self._started, self._games = n, games
        self._results = np.zeros(games, np.int8)  # for White
        self._plies = 0
        self._searches: list[tuple[Array, ...]] = []

    def play(self, stop: StopFlag) -> SelfPlayGames:
        boards = self._boards
        while (self._game != NONE).any() and not stop.is_set():
            self._begin_games()
            playing = (self._game >= 0) & (boards.outcomes() == 0)
            at_random = playing & (boards.plies() < self._random_plies)
            actions = self._searched(playing & ~at_random)
            boards.play(np.where(at_random, boards.random_actions(), actions))
            self._plies += int(playing.sum())
            over = playing & ((boards.outcomes() > 0) | (boards.plies() >= self._settings.plies))
            self._results[self._game[over]] = WORTH[boards.outcomes()[over]]
            self._game[over] = NEXT
        return SelfPlayGames(self._samples(), self._games, self._plies, self._search.evaluations)

    def _begin_games(self) -> None:
        """Put the next games on boards whose game is over."""
        free = np.flatnonzero(self._game == NEXT)
        self._game[free] = NONE
        free = free[: self._games - self._started]
        indices = np.full(len(self._game), -1)
        indices[free] = 0
        self._boards.take(self._start, indices)
        self._game[free] = self._started + np.arange(len(free))
        self._random_plies[free] = self._drawn_plies(len(free))
        self._started += len(free)

    def _drawn_plies(self, n: int) -> Array:
        return self._rng.integers(self._settings.random_plies + 1, size=n)

    def _searched(self, chosen: Array) -> Array:
        """Search the chosen boards and store what was found; return the actions to play, -1 for other boards."""
        settings, boards = self._settings, self._boards
        fully = self._rng.random() < settings.full_share  # all together, so that batches stay large
        simulations = settings.simulations if fully else settings.fast_simulations
        self._search.run(np.where(chosen, simulations, 0), noisy=fully)
        if fully and chosen.any():
            self._record(chosen)
        warm = boards.plies() < self._random_plies + settings.warm_plies
        return self._search.choose(np.where(warm, 1.0, settings.cool_temperature))

    def _record(self, searched: Array) -> None:
        actions, shares, _, _, ends = self._search.policies()
        lengths = np.diff(ends, prepend=0)
        is_kept = np.repeat(searched, lengths)
        planes = self._boards.planes(dtype="uint8")[searched]
        signs = 1 - 2 * self._boards.turns()[searched].astype(np.int8)
        numbers = self._game[searched]
        values = self._search.values()[searched]
        self._searches.append((planes, actions[is_kept], shares[is_kept], lengths[searched], numbers, signs, values))

    def _samples(self) -> ReplayBuffer:
        if not self._searches:
            self._record(np.zeros(len(self._game), bool))
        planes, actions, shares, lengths, numbers, signs, values = (
            np.concatenate(column) for column in zip(*self._searches, strict=True)
        )
        results = self._results[numbers] * signs
        return ReplayBuffer.packed(
            planes, actions=actions, shares=shares, lengths=lengths, results=results, values=values
        )


def duel(
    game: str, new: Evaluate, old: Evaluate, settings: AlphaZeroSettings, *, seed: Sequence[int], threads: int = 1
) -> tuple[int, int, int]:
    """Wins, draws and losses of one network against another, with pairs of games from the same opening."""
    pairs, groups = settings.gate_games // 2, min(settings.groups, settings.gate_games // 2)

    def play(number: int, stop: StopFlag) -> Array:
        count = pairs * (number + 1) // groups - pairs * number // groups
        return _duel_group(
            game, (new, old), settings, pairs=count, seed=[*seed, number], threads=max(1, threads // groups), stop=stop
        )

    points = np.concatenate(_in_threads(play, groups, threads))
    return int((points > 0).sum()), int((points == 0).sum()), int((points < 0).sum())


def _duel_group(
    game: str,
    networks: tuple[Evaluate, Evaluate],
    settings: AlphaZeroSettings,
    *,
    pairs: int,
    seed: list[int],
    threads: int,
    stop: StopFlag,
) -> Array:
    """The points of the first network in each game; it has White in every other one."""
    rng = np.random.default_rng(seed)
    openings, boards = BoardBatch(game, pairs), BoardBatch(game, 2 * pairs)
    openings.reset(seed=int(rng.integers(2**63)), opening_plies=max(2, settings.random_plies))
    boards.take(openings, np.repeat(np.arange(pairs), 2))
    searches = [Search(boards, evaluate, seed=int(rng.integers(2**63)), threads=threads) for evaluate in networks]
    is_black = np.arange(2 * pairs) % 2  # whether the first network has Black
    while True:
        playing = (boards.outcomes() == 0) & (boards.plies() < settings.plies)
        if not playing.any() or stop.is_set():
            return WORTH[boards.outcomes()] * (1 - 2 * is_black)
        actions = np.full(2 * pairs, -1, np.int64)
        for number, search in enumerate(searches):
            on_move = playing & ((boards.turns() != is_black) == bool(number))
            search.run(np.where(on_move, settings.gate_simulations, 0))
            actions = np.where(on_move, search.choose(), actions)
        boards.play(actions)


def _in_threads(work: Callable[[int, StopFlag], T], count: int, threads: int) -> list[T]:
    """The results of the pieces of work, in order. An interruption ends all of them soon."""
    stop = StopFlag()
    if threads == 1 or count == 1:
        return [work(number, stop) for number in range(count)]
    with ThreadPoolExecutor(min(threads, count)) as pool:
        try:
            return list(pool.map(lambda number: work(number, stop), range(count)))
        except BaseException:
            stop.set()
            raise
