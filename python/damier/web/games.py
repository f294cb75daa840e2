"""The open games: each change is checked, written, and only then announced to everyone who watches the game."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Literal, NamedTuple, TypeVar

from damier import games
from damier.files import JsonView
from damier.storage.database import DatabaseError
from damier.storage.database.saved import SavedGame, SavedGames, StaleGameError
from damier.web.clock import GameClock
from damier.web.config import Config
from damier.web.errors import RefusedError
from damier.web.live import LiveGame, game_of_rows, new_id
from damier.web.messages import ChangeMessage, DeletedMessage, NewGame, ServerMessage
from damier.web.opponents import Opponents
from damier.web.position import read_board
from damier.web.reasons import bad_position, reason_of
from damier.web.state import ClockState, Game, HumanOpponent, Settings, Side
from damier.web.tree import MoveTree

__all__ = ["NOBODY", "Event", "OpenGames", "Who", "place_after", "place_of"]

log = logging.getLogger("damier.web")

T = TypeVar("T")
Event = Literal["state", "move", "takeback", "end", "draw_declined", "branch", "edit", "thinking", "sides"]
Watcher = Callable[[ServerMessage], None]


class Who(NamedTuple):
    """Who asked for a change, and in which request."""

    key: object = None
    request: int = 0


NOBODY = Who()


class OpenGames:
    """Games by id, read on first use and released when nobody watches them any more."""

    def __init__(self, config: Config, opponents: Opponents) -> None:
        self.config, self.opponents = config, opponents
        self.saved = SavedGames(config.database, patience=config.database_patience_s)
        self.on_turn: Callable[[LiveGame], None] = lambda _: None  # told after every change
        self._open: dict[str, LiveGame] = {}
        self._reading: dict[str, asyncio.Lock] = {}
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="database")  # as only one can write
        self._readers = ThreadPoolExecutor(2, thread_name_prefix="database")
        self._dice = random.Random()
        self.importing = asyncio.Semaphore(1)  # reading records is work for one core

    def close(self) -> None:
        for live in self._open.values():
            stop_thinking(live)
        self._writer.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self.saved.close()

    async def stored(self, work: Callable[[], T], *, reading: bool = False) -> T:
        """Do something with the database, off the event loop; its errors become refusals."""
        executor = self._readers if reading else self._writer
        try:
            return await asyncio.get_running_loop().run_in_executor(executor, work)
        except StaleGameError:
            raise
        except DatabaseError as error:
            log.warning("%s", error)  # with its name, which is a path that pages need not know
            raise RefusedError(
                "storage", f"the database: {error.reason}", detail=reason_of(error.reason).name
            ) from None

    async def get(self, id: str) -> LiveGame:
        """A game, opened now if it is not open."""
        if id in self._open:
            return self._open[id]
        async with self._reading.setdefault(id, asyncio.Lock()):  # two tabs get the same one
            try:
                if id not in self._open:
                    found = await self.stored(lambda: self.saved.read(id), reading=True)
                    if found is None:
                        raise RefusedError("unknown_game", f"there is no game {id}")
                    self._make_room()
                    self._open[id] = await asyncio.to_thread(game_of_rows, *found)
            finally:
                self._reading.pop(id, None)
        return self._open[id]

    async def fresh(self, id: str) -> LiveGame:
        """A game as stored now: another program may have changed it since it was opened here."""
        live = await self.get(id)
        async with live.lock:
            revision = await self.stored(lambda: self.saved.revision(id), reading=True)
            if revision != live.revision and self._open.get(id) is live:
                await self._reload(live)
        return live

    def _make_room(self) -> None:
        """Release games that nobody watches."""
        if len(self._open) >= self.config.games_open:
            for id in [id for id, live in self._open.items() if not live.watchers and not live.lock.locked()]:
                self.forget(id)
        if len(self._open) >= self.config.games_open:
            raise RefusedError("busy", f"more than {self.config.games_open} games are open")

    def forget(self, id: str) -> None:
        """Release a game; it is read again on next use."""
        if live := self._open.pop(id, None):
            stop_thinking(live)

    # Those who look.

    async def watch(self, id: str, key: object, tell: Watcher) -> LiveGame:
        """Send every change of a game to someone from now on."""
        live = await self.get(id)
        live.watchers[key] = tell
        if len(live.watchers) == 1:
            live.run_clock(self.config.clock.now())
            self.on_turn(live)
        return live

    def unwatch(self, id: str, key: object) -> None:
        """Stop sending changes to someone; a search for a game that nobody watches ends."""
        if live := self._open.get(id):
            live.watchers.pop(key, None)
            if not live.watchers:
                self._release(live)

    def _release(self, live: LiveGame) -> None:
        """Nobody watches a game any more: only a person's clock keeps running."""
        stop_thinking(live)
        live.run_clock(self.config.clock.now())
        if live.clock and live.clock.running:
            self.on_turn(live)
        elif not live.lock.locked():  # or it is let go when it is written
            self.forget(live.id)

    def state(self, live: LiveGame) -> Game:
        return live.whole(self.config.clock.now())

    def clock(self, live: LiveGame) -> ClockState | None:
        return live.clock.state(self.config.clock.now()) if live.clock else None

    def tell(self, live: LiveGame, event: Event, *, who: Who = NOBODY, added: int | None = None) -> None:
        """Send a change to everyone who watches a game; whoever asked for it also gets the number of the request."""
        state = live.state(self.config.clock.now())
        message = ChangeMessage(game=state, tree=live.tree_change(), event=event, added=added)
        for key, tell in list(live.watchers.items()):
            tell(message.model_copy(update={"request": who.request}) if key == who.key else message)

    def announce(self, live: LiveGame, event: Event, *, who: Who = NOBODY, added: int | None = None) -> None:
        """The same as `tell`, but once the current change is written."""
        live.news = lambda written: self.tell(written, event, who=who, added=added)

    # Changes.

    @asynccontextmanager
    async def changing(self, id: str) -> AsyncIterator[LiveGame]:
        """Change a draft of a game: when the block ends it is written as one, and only then the game itself changes.

        A change must be announced; without an announcement nothing is written.
        """
        live = await self.get(id)
        async with live.lock:
            if self._open.get(id) is not live:
                raise RefusedError("unknown_game", f"game {id} was closed or deleted")
            draft = live.draft()
            yield draft
            if draft.news:
                await _shielded(self._write(live, draft))
        if not live.watchers and self._open.get(id) is live:
            self._release(live)

    async def _write(self, live: LiveGame, draft: LiveGame) -> None:
        """Write a draft; then the game becomes that draft, and everyone is told."""
        draft.revision = live.revision + 1
        draft.updated = self.config.clock.date()
        columns = asdict(draft.row())
        changes = {name: columns[name] for name in columns if name not in ("id", "created")}
        moves, removed = list(draft.moves.values()), list(draft.removed)
        try:
            await self.stored(lambda: self.saved.change(live.id, live.revision, changes, moves, removed))
        except StaleGameError:
            await self._reload(live)
            raise RefusedError("stale", f"game {live.id} was changed by another program") from None
        self._replace_state(live, draft)
        if draft.news:
            draft.news(live)
        self.on_turn(live)

    async def _reload(self, live: LiveGame) -> None:
        """Read what another program did to a game, and tell everyone who watches it."""
        found = await self.stored(lambda: self.saved.read(live.id), reading=True)
        if found is None:
            self._announce_deletion(live)
            raise RefusedError("unknown_game", f"game {live.id} was deleted by another program")
        self._replace_state(live, await asyncio.to_thread(game_of_rows, *found))
        live.run_clock(self.config.clock.now())
        self.tell(live, "state")
        self.on_turn(live)

    def _replace_state(self, live: LiveGame, other: LiveGame) -> None:
        """Set a game to another state of it; searches for the previous state are stopped."""
        moved = (live.current, live.seats, live.outcome) != (other.current, other.seats, other.outcome)
        live.become(other)
        if moved:
            stop_thinking(live)

    async def add(self, live: LiveGame) -> LiveGame:
        """Write a new game and open it."""
        self._make_room()
        row, moves = live.row(), list(live.tree.moves.values())
        await self.stored(lambda: self.saved.add(row, moves))
        live.moves, live.removed = {}, []
        self._open[live.id] = live
        return live

    async def new(self, message: NewGame) -> LiveGame:
        """Begin a game."""
        board = await read_board(message.variant, message.fen, message.moves)
        if board.outcome():
            raise bad_position("the game is over in this position")
        if message.fen is None and not message.moves and not message.tree:
            board = games.new_board(message.variant, self._dice)
        side: Side = self._dice.choice(("white", "black")) if message.side == "random" else message.side
        person = self.opponents.seat(HumanOpponent(kind="human"), message.variant)
        opponent = self.opponents.seat(message.opponent, message.variant)
        now = self.config.clock.date()
        is_standard = board.start_fen() == games.board(message.variant).start_fen()
        live = LiveGame(
            id=new_id(),
            variant=message.variant,
            fen=None if is_standard else board.start_fen(),
            seats={"white": person, "black": opponent} if side == "white" else {"white": opponent, "black": person},
            created=now,
            updated=now,
        )
        if message.clock:
            seconds = message.clock.seconds
            live.clock = GameClock(message.clock, {"white": seconds, "black": seconds})
        if message.tree:
            live.load_tree(await asyncio.to_thread(MoveTree.sent, message.tree, live.start_board()))
        for move in board.moves if not message.tree else ():
            live.play(str(move))
        return await self.add(live)

    async def delete(self, id: str) -> None:
        """Delete a game for good, and tell those who watch it."""
        if not await self.stored(lambda: self.saved.delete(id)):
            raise RefusedError("unknown_game", f"there is no game {id}")
        if live := self._open.get(id):
            self._announce_deletion(live)

    def _announce_deletion(self, live: LiveGame) -> None:
        self.forget(live.id)
        for tell in list(live.watchers.values()):
            tell(DeletedMessage(game=live.id))

    # Settings.

    async def settings(self, browser: str | None) -> Settings:
        """The settings of a browser, or the latest of any; values no longer understood get their defaults."""

        def read() -> JsonView | None:
            return self.saved.setting(_setting(browser)) or self.saved.setting(_setting(None))

        try:
            return Settings.model_validate(await self.stored(read, reading=True) or {})
        except ValueError:
            return Settings()

    async def choose(self, settings: Settings, browser: str | None) -> None:
        value: JsonView = settings.model_dump()

        def write() -> None:
            for name in {_setting(browser), _setting(None)}:  # the latter for a browser that has chosen nothing
                self.saved.choose(name, value)

        await self.stored(write)


def _setting(browser: str | None) -> str:
    """The name of a browser's settings: a phone and a laptop need different ones."""
    return f"page {browser}" if browser else "page"


async def _shielded(work: Coroutine[object, object, None]) -> None:
    """Do something to its end, even if the waiting task is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


def stop_thinking(live: LiveGame) -> None:
    """End the search for a move, if there is one, and the wait for the clock."""
    for task in (live.thinking, live.flag):
        if task and not task.done():
            task.cancel()
    live.thinking = live.flag = None


def place_of(text: str) -> tuple[datetime, str]:
    """The place in the list that `before` names."""
    when, _, id = text.partition("~")
    try:
        return datetime.fromisoformat(when), id
    except ValueError:
        raise RefusedError("malformed", f"before is {text[:40]!r}, expected what a page of games ends with") from None


def place_after(row: SavedGame) -> str:
    return f"{row.updated.isoformat()}~{row.id}"
