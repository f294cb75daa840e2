"""One game under a referee: clocks, rules, and what happens when a player fails."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from damier._core import Adjudicator, DamierError, Side, StopFlag
from damier.arena.play.book import Opening
from damier.arena.play.control import Control
from damier.board import Board, Move
from damier.engine import PlayerError
from damier.engine.arguments import check_range
from damier.players import Player
from damier.records import Entrant, GameRecord

__all__ = ["Adjudication", "play_game"]

LONGEST = 1000  # plies; a game still going is a draw by adjudication
LARGEST = 1_000_000  # of what decides when a game is ended: more than any score or game reaches


@dataclass(frozen=True)
class Adjudication:
    """When a game is adjudicated: lost if both players see one side `resign` hundredths of a man behind for
    `resign_moves` moves, drawn if both stay within `draw` for `draw_moves` moves from move `draw_from`; None: never.
    """

    resign: int | None = None
    resign_moves: int = 4
    draw: int | None = None
    draw_moves: int = 8
    draw_from: int = 40

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            least = 0 if name in ("draw", "draw_from") else 1
            if value is not None:
                check_range(name, value, least, LARGEST)

    def adjudicator(self) -> Adjudicator:
        """An object that follows a game and applies these rules.

        >>> adjudicator = Adjudication(resign=500, resign_moves=1).adjudicator()
        >>> adjudicator.after(Side.WHITE, 620, 11), adjudicator.after(Side.BLACK, -580, 12)
        (None, '1-0')
        """
        return Adjudicator(**vars(self))


def other(side: Side) -> Side:
    return Side.BLACK if side == Side.WHITE else Side.WHITE


def won_by(side: Side) -> str:
    return "1-0" if side == Side.WHITE else "0-1"


def play_game(
    game: str,
    opening: Opening,
    players: tuple[Player, Player],
    *,
    first_is_white: bool = True,
    control: Control | None = None,
    adjudication: Adjudication | None = None,
    seed: int = 0,
    stop: StopFlag | None = None,
) -> GameRecord | None:
    """Play a game from an opening, the first of two players with White or not; None if it was stopped halfway.

    >>> from damier.arena import openings
    >>> from damier.players import player
    >>> played = play_game("loa", openings("random:4", "loa")[0], (player("engine:depth=2"), player("random")), seed=1)
    >>> played.result, played.reason
    ('1-0', 'connection')
    """
    board = opening.board(game)
    white, black = players if first_is_white else players[::-1]
    running = _Game(
        board,
        {Side.WHITE: white, Side.BLACK: black},
        control or Control(),
        (adjudication or Adjudication()).adjudicator(),
        stop or StopFlag(),
    )
    try:
        running.begin(seed)
        ending = running.play()
    except _LostError as lost:
        ending = won_by(other(lost.side)), lost.ending, lost.note
    if running.stop.is_set() or ending is None:
        return None
    result, reason, note = ending
    plies, columns = len(board.moves), running.columns
    return GameRecord(
        game,
        opening.fen,
        tuple(board.codes().tolist()),
        plies,
        result,
        reason,
        Entrant(white.name),
        Entrant(black.name),
        tuple(columns.scores) if any(score is not None for score in columns.scores) else (),
        tuple(columns.depths),
        tuple(columns.nodes),
        tuple(s if s is None else round(s, 6) for s in columns.seconds),  # as every file keeps them
        note,
        opening.name,
        plies - len(columns.seconds),
        half=1 if first_is_white else 2,
        seed=seed,
    )


Ending = tuple[str, str, str]  # result, reason, note


class _LostError(Exception):
    """A side that cannot or may not continue."""

    def __init__(self, side: Side, ending: str, note: str) -> None:
        self.side, self.ending, self.note = side, ending, note


class _MoveScores:
    """What the players reported about their moves, and how long they took: a column each."""

    def __init__(self) -> None:
        self.scores: list[int | None] = []
        self.depths: list[int | None] = []
        self.nodes: list[int | None] = []
        self.seconds: list[float | None] = []

    def __len__(self) -> int:
        return len(self.seconds)


class _Game:
    """A board with two players at it."""

    def __init__(
        self, board: Board, players: dict[Side, Player], control: Control, adjudicator: Adjudicator, stop: StopFlag
    ) -> None:
        self.board, self.players, self.control, self.adjudicator, self.stop = board, players, control, adjudicator, stop
        self.clocks = control.clocks()
        self.columns = _MoveScores()

    def begin(self, seed: int) -> None:
        for number, (side, player) in enumerate(self.players.items()):
            try:
                player.new_game(self.board, 2 * seed + number, stop=self.stop)
            except PlayerError as error:
                raise _LostError(side, error.kind, f"{player.name}: {error.message}") from None

    def play(self) -> Ending | None:
        agreed = self._play_in_core() if not self.control.is_clock else None
        board = self.board
        while agreed is None and not self.stop.is_set():
            if outcome := board.outcome(claim_draw=True):
                return outcome.result, outcome.reason, ""
            if len(self.columns) >= LONGEST:
                return "1/2-1/2", "adjudication", ""
            side = board.turn
            self._move(side)
            if board.outcome(claim_draw=True):
                continue  # what the rules say comes before what the players think
            agreed = self.adjudicator.after(side, self.columns.scores[-1], board.ply)
        return None if agreed is None else (agreed, "agreement" if agreed == "1/2-1/2" else "resignation", "")

    def _play_in_core(self) -> str | None:
        """Play two engines without Python between moves; the result if they agreed on one, else the game is over."""
        pair = []
        for side in (self.board.turn, other(self.board.turn)):
            native = self.players[side].native(self.board, self.control.limit(self.clocks, side))
            if native is None:
                return None
            pair.append(native)
        (mine, limit), (rival, rival_limit) = pair
        if mine is rival:
            return None
        agreed, scores, depths, nodes, seconds = mine.play_on(
            self.board,
            rival,
            limit=limit,
            rival_limit=rival_limit,
            max_plies=LONGEST,
            adjudicator=self.adjudicator,
            stop=self.stop,
        )
        columns = self.columns
        columns.scores += scores
        columns.depths += depths
        columns.nodes += nodes
        columns.seconds += seconds
        return agreed

    def _move(self, side: Side) -> None:
        player = self.players[side]
        start = perf_counter()
        try:
            found = player.play(self.board, self.control.limit(self.clocks, side), stop=self.stop)
        except PlayerError as error:
            raise _LostError(side, error.kind, f"{player.name}: {error.message}") from None
        seconds = perf_counter() - start
        if self.control.is_clock and not self.clocks[side].spend(seconds):
            raise _LostError(side, "time", f"{player.name}: {-self.clocks[side].left:.3f} s too late")
        try:
            if not isinstance(found.move, Move):
                raise DamierError(f"{found.move!r} is not a move")
            self.board.push(found.move)
        except (DamierError, TypeError) as error:
            raise _LostError(side, "illegal move", f"{player.name}: {error}") from None
        self.columns.scores.append(found.score.value if found.has_score else None)
        self.columns.depths.append(found.depth)
        self.columns.nodes.append(found.nodes)
        self.columns.seconds.append(seconds)
