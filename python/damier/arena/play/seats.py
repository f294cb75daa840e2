"""Numbered pairs of games between players named by specs, on any thread: what matches and tournaments share."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from threading import get_ident
from typing import Any, Generic

from damier import jobs
from damier._core import StopFlag
from damier.arena.play.book import Openings
from damier.arena.play.control import Control
from damier.arena.play.pace import Pace
from damier.arena.play.referee import Adjudication, play_game
from damier.players import Player, RemotePlayer, player
from damier.players.remote import close_ready_engines
from damier.storage.store import Number, Pair

__all__ = ["Seats", "Work", "try_player"]

Specs = tuple[str, str]
SECONDS_A_PIECE = 20.0  # on a cluster: long against the cost of handing it out, short against a machine that dies
SECONDS_HERE = 0.1  # on threads: quick games are handed out, and told of, by the dozen


@dataclass(frozen=True)
class Work(Generic[Number]):
    """A pair to be played, and what it is known by."""

    number: Number
    specs: Specs
    opening: int
    seed: int  # and the next one: each game has its own


class Seats:
    """The tables of an event, on threads here or on a cluster, which are there while it is entered.

    Each thread seats players of its own, and keeps them while the same two meet.

    >>> from damier.arena import openings
    >>> with Seats("rennes", openings("random:2", "rennes"), Control(), Adjudication()) as seats:
    ...     [(number, (one, other))] = seats.played([Work(5, ("engine:depth=2", "random"), opening=0, seed=8)])
    >>> number, one.first_is_white, other.first_is_white
    (5, True, False)
    """

    def __init__(
        self,
        game: str,
        book: Openings,
        control: Control,
        adjudication: Adjudication,
        *,
        threads: int | None = None,
        cluster: str | None = None,
    ) -> None:
        self.game, self.book, self.control, self.adjudication = game, book, control, adjudication
        self._threads, self._cluster = threads, cluster
        self._open = ExitStack()
        self._seated: dict[int, tuple[Specs, list[Player]]] = {}  # by thread

    def __reduce__(self) -> tuple[Any, ...]:
        return Seats, (self.game, self.book, self.control, self.adjudication)  # players stay where they are

    def __enter__(self) -> Seats:
        self._workers = self._open.enter_context(jobs.pool(self, threads=self._threads, cluster=self._cluster))
        return self

    def __exit__(self, *_: object) -> None:
        """Cut off the games under way, wait for them, and let all players go."""
        self._open.close()
        close_ready_engines()

    def close(self) -> None:
        """Let all players go."""
        for _specs, players in self._seated.values():
            _leave(players)
        self._seated.clear()

    def played(
        self, works: Iterable[Work[Number]], total: int | None = None
    ) -> Generator[tuple[Number, Pair], None, None]:
        """Pairs as they end, each with what it is known by.

        Several quick pairs make a piece; `total` says how many there will be, if it is known.
        """
        pace = Pace(SECONDS_A_PIECE if self._cluster else SECONDS_HERE)
        pieces = pace.pieces(iter(works), total, lambda: self._workers.width)
        for finished in self._workers.results(pieces):
            for number, pair in finished:
                pace.add(pair)
                yield number, pair

    def __call__(self, works: Sequence[Work[Number]], stop: StopFlag) -> list[tuple[Number, Pair]]:
        """The pairs of a piece; only the finished ones when stopped."""
        pairs = ((work.number, self._play(work, stop)) for work in works if not stop.is_set())
        return [(number, pair) for number, pair in pairs if pair is not None]

    def _play(self, work: Work[Number], stop: StopFlag) -> Pair | None:
        """Play an opening twice with colours exchanged; None when it was stopped half way."""
        first, second = self._players(work.specs)
        opening = self.book[work.opening]
        finished = []
        for first_is_white in (True, False):
            played = play_game(
                self.game,
                opening,
                (first, second),
                first_is_white=first_is_white,
                control=self.control,
                adjudication=self.adjudication,
                seed=work.seed + first_is_white,
                stop=stop,
            )
            if played is None:
                return None
            finished.append(played)
        return finished[0], finished[1]

    def _players(self, specs: Specs) -> list[Player]:
        before, players = self._seated.get(get_ident(), (None, []))
        if before != specs:
            _leave(players)
            fresh: list[Player] = []
            self._seated[get_ident()] = specs, fresh
            for spec in specs:  # one by one: should the second fail, the first is still let go
                fresh.append(player(spec))
            players = fresh
        return players


def _leave(players: list[Player]) -> None:
    while players:
        players.pop().close()


def try_player(spec: str, board: Any) -> str:
    """Raise what is wrong with a player before any game; return the name to show: the spec, or that of its engine.

    An external engine stays ready for the first game.

    >>> from damier import loa
    >>> try_player("engine:depth=2", loa.Board())
    'engine:depth=2'
    """
    tried = player(spec)
    try:
        tried.new_game(board, 0)
        return tried.name if isinstance(tried, RemotePlayer) else spec
    finally:
        tried.release()
