"""Playing: moves, takebacks, draws and resignations of people, the moves of their opponents, and flags that fall."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar, Unpack

from damier import games
from damier._core import DamierError, Limit
from damier.board import Board
from damier.engine import Engine, SearchResult
from damier.web.errors import RefusedError
from damier.web.games import NOBODY, OpenGames, Who
from damier.web.lines import line_of, score_for_white
from damier.web.live import OTHER, LiveGame
from damier.web.messages import Edit, NewGame
from damier.web.opponents import limit_of, patience_of
from damier.web.pool import Pool, Turn
from damier.web.position import play_text, side_of
from damier.web.state import Line, Opponent, Side
from damier.web.tree import START, Remarks

__all__ = ["Play"]

T = TypeVar("T")
HINT_S = 0.5
DRAW_NODES = 20_000
DRAW_PLIES = 20  # before which an engine that is not worse declines
HASH = 4  # MiB, of searches that are short
AGAIN_S = 1.0  # after which a game that could not be written is ended again

log = logging.getLogger("damier.web")


class Play:
    """What may be done with a game; each call is one change, sent to everyone who watches it."""

    def __init__(self, open_games: OpenGames, pool: Pool) -> None:
        self.games, self.pool = open_games, pool
        self.config = open_games.config
        open_games.on_turn = self._on_turn

    # What people do.

    async def move(self, id: str, node: int, text: str, who: Who = NOBODY) -> None:
        """Play a move of a person at the node where they saw the game."""
        async with self.games.changing(id) as live:
            self._check_going(live, node)
            if not live.is_human(live.turn):
                raise RefusedError("not_your_turn", f"it is the turn of {live.turn.capitalize()}, who is not a person")
            self._played(live, text)
            self.games.announce(live, "end" if live.outcome else "move", who=who)

    async def takeback(self, id: str, node: int, who: Who = NOBODY) -> None:
        """Take the last move of a person back, with the reply to it."""
        async with self.games.changing(id) as live:
            self._check_current(live, node)
            if live.outcome and live.outcome.reason == "time":
                raise RefusedError("game_over", "the game was lost on time, and no move can be taken back")
            path = live.tree.path(live.current)
            people = set(live.people)
            sides = [self._mover(live, len(path) - index) for index in range(1, len(path) + 1)]  # the last move first
            back = next((count for count, side in enumerate(sides, 1) if side in people), None)
            if back is None:
                raise RefusedError("not_now", "there is no move of yours to take back", detail="no_takeback")
            live.remove(path[-back].id)
            live.failure = None
            live.run_clock(self.config.clock.now())
            self.games.announce(live, "takeback", who=who)

    async def resign(self, id: str, side: Side | None, who: Who = NOBODY) -> None:
        """Give a game up."""
        async with self.games.changing(id) as live:
            self._check_going(live)
            people = live.people
            if not people:
                raise RefusedError("not_now", "nobody here plays in this game", detail="nobody_plays")
            loser = side if side in people else live.turn if live.turn in people else people[0]
            self._ended(live, OTHER[loser], "resignation")
            self.games.announce(live, "end", who=who)

    async def claim_draw(self, id: str, who: Who = NOBODY) -> None:
        """End the game by a draw that the rules allow to claim."""
        async with self.games.changing(id) as live:
            self._check_going(live)
            claim = live.board.outcome(claim_draw=True)
            if claim is None:
                raise RefusedError("not_now", "there is no draw to claim", detail="no_draw")
            self._ended(live, None, claim.reason)
            self.games.announce(live, "end", who=who)

    async def offer_draw(self, id: str, owner: str, who: Who = NOBODY) -> None:
        """Offer a draw: people on the same screen agree, an engine looks at the position first."""
        live = await self.games.get(id)
        self._check_going(live)
        node, people = live.current, live.people
        if not people:
            raise RefusedError("not_now", "nobody here plays in this game", detail="nobody_plays")
        agreed = len(people) == 2 or await self._accepts_draw(live.board.copy(), OTHER[people[0]], owner)
        async with self.games.changing(id) as draft:
            if not agreed or (draft.current, draft.people) != (node, people):  # what it accepted is no more
                self.games.tell(live, "draw_declined", who=who)
                return
            self._check_going(draft)
            self._ended(draft, None, "agreement")
            self.games.announce(draft, "end", who=who)

    async def rematch(self, id: str) -> LiveGame:
        """A new game like this one, with the sides exchanged."""
        live = await self.games.get(id)
        people = live.people
        if not people:
            raise RefusedError("not_now", "nobody here plays in this game", detail="nobody_plays")
        side = people[0]
        opponent: Opponent = live.seats[OTHER[side]].opponent
        clock = live.clock.setting if live.clock else None
        fen = None if games.has_random_start(live.variant) else live.fen
        message = NewGame(
            request=0, type="new", variant=live.variant, side=OTHER[side], opponent=opponent, clock=clock, fen=fen
        )
        return await self.games.new(message)

    async def flip_sides(self, id: str, who: Who = NOBODY) -> None:
        """Exchange who plays which side."""
        async with self.games.changing(id) as live:
            self._check_going(live)
            live.seats = {"white": live.seats["black"], "black": live.seats["white"]}
            live.failure = None
            live.run_clock(self.config.clock.now())
            self.games.announce(live, "sides", who=who)

    async def branch(self, id: str, node: int, who: Who = NOBODY) -> None:
        """Go to a node and play on from there; at the current one, an opponent that failed tries again."""
        async with self.games.changing(id) as live:
            self._check_node(live, node)
            live.go_to(node)
            live.failure = None
            live.run_clock(self.config.clock.now())
            self.games.announce(live, "branch", who=who)

    async def add(self, id: str, node: int, text: str, who: Who = NOBODY) -> None:
        """Add a variation without playing it."""
        async with self.games.changing(id) as live:
            self._check_node(live, node)
            board = live.board_at(node)
            move = play_text(board, text)
            added = live.tree.find(node, str(move))
            if added is None:
                board.pop()
                self._check_size(live)
                added = live.tree.add(node, str(move), board.text(move))
                live.moves[added.id] = added
            self.games.announce(live, "edit", who=who, added=added.id)

    async def edit(self, message: Edit, who: Who = NOBODY) -> None:
        """Change a node of the tree."""
        async with self.games.changing(message.game) as live:
            self._check_node(live, message.node)
            if message.node == START:
                raise RefusedError("not_now", "the start cannot be changed", detail="start")
            if message.delete:
                self._check_deletable(live, message.node)
                live.remove(message.node)
                live.run_clock(self.config.clock.now())
            else:
                if message.comment is not None:
                    live.note(message.node, comment=" ".join(message.comment.split()), before="")
                if message.glyph is not None:
                    kept = [nag for nag in live.tree.moves[message.node].nags if not 1 <= nag <= 6]
                    live.note(message.node, nags=[message.glyph, *kept] if message.glyph else kept)
                if message.promote:
                    live.promote(message.node)
            self.games.announce(live, "edit", who=who)

    async def hint(self, id: str, owner: str) -> tuple[int, Line]:
        """What the engine would do: the node it is about, and its line."""
        live = await self.games.get(id)
        self._check_going(live)
        if not live.is_human(live.turn):
            raise RefusedError("not_your_turn", f"it is the turn of {live.turn.capitalize()}, who needs no hint")
        node, board = live.current, live.board.copy()

        def search(turn: Turn) -> SearchResult:
            with Engine(board.variant, hash=HASH) as engine:
                return engine.play(board, Limit(time=HINT_S), stop=turn.stop)

        found = await self._searched(owner, search)
        return node, line_of(board, found)

    # What their opponents do.

    def _on_turn(self, live: LiveGame) -> None:
        """After every change: let an opponent that is to move think, and watch a running clock."""
        waits = live.outcome is None and bool(live.watchers) and not live.is_human(live.turn) and live.failure is None
        if waits and (live.thinking is None or live.thinking.done()):
            live.thinking = asyncio.create_task(self._think(live))
            self.games.tell(live, "thinking")
        if live.flag:
            live.flag.cancel()
            live.flag = None
        if live.clock and live.clock.running:
            live.flag = asyncio.create_task(self._watch_flag(live))

    async def _think(self, live: LiveGame) -> None:
        """Find the move of an opponent and play it; if the player fails, the game stays and people are told."""
        node, board = live.current, live.board.copy()
        opponent = live.seats[live.turn].opponent
        now = self.config.clock.now()
        limit = limit_of(live.clock, self.config.move_s, now)
        try:
            found = await self.pool.run(
                self._owner(live),
                lambda turn: self.games.opponents.play(opponent, board, limit, turn),
                timeout=patience_of(live.clock, self.config.longest_s, now),
            )
            await asyncio.shield(asyncio.ensure_future(self._reply(live, node, opponent, found)))
        except Exception as error:
            known = isinstance(error, DamierError | OSError | MemoryError)
            log.log(logging.WARNING if known else logging.ERROR, "game %s: %s", live.id, error, exc_info=not known)
            said = self.games.opponents.learnt.words(error)
            async with live.lock:
                live.thinking = None
                live.failure = " ".join(said.split()) or type(error).__name__
                if live.clock:
                    live.clock.pause(self.config.clock.now())
                self.games.tell(live, "state")

    @staticmethod
    def _owner(live: LiveGame) -> str:
        """The browser for which an opponent thinks."""
        return next((str(key.owner) for key in live.watchers if hasattr(key, "owner")), f"game {live.id}")

    async def _reply(self, live: LiveGame, node: int, opponent: Opponent, found: SearchResult) -> None:
        """Play the move that an opponent has found, unless the game has moved on."""
        try:
            async with self.games.changing(live.id) as draft:
                if draft.current != node or draft.outcome or draft.seats[draft.turn].opponent != opponent:
                    return
                score = score_for_white(found.score, draft.board.turn).model_dump() if found.has_score else None
                self._played(draft, str(found.move), score=score, seconds=round(found.seconds, 3))
                self.games.announce(draft, "end" if draft.outcome else "move")
        except RefusedError as refusal:
            if refusal.code not in ("stale", "unknown_game"):  # another program has changed it, and all know
                raise

    async def _watch_flag(self, live: LiveGame) -> None:
        """Wait until the running clock has run out."""
        while live.clock and (side := live.clock.running):
            left = live.clock.left(side, self.config.clock.now())
            if left > 0:
                await self.config.clock.sleep(left)
                continue
            try:
                await asyncio.shield(asyncio.ensure_future(self.flag(live.id)))
                return
            except RefusedError as refusal:
                log.warning("game %s: %s", live.id, refusal)
                await asyncio.sleep(AGAIN_S)

    async def flag(self, id: str) -> None:
        """End a game whose clock has run out; nothing happens where none has."""
        try:
            async with self.games.changing(id) as live:
                if live.clock is None or live.outcome or not self._flagged(live):
                    return
                self._ended(live, OTHER[live.turn], "time")
                self.games.announce(live, "end")
        except RefusedError as refusal:
            if refusal.code not in ("stale", "unknown_game"):  # another program has changed it, and all know
                raise

    async def _accepts_draw(self, board: Board, side: Side, owner: str) -> bool:
        """Whether the engine, playing a side, accepts a draw."""

        def search(turn: Turn) -> SearchResult:
            with Engine(board.variant, hash=HASH) as engine:
                return engine.play(board, Limit(nodes=DRAW_NODES), stop=turn.stop)

        found = await self._searched(owner, search)
        expected = found.score.expectation() if side_of(board.turn) == side else 1 - found.score.expectation()
        return expected < 0.4 or (expected <= 0.52 and board.ply >= DRAW_PLIES)

    async def _searched(self, owner: str, search: Callable[[Turn], T]) -> T:
        start = perf_counter()
        try:
            return await self.pool.run(owner, search, timeout=self.config.longest_s)
        except RefusedError:
            raise
        except (DamierError, OSError, MemoryError, RuntimeError) as error:
            log.warning("a search failed after %.2f s: %s", perf_counter() - start, error)
            raise RefusedError("engine_failed", " ".join(str(error).split())) from None

    # Within a change.

    def _played(self, live: LiveGame, text: str, **about: Unpack[Remarks]) -> None:
        """Play a move and press the clock."""
        now = self.config.clock.now()
        self._check_size(live)
        taken = live.clock.press(now) if live.clock and live.clock.running else None
        live.failure = None
        live.play(text, **about | ({} if taken is None else {"seconds": round(taken, 3)}))
        live.run_clock(now)

    def _ended(self, live: LiveGame, winner: Side | None, reason: str) -> None:
        live.end(winner, reason)
        live.failure = None
        if live.clock:
            live.clock.pause(self.config.clock.now())

    def _flagged(self, live: LiveGame) -> bool:
        clock = live.clock
        return bool(clock and clock.running and clock.left(clock.running, self.config.clock.now()) <= 0)

    @staticmethod
    def _mover(live: LiveGame, ply: int) -> Side:
        """The side that made the move after a number of plies of the current line."""
        last = OTHER[live.turn]
        return last if (len(live.tree.path(live.current)) - 1 - ply) % 2 == 0 else live.turn

    def _check_going(self, live: LiveGame, node: int | None = None) -> None:
        if node is not None:
            self._check_current(live, node)
        if live.outcome:
            raise RefusedError("game_over", f"the game is over: {live.outcome.result}, {live.outcome.reason}")
        if self._flagged(live):
            raise RefusedError("game_over", "the clock has run out")

    @staticmethod
    def _check_current(live: LiveGame, node: int) -> None:
        if node != live.current:
            raise RefusedError("stale", f"the game stands at node {live.current}, not {node}")

    @staticmethod
    def _check_node(live: LiveGame, node: int) -> None:
        if node not in live.tree:
            raise RefusedError("stale", f"there is no node {node} in the game")

    def _check_size(self, live: LiveGame) -> None:
        if len(live.tree.moves) >= self.config.nodes:
            most = self.config.nodes
            raise RefusedError("too_large", f"the tree has {most} moves, which is as many as it may", detail="tree")

    @staticmethod
    def _check_deletable(live: LiveGame, node: int) -> None:
        """Refuse to delete the line that was played, unless two people try things out; variations may be deleted."""
        played = any(node == move.id for move in live.tree.path(live.current))
        if played and (live.outcome or len(live.people) < 2):
            said = "this move was played in the game, and only variations can be deleted"
            raise RefusedError("not_now", said, detail="played")
