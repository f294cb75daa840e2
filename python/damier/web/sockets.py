"""One browser tab: its messages are answered one after the other, its searches run beside them and end with it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine
from contextlib import suppress
from itertools import count

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from damier._core import DamierError
from damier.web.catalogue import limits, our_version
from damier.web.errors import RefusedError
from damier.web.games import Who
from damier.web.messages import (
    CLIENT,
    AddMove,
    Analyse,
    AskClock,
    AskPosition,
    AskReview,
    AskTerms,
    Branch,
    ClaimDraw,
    ClientMessage,
    ClockMessage,
    CloseGame,
    Edit,
    ErrorMessage,
    FlipSides,
    GameMessage,
    HelloMessage,
    Hint,
    HintMessage,
    NewGame,
    OfferDraw,
    OfGame,
    OkMessage,
    OpenGame,
    Ping,
    PlayMove,
    PositionMessage,
    Rematch,
    Reply,
    Resign,
    Stop,
    Takeback,
)
from damier.web.position import position_at
from damier.web.security import Rate, browser_of
from damier.web.server import Server

__all__ = ["Tab"]

log = logging.getLogger("damier.web")

POLICY, OVERLOADED = 1008, 1013
STUCK = 300  # messages that a tab may leave unread
GAMES_PER_TAB = 50
SEARCHES_PER_TAB = 8
STRIKES = 20  # requests over the rate before the tab is closed
_numbers = count(1)


class Tab:
    """A connection and what it has asked for."""

    def __init__(self, socket: WebSocket, server: Server) -> None:
        self.socket, self.server = socket, server
        self.owner = browser_of(socket.scope) or f"tab {next(_numbers)}"
        self.games: set[str] = set()
        self.searches: dict[int, asyncio.Task[None]] = {}
        self._outbox: asyncio.Queue[str | None] = asyncio.Queue(STUCK)  # None: nothing more, hang up
        self._rate = Rate(server.config.rate, server.config.burst)
        self._strikes = 0
        self._last_message_at = server.config.clock.now()

    async def run(self) -> None:
        """Talk until either side hangs up."""
        await self.socket.accept()
        writer = asyncio.create_task(self._write())
        self.say(HelloMessage(version=our_version(), limits=limits(self.server.config)))
        try:
            while True:
                await self._receive()
        except (WebSocketDisconnect, RuntimeError):  # the latter where it was closed from here
            pass
        finally:
            for search in self.searches.values():
                search.cancel()
            for game in self.games:
                self.server.games.unwatch(game, self)
            writer.cancel()

    def say(self, message: Reply) -> None:
        """Send a message after the ones before it; a tab that does not read is dropped."""
        try:
            self._outbox.put_nowait(message.model_dump_json(by_alias=True))
        except asyncio.QueueFull:
            asyncio.create_task(self._close(OVERLOADED, "too many messages were left unread"))  # noqa: RUF006

    async def _write(self) -> None:
        while True:
            text = await self._outbox.get()
            if text is None:
                await self._close(POLICY, "too many messages in a second")
                return
            try:
                await self.socket.send_text(text)
            except (RuntimeError, WebSocketDisconnect):  # it hung up
                return

    async def _close(self, code: int, reason: str) -> None:
        with suppress(RuntimeError):  # it may be closed
            await self.socket.close(code, reason)

    async def _receive(self) -> None:
        frame = await self.socket.receive()
        if frame["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(frame.get("code") or 1000)
        text = frame.get("text")
        if text is None:
            self.say(ErrorMessage(code="malformed", message="expected a text frame with a JSON object"))
            return
        if not self._rate.allows(self.server.config.clock.now()):
            self._strikes += 1
            self.say(ErrorMessage(request=number_of(text), code="too_fast", message="too many messages in a second"))
            if self._strikes == STRIKES:
                await self._outbox.put(None)  # after what was said so far
            return
        try:
            message = CLIENT.validate_json(text)
        except ValidationError as error:
            self.say(ErrorMessage(request=number_of(text), code="malformed", message=error_text(error)))
            return
        if isinstance(message, Ping):
            self.say(OkMessage(request=message.request))
            return
        self._last_message_at = self.server.config.clock.now()
        await self._answer(message)

    async def _answer(self, message: ClientMessage) -> None:
        """Do what was asked, or say in one line why not."""
        try:
            await self._do(message)
        except RefusedError as refusal:
            await self._refuse(message, refusal)
        except (DamierError, MemoryError) as error:
            await self._refuse(message, RefusedError("internal", " ".join(str(error).split()) or "not enough memory"))
        except (WebSocketDisconnect, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("a message failed: %s", message.type)
            await self._refuse(message, RefusedError("internal", "something went wrong here, and was logged"))

    async def _refuse(self, message: ClientMessage, refusal: RefusedError) -> None:
        game = None
        if refusal.code in ("stale", "game_over", "not_your_turn", "illegal_move") and isinstance(message, OfGame):
            with suppress(RefusedError):  # the first one is told
                game = self.server.games.state(await self.server.games.get(message.game))
        self.say(ErrorMessage(request=message.request, **dict(refusal.failure), game=game))

    async def _do(self, message: ClientMessage) -> None:
        """Searches run alongside later messages; everything else is done before the next message is read."""
        if isinstance(message, OfGame) and not isinstance(message, CloseGame):
            await self._watch(message.game)
        who = Who(self, message.request)
        if isinstance(message, Analyse | AskReview | AskTerms | Hint | OfferDraw):
            self._start(message, self._search(message, who))
        elif isinstance(message, OfGame):
            await self._change(message, who)
        else:
            await self._tell(message)

    async def _change(self, message: ClientMessage, who: Who) -> None:
        """Do what was asked with a game."""
        play = self.server.play
        match message:
            case PlayMove():
                await play.move(message.game, message.node, message.move, who)
            case Takeback():
                await play.takeback(message.game, message.node, who)
            case Resign():
                await play.resign(message.game, message.side, who)
            case ClaimDraw():
                await play.claim_draw(message.game, who)
            case FlipSides():
                await play.flip_sides(message.game, who)
            case Branch():
                await play.branch(message.game, message.node, who)
            case AddMove():
                await play.add(message.game, message.node, message.move, who)
            case Edit():
                await play.edit(message, who)
            case Rematch():
                await self._begin((await play.rematch(message.game)).id, message.request)
            case OpenGame() | AskClock():
                await self._show(message)
            case CloseGame():
                self._unwatch(message.game)
                self.say(OkMessage(request=message.request))

    async def _tell(self, message: ClientMessage) -> None:
        """Answer a request that is not about an existing game."""
        if isinstance(message, NewGame):
            await self._begin((await self.server.games.new(message)).id, message.request)
        elif isinstance(message, AskPosition):
            position = await position_at(message.variant, message.fen, message.moves)
            self.say(PositionMessage(request=message.request, position=position))
        elif isinstance(message, Stop):
            if search := self.searches.get(message.search):
                search.cancel()
            self.say(OkMessage(request=message.request))

    async def _search(self, message: ClientMessage, who: Who) -> None:
        if isinstance(message, Analyse):
            await self._until_silent(self.server.analyse(message, self.owner, self.say))
        elif isinstance(message, AskReview):
            await self.server.review(message, self.owner, self.say)
        elif isinstance(message, AskTerms):
            await self.server.terms(message, self.say)
        elif isinstance(message, OfferDraw):
            await self.server.play.offer_draw(message.game, self.owner, who)
        elif isinstance(message, Hint):
            node, line = await self.server.play.hint(message.game, self.owner)
            self.say(HintMessage(request=message.request, game=message.game, node=node, line=line))

    async def _until_silent(self, work: Coroutine[object, object, None]) -> None:
        """Do endless work until this tab has been silent for long: it may be hidden and forgotten."""
        task = asyncio.create_task(work)
        silence = asyncio.create_task(self._silence())
        try:
            await asyncio.wait({task, silence}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            silence.cancel()
            task.cancel()  # which it has no need of where it has ended
        with suppress(asyncio.CancelledError):
            await task

    async def _silence(self) -> None:
        """Return when the tab has been silent for as long as is allowed."""
        clock, longest = self.server.config.clock, self.server.config.silence_s
        while (left := self._last_message_at + longest - clock.now()) > 0:
            await clock.sleep(left)

    async def _show(self, message: OpenGame | AskClock) -> None:
        games = self.server.games
        if isinstance(message, AskClock):
            clock = games.clock(await games.get(message.game))
            self.say(ClockMessage(request=message.request, game=message.game, clock=clock))
        else:
            self.say(GameMessage(request=message.request, game=games.state(await games.fresh(message.game))))

    async def _begin(self, game: str, request: int) -> None:
        """Show a new game; whatever its opponent does comes after that."""
        live = await self.server.games.get(game)
        self.say(GameMessage(request=request, game=self.server.games.state(live)))
        await self._watch(game)

    async def _watch(self, game: str) -> None:
        if game in self.games:
            return
        if len(self.games) >= GAMES_PER_TAB:
            raise RefusedError("busy", f"this tab has {GAMES_PER_TAB} games open, close some of them first")
        await self.server.games.watch(game, self, self.say)
        self.games.add(game)

    def _unwatch(self, game: str) -> None:
        self.games.discard(game)
        self.server.games.unwatch(game, self)

    def _start(self, message: ClientMessage, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while, alongside later requests."""
        if len(self.searches) >= SEARCHES_PER_TAB or message.request in self.searches:
            work.close()
            raise RefusedError("busy", "this tab asks for too much at once, or twice by the same number")
        task = asyncio.create_task(self._finish(message, work))
        self.searches[message.request] = task
        task.add_done_callback(lambda _: self.searches.pop(message.request, None))

    async def _finish(self, message: ClientMessage, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except RefusedError as refusal:
            await self._refuse(message, refusal)
        except (DamierError, OSError, MemoryError) as error:
            await self._refuse(
                message, RefusedError("engine_failed", " ".join(str(error).split()) or "not enough memory")
            )
        except Exception:
            log.exception("a search failed: %s", message.type)
            await self._refuse(message, RefusedError("internal", "something went wrong here, and was logged"))


def number_of(text: str) -> int:
    """The number of an otherwise invalid request, 0 if it has none."""
    try:
        number = json.loads(text)["request"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return number if type(number) is int and 0 <= number <= 2**53 else 0


def error_text(error: ValidationError) -> str:
    """What is wrong with a message, in one line."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    more = error.error_count() - 1
    return f"{place or 'the message'}: {first['msg']}"[:300] + (f" (and {more} more)" if more else "")
