"""A game in memory: its tree, its board at the current move, who plays, the clocks. It changes, but writes nothing."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, Unpack, get_args

from damier import games
from damier._core import DamierError
from damier.board import Board
from damier.records import Game as Record
from damier.records.tree import start_fen
from damier.storage.database.saved import SavedGame, SavedMove
from damier.web.clock import GameClock
from damier.web.errors import RefusedError
from damier.web.messages import ServerMessage, TreeChange
from damier.web.position import ending_of, play_text, position_of, side_of
from damier.web.state import ClockSetting, Ending, Game, GameState, GameSummary, HumanOpponent, Seat, Side
from damier.web.tree import START, MoveTree, Remarks

__all__ = ["OTHER", "LiveGame", "game_of_rows", "new_id", "summary_of"]

OTHER: dict[Side, Side] = {"white": "black", "black": "white"}
RESULT_OF: dict[Side | None, Literal["1-0", "0-1", "1/2-1/2"]] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
FREE_MOVES = 2  # plies before the clocks run
STATE = ("tree", "board", "seats", "clock", "current", "revision", "failure", "updated", "title", "headers")


def new_id() -> str:
    """An id that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(12))


@dataclass
class LiveGame:
    """A game that someone watches.

    `moves` and `removed` are the rows that a draft changes, `news` the messages to send once they are written.
    """

    id: str
    variant: str
    fen: str | None  # of the start, None for the standard one
    seats: dict[Side, Seat]
    created: datetime
    updated: datetime
    title: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    clock: GameClock | None = None
    tree: MoveTree = field(default_factory=MoveTree)
    current: int = START
    revision: int = 1
    failure: str | None = None
    moves: dict[int, SavedMove] = field(default_factory=dict)
    removed: list[int] = field(default_factory=list)
    # What is not written:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    thinking: asyncio.Task[None] | None = None
    flag: asyncio.Task[None] | None = None  # waits for a clock to run out
    news: Callable[[LiveGame], None] | None = None
    watchers: dict[object, Callable[[ServerMessage], None]] = field(default_factory=dict)
    board: Board = field(init=False)
    last_sent: tuple[int, MoveTree] = field(init=False)  # the revision and the tree that watchers have

    def __post_init__(self) -> None:
        self.board = self.board_at(self.current)
        self.last_sent = self.revision, self.tree

    def start_board(self) -> Board:
        return games.board(self.variant, self.fen)

    def board_at(self, node: int) -> Board:
        """The board after the moves that lead to a node."""
        board = self.start_board()
        for move in self.tree.path(node):
            board.play(move.move)
        return board

    def draft(self) -> LiveGame:
        """A copy of this game that may be changed while this one stays the same, until the change is written."""
        draft = copy(self)
        draft.tree, draft.board, draft.seats = self.tree.copy(), self.board.copy(), dict(self.seats)
        if self.clock:
            draft.clock = copy(self.clock)
            draft.clock.seconds = dict(self.clock.seconds)
        draft.moves, draft.removed, draft.news = {}, [], None
        return draft

    def become(self, other: LiveGame) -> None:
        """Take over another state of this game; its watchers, and what runs for it, stay."""
        for name in STATE:
            setattr(self, name, getattr(other, name))

    # Facts.

    @property
    def turn(self) -> Side:
        return side_of(self.board.turn)

    @property
    def outcome(self) -> Ending | None:
        """How the current line ended: by a decision of the players or the clock, or on the board."""
        if self.current != START and (ending := self.tree.moves[self.current].ending):
            return Ending.model_validate(ending)
        if START_ENDING in self.headers and self.current == START:
            return Ending.model_validate_json(self.headers[START_ENDING])
        outcome = self.board.outcome()
        return ending_of(outcome) if outcome else None

    def is_human(self, side: Side) -> bool:
        return isinstance(self.seats[side].opponent, HumanOpponent)

    @property
    def people(self) -> list[Side]:
        return [side for side in get_args(Side) if self.is_human(side)]

    # Changes.

    def play(self, text: str, **about: Unpack[Remarks]) -> None:
        """Play a move at the current node, or follow it if the tree has it; the moves played are the main line."""
        move = play_text(self.board, text)
        played = self.tree.find(self.current, str(move))
        if played is None:
            self.board.pop()
            san = self.board.text(move)
            self.board.push(move)
            played = self.tree.add(self.current, str(move), san, **about)
            self.moves[played.id] = played
        elif about or played.ending:
            self.note(played.id, **about | {"ending": None})  # played again, it is not over by a decision of then
        self.current = played.id
        self.promote(played.id)

    def load_tree(self, tree: MoveTree) -> None:
        """Take a tree, and go to the end of its main line."""
        self.tree = tree
        self.last_sent = self.revision, tree
        self.current = [START, *tree.main_line()][-1]
        self.board = self.board_at(self.current)

    def go_to(self, node: int) -> None:
        """Go to another node, with the clocks as they were when it was reached."""
        if node == self.current:
            return
        self.board = self.board_at(node)
        self.current = node
        if self.clock:
            self.clock.rewind(self._times(node))

    def _times(self, node: int) -> dict[Side, list[float]]:
        """How long each side took for its moves up to a node, while clocks ran."""
        first = side_of(self.start_board().turn)
        times: dict[Side, list[float]] = {"white": [], "black": []}
        for number, move in enumerate(self.tree.path(node)):
            if number >= FREE_MOVES and move.seconds is not None:
                times[first if number % 2 == 0 else OTHER[first]].append(move.seconds)
        return times

    def promote(self, node: int) -> None:
        """Make the line of a node the main line."""
        self.moves |= {row.id: row for row in self.tree.promote(node)}

    def end(self, winner: Side | None, reason: str) -> None:
        """End the current line by a decision."""
        ending = Ending(result=RESULT_OF[winner], winner=winner, reason=reason)
        if self.current == START:
            self.headers = {**self.headers, START_ENDING: ending.model_dump_json()}
        else:
            self.note(self.current, ending=ending.model_dump())

    def note(self, node: int, **about: Unpack[Remarks]) -> None:
        """Change the comment or the glyph of a move."""
        self.moves[node] = self.tree.change(node, **about)

    def remove(self, node: int) -> None:
        """Remove a move and all after it from the tree; if the game is there, it goes back to the move before."""
        parent = self.tree.moves[node].parent
        gone = self.tree.remove(node)
        self.removed += gone
        for each in gone:
            self.moves.pop(each, None)
        if self.current in gone:
            self.go_to(parent)

    def run_clock(self, now: float) -> None:
        """Start the clock of the side to move, if it should run."""
        if self.clock is None:
            return
        self.clock.pause(now)
        watched = self.is_human(self.turn) or bool(self.watchers)  # an engine thinks only while someone looks
        if self.outcome is None and len(self.tree.path(self.current)) >= FREE_MOVES and watched:
            self.clock.start(self.turn, now)

    # What pages and rows see.

    def state(self, now: float) -> GameState:
        busy = self.thinking is not None and not self.thinking.done()
        return GameState(
            id=self.id,
            revision=self.revision,
            variant=self.variant,
            created=self.created,
            updated=self.updated,
            title=self.title,
            white=self.seats["white"],
            black=self.seats["black"],
            clock=self.clock.state(now) if self.clock else None,
            start=self.start_board().fen(),
            current=self.current,
            position=position_of(self.board),
            thinking=self.turn if busy else None,
            failure=self.failure,
            outcome=self.outcome,
        )

    def whole(self, now: float) -> Game:
        """The state with the tree."""
        return Game(**dict(self.state(now)), tree=self.tree.nodes())

    def tree_change(self) -> TreeChange:
        """What has changed in the tree since the last call, for the watchers."""
        since, before = self.last_sent
        self.last_sent = self.revision, self.tree
        nodes, children = self.tree.changes(before)
        return TreeChange(since=since, nodes=nodes, children=children)

    def row(self) -> SavedGame:
        outcome = self.outcome
        names = {side: seat.name or self.headers.get(side.capitalize(), "") for side, seat in self.seats.items()}
        headers = [text for name, text in self.headers.items() if name != START_ENDING]
        words = " ".join([self.title, *names.values(), self.variant, games.info(self.variant).title, *headers])
        return SavedGame(
            id=self.id,
            revision=self.revision,
            variant=self.variant,
            fen=self.fen,
            title=self.title,
            headers=self.headers,
            white=self.seats["white"].model_dump(),
            black=self.seats["black"].model_dump(),
            clock=None if self.clock is None else self.clock.setting.model_dump() | dict(self.clock.seconds.items()),
            created=self.created.astimezone(UTC).replace(tzinfo=None),
            updated=self.updated.astimezone(UTC).replace(tzinfo=None),
            current=self.current,
            next_move=self.tree.next_id,
            plies=len(self.tree.path(self.current)),
            result=outcome.result if outcome else "*",
            reason=outcome.reason if outcome else "",
            last_fen=self.board.fen(),
            words=words.lower(),
        )

    def record(self) -> Record:
        """The game as PGN, PDN and SGF hold it."""
        is_standard = self.fen is None or self.fen == start_fen(self.variant)
        headers = {name: text for name, text in self.headers.items() if name != START_ENDING}
        for side, seat in self.seats.items():
            if seat.name:
                headers[side.capitalize()] = seat.name
        headers.setdefault("Date", self.created.strftime("%Y.%m.%d"))
        outcome = self.outcome
        if outcome:
            headers["Termination"] = outcome.reason
        record = Record(self.variant, None if is_standard else self.fen, headers, outcome.result if outcome else "*")
        self.tree.into(record)
        return record


START_ENDING = "DamierEnding"  # a header: how a game without a move ended


def game_of_rows(row: SavedGame, moves: list[SavedMove]) -> LiveGame:
    """The game in rows of the database, ready to be shown; a large one takes a while."""
    try:
        clock = None
        if row.clock is not None:
            setting = ClockSetting(seconds=row.clock["seconds"], increment=row.clock["increment"])
            clock = GameClock(setting, {"white": row.clock["white"], "black": row.clock["black"]})
        live = LiveGame(
            id=row.id,
            variant=row.variant,
            fen=row.fen,
            seats=_seats(row),
            created=row.created.replace(tzinfo=UTC),
            updated=row.updated.replace(tzinfo=UTC),
            title=row.title,
            headers=dict(row.headers),
            clock=clock,
            tree=MoveTree.grown(moves, games.board(row.variant, row.fen), row.next_move),
            current=row.current,
            revision=row.revision,
        )
        live.tree.nodes()  # which are kept
        return live
    except (DamierError, ValueError, TypeError, KeyError) as error:
        raise RefusedError("storage", f"game {row.id} is damaged ({' '.join(str(error).split())[:200]})") from None


def summary_of(row: SavedGame) -> GameSummary:
    """A game in a list."""
    return GameSummary(
        id=row.id,
        variant=row.variant,
        created=row.created.replace(tzinfo=UTC),
        updated=row.updated.replace(tzinfo=UTC),
        title=row.title,
        **_seats(row),
        plies=row.plies,
        result=row.result,
        reason=row.reason,
        fen=row.last_fen,
    )


def _seats(row: SavedGame) -> dict[Side, Seat]:
    return {"white": Seat.model_validate(row.white), "black": Seat.model_validate(row.black)}
