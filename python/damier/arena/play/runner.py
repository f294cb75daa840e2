"""Pairs of games between players named by specs, on threads here or on a cluster: what all events share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import get_ident
from typing import Any, Generic

from damier import jobs
from damier._core import DamierError, StopFlag
from damier.arena.play.book import Opening, Openings
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication, play_game
from damier.engine import PlayerError
from damier.jobs.pace import SECONDS_HERE, SECONDS_THERE, Pace
from damier.players import Player, RemotePlayer, player
from damier.players.remote import close_ready_engines
from damier.records import GameRecord
from damier.storage.pairs import Key, Pair

__all__ = ["GameRunner", "Work", "display_names"]

Specs = tuple[str, str]
FAILED = {
    "crash": "the engine crashed",
    "stall": "the engine does not answer",
    "garbage": "the engine's answer makes no sense",
    "refusal": "the engine refuses to play",
}  # before the first game


@dataclass(frozen=True)
class Work(Generic[Key]):
    """A pair to be played, and its key."""

    key: Key
    specs: Specs
    opening: int
    seed: int  # and the next one: each game has its own


class GameRunner:
    """Plays the games of an event, on threads here or on a cluster, which exist as long as the context is open.

    Each thread has its own players, and keeps them while the same two meet. With `notation` games come with their
    moves as texts, ready to be written.

    >>> from damier.arena import openings
    >>> with GameRunner("rennes", openings("random:2", "rennes"), Control(), Adjudication()) as runner:
    ...     [(key, (one, other))] = runner.played([Work(5, ("engine:depth=2", "random"), opening=0, seed=8)])
    >>> key, one.half, other.half
    (5, 1, 2)
    """

    def __init__(
        self,
        game: str,
        book: Openings,
        control: Control,
        adjudication: Adjudication,
        notation: bool = False,
        *,
        threads: int | None = None,
        cluster: str | None = None,
    ) -> None:
        self.game, self.book, self.control, self.adjudication = game, book, control, adjudication
        self.notation = notation
        self._threads, self._cluster = threads, cluster
        self._open = ExitStack()
        self._players_of: dict[int, tuple[Specs, list[Player]]] = {}  # by thread

    def __reduce__(self) -> tuple[object, ...]:
        return GameRunner, (self.game, self.book, self.control, self.adjudication, self.notation)  # no players

    def try_player(self, spec: str) -> str:
        """Raise what is wrong with a player before any game; return the name to show: the spec, or that of its engine.

        An external engine stays ready for the first game.
        """
        tried = player(spec)
        try:
            tried.new_game(self.book[0].board(self.game), 0)
            return tried.name if isinstance(tried, RemotePlayer) else spec
        except PlayerError as error:
            raise DamierError(f"{FAILED.get(error.kind, error.kind)}: {error.message}") from None
        finally:
            tried.release()

    def __enter__(self) -> GameRunner:
        workers: jobs.Workers[Sequence[Work[Any]], list[tuple[Any, Pair]]]  # of whatever kind of event
        workers = self._open.enter_context(jobs.pool(self, threads=self._threads, cluster=self._cluster))
        self._workers = workers
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the games in progress, wait for them, and release all players."""
        self._open.close()

    def close(self) -> None:
        """Release all players."""
        for _specs, players in self._players_of.values():
            _close(players)
        self._players_of.clear()
        close_ready_engines()

    def played(self, works: Iterable[Work[Key]], total: int | None = None) -> Generator[tuple[Key, Pair], None, None]:
        """Pairs as they end, each with its key.

        Quick pairs are handed out several at a time; `total` says how many there will be, if it is known.
        """
        pace = Pace(SECONDS_THERE if self._cluster else SECONDS_HERE)
        pieces = pace.pieces(iter(works), total, lambda: self._workers.width)
        for finished in self._workers.results(pieces):
            for key, pair in finished:
                pace.add(1, sum(seconds or 0 for game in pair for seconds in game.seconds))
                yield key, pair

    def __call__(self, works: Sequence[Work[Key]], stop: StopFlag) -> list[tuple[Key, Pair]]:
        """The pairs of a piece of work; only the finished ones if stopped."""
        pairs = ((work.key, self._play(work, stop)) for work in works if not stop.is_set())
        return [(key, pair) for key, pair in pairs if pair is not None]

    def _play(self, work: Work[Key], stop: StopFlag) -> Pair | None:
        """Play an opening twice with colours reversed; None if it was stopped halfway."""
        opening = self.book[work.opening]
        finished = []
        for first_is_white in (True, False):
            played = self.play_one(work.specs, opening, work.seed + first_is_white, stop, first_is_white=first_is_white)
            if played is None:
                return None
            finished.append(played.with_notation() if self.notation else played)
        return finished[0], finished[1]

    def play_one(
        self, specs: Specs, opening: Opening, seed: int, stop: StopFlag, *, first_is_white: bool
    ) -> GameRecord | None:
        """One game of two players, using those of this thread; None if it was stopped halfway."""
        first, second = self._players(specs)
        return play_game(
            self.game,
            opening,
            (first, second),
            first_is_white=first_is_white,
            control=self.control,
            adjudication=self.adjudication,
            seed=seed,
            stop=stop,
        )

    def _players(self, specs: Specs) -> list[Player]:
        before, players = self._players_of.get(get_ident(), (None, []))
        if before != specs:
            _close(players)
            fresh: list[Player] = []
            self._players_of[get_ident()] = specs, fresh
            for spec in specs:  # one by one: should the second fail, the first is still let go
                fresh.append(player(spec))
            players = fresh
        return players


def display_names(specs: Sequence[str], own: Sequence[str]) -> list[str]:
    """The names that engines give themselves; if two are equal, their specs instead.

    >>> display_names(["uci:a", "uci:b", "uci:b,option.Hash=8", "random"], ["Alpha 1", "Beta", "Beta", "random"])
    ['Alpha 1', 'uci:b', 'uci:b,option.Hash=8', 'random']
    """
    known = Counter(name for pair in zip(specs, own, strict=True) for name in set(pair))
    return [name if known[name] == 1 else spec for spec, name in zip(specs, own, strict=True)]


def _close(players: list[Player]) -> None:
    while players:
        players.pop().close()
