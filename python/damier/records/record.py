"""One game without variations: its start, moves, players, data about each move, how it ended, where it is from.

It is what the arena plays, what self-play and simulation store, a row of a database, and the main line of a PGN, PDN or
SGF file. Variations, glyphs and people's comments are in the tree, `damier.records.Game`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from damier import games, loa
from damier._core import WIN, Side
from damier.engine.score import Score
from damier.files import JsonObject
from damier.records.errors import RecordError
from damier.records.tree import Game, Node, named_rules, start_fen
from damier.records.writing import first_side

__all__ = ["Entrant", "GameRecord", "columns_of"]

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}  # White's
MOVE_COMMENT = re.compile(r"([+-]?\d+\.\d+|[+-]?#-?\d+|[+-]?M\d+)(?:/(\d+))?(?:\s+(\d+(?:\.\d+)?)\s?s)?(?![^\s,])")
Value = TypeVar("Value")
COLUMNS = ("scores", "depths", "nodes", "seconds")
MOST = 2**63 - 1  # of any of them but scores
SECONDS = re.compile(r"(\d+\.\d+)s")


class Entrant(NamedTuple):
    """A player of an event: the name it goes by, and the spec it is made from, if it is one of ours."""

    name: str = "?"
    spec: str = ""


UNKNOWN = Entrant()


@dataclass(frozen=True)
class GameRecord:
    """A game that was played: `moves` are codes as in `board.codes()`, `plies` the number of moves.

    `scores` (for the side that moved), `depths`, `nodes` and `seconds` have one value for each move after the opening,
    or are empty if nothing is known; None stands for an unknown value.

    >>> board = games.board("loa5")
    >>> _ = board.play("c1-c3")
    >>> record = GameRecord.from_board(board, white=Entrant("Anne"), scores=(12,))
    >>> record.plies, record.texts(), record.board().fen() == board.fen()
    (1, ['c1-c3'], True)
    """

    variant: str
    fen: str | None = None  # of the start, None for the standard one
    moves: tuple[int, ...] = ()
    plies: int = 0
    result: str = "*"
    reason: str = ""  # why it ended
    white: Entrant = UNKNOWN
    black: Entrant = UNKNOWN
    scores: tuple[int | None, ...] = ()
    depths: tuple[int | None, ...] = ()
    nodes: tuple[int | None, ...] = ()
    seconds: tuple[float | None, ...] = ()
    note: str = ""  # what a player that failed had to say
    opening: str = ""
    opening_plies: int = 0
    event: str = ""
    round: str = ""
    date: str = ""  # YYYY.MM.DD, with ? for what is not known
    run: str = ""  # the id of the run it was played in
    pair: str = ""  # what it is known by there; both games of an opening share it
    half: int = 1  # which of the two it is
    seed: int | None = None
    notation: str = field(default="", compare=False, repr=False)  # the moves as texts, where that is known already

    @classmethod
    def from_board(cls, board: games.Board, **about: Any) -> GameRecord:
        """The game played on a board; its result and reason unless they are given."""
        if "result" not in about and (outcome := board.outcome()):
            about = {"result": outcome.result, "reason": outcome.reason} | about
        variant, rules = named_rules(board) if isinstance(board, loa.Board) else (board.variant, {})
        if rules:
            raise RecordError(f"{board!r} has rules of its own, expected those of a variant")
        start = board.start_fen()
        fen = None if start == start_fen(variant) else start
        return cls(variant, fen, tuple(board.codes().tolist()), len(board.moves), **about)

    @classmethod
    def from_game(cls, game: Game) -> GameRecord:
        """The main line of a tree, with the scores, depths and times that engines left in its comments.

        >>> game = Game("chess", headers={"White": "Anne", "Round": "3"}, result="1-0")
        >>> _ = game.add("e4").remark("+0.35/12 0.21s")
        >>> record = GameRecord.from_game(game)
        >>> record.white.name, record.round, record.scores, record.depths, record.seconds
        ('Anne', '3', (35,), (12,), (0.21,))
        """
        if game.rules:
            raise RecordError(f"{game!r} has rules of its own, expected those of a variant")
        board = game.board()
        columns = []
        for node in game.mainline():
            board.push(node.played)
            columns.append(_move_comment(node.comment))
        scores, depths, seconds = (_known(column) for column in zip(*columns, strict=True)) if columns else ((), (), ())
        headers = game.headers
        return cls(
            game.variant,
            game.fen,
            tuple(board.codes().tolist()),
            len(columns),
            game.result,
            headers.get("Termination", ""),
            Entrant(headers.get("White", "?")),
            Entrant(headers.get("Black", "?")),
            scores=scores,
            depths=depths,
            seconds=seconds,
            opening=headers.get("Opening", ""),
            event=headers.get("Event", ""),
            round=headers.get("Round", ""),
            date=headers.get("Date", ""),
        )

    @property
    def white_points(self) -> float:
        """White's points; half a point without a winner.

        >>> GameRecord("loa", result="0-1").white_points
        0.0
        """
        return POINTS.get(self.result, 0.5)

    def board(self) -> games.Board:
        """The board after the last move, with all moves before it."""
        board = games.board(self.variant, self.fen)
        board.replay(np.array(self.moves, dtype=np.uint16))
        return board

    def states(self) -> npt.NDArray[np.uint64]:
        """Every position of the game, the first included, as rows of `board.planes()`."""
        return self.board().states()

    def texts(self) -> list[str]:
        """The moves in the notation of the game."""
        if self.notation:
            return self.notation.split()
        return games.line_of(games.board(self.variant, self.fen), self.board().moves)

    def with_notation(self) -> GameRecord:
        """The same with its moves as texts, so that it can be written without being replayed."""
        return self if self.notation or not self.moves else replace(self, notation=" ".join(self.texts()))

    def turns(self) -> list[tuple[int | None, int | None, int | None, float | None]]:
        """Score, depth, nodes and seconds of each move after the opening; nothing where none of them is known."""
        columns = self.scores, self.depths, self.nodes, self.seconds
        if not any(columns):
            return []
        length = max(map(len, columns))
        return list(zip(*(column or (None,) * length for column in columns), strict=True))

    def headers(self) -> dict[str, str]:
        """The headers of the game in PGN, PDN and SGF."""
        named = {"Event": self.event, "Date": self.date, "Round": self.round}
        named |= {"White": self.white.name, "Black": self.black.name, "Termination": self.note or self.reason}
        return {name: value for name, value in named.items() if value}

    def to_game(self) -> Game:
        """The game as a tree that variations and comments can be added to.

        >>> print(GameRecord("chess", None, (26380,), 1, scores=(35,), depths=(9,)).to_game().end().comment)
        +0.35/9
        """
        return self._tree(Game.from_board(self.board(), self.headers()))

    def sheet(self) -> Game:
        """The game for writing only: its moves are texts, and no board follows them."""
        sheet = _Sheet(self.variant, self.fen, self.headers())
        node = sheet.root
        for text in self.texts():
            node = node.add(text)  # type: ignore[arg-type]
        return self._tree(sheet)

    def _tree(self, game: Game) -> Game:
        game.result = self.result
        for node, comment in zip(_after(game, self.opening_plies), self._comments(), strict=False):
            node.comment = comment
        return game

    def _comments(self) -> Iterator[str]:
        """A comment for each move after the opening, as other programs write it too: score/depth and seconds."""
        for ply in range(max(map(len, (self.scores, self.depths, self.seconds)))):
            score, depth, seconds = _at(self.scores, ply), _at(self.depths, ply), _at(self.seconds, ply)
            words = []
            if score is not None:
                words.append(f"{Score(score)}/{depth}" if depth is not None else str(Score(score)))
            if seconds is not None:
                words.append(f"{seconds:.3f}s")
            yield " ".join(words)


class _Sheet(Game):
    """A tree whose moves are texts."""

    def walker(self) -> Any:
        return _Script(games.board(self.variant, self.fen))


class _Script:
    """Follows moves that are texts as a board follows moves; all it has to know is whose turn it is."""

    def __init__(self, start: games.Board) -> None:
        self.ply = 0
        self._sides = (Side.WHITE, Side.BLACK) if start.turn == Side.WHITE else (Side.BLACK, Side.WHITE)
        self._turns = 2 * start.move_number + (start.turn != first_side(start.variant))

    @property
    def turn(self) -> Side:
        return self._sides[self.ply % 2]

    @property
    def move_number(self) -> int:
        return int((self._turns + self.ply) // 2)

    def is_legal(self, move: str) -> bool:
        return True

    def text(self, move: str) -> str:
        return move

    def push(self, move: str) -> None:
        self.ply += 1

    def pop(self) -> None:
        self.ply -= 1


def _after(game: Game, plies: int) -> Iterator[Node]:
    nodes = game.mainline()
    for _ in range(plies):
        next(nodes, None)
    return nodes


def _known(column: tuple[Value, ...]) -> tuple[Value, ...]:
    return column if any(each is not None for each in column) else ()


def columns_of(turns: object) -> JsonObject:
    """The columns of a record from stored `turns`; impossible values raise TypeError.

    >>> columns_of([[12, 3, 40, 0.5], [None, 3, 50, 0.1]])["scores"], columns_of([])["nodes"]
    ((12, None), ())
    """
    if not isinstance(turns, list) or not all(isinstance(turn, list) and len(turn) == 4 for turn in turns):
        raise TypeError("turns are not a list of score, depth, nodes and seconds")
    columns = dict(zip(COLUMNS, zip(*turns, strict=True), strict=True)) if turns else dict.fromkeys(COLUMNS, ())
    for name, column in columns.items():
        kinds = (int, float) if name == "seconds" else (int,)
        if not all(value is None or type(value) in kinds for value in column):
            raise TypeError(f"the {name} of turns are not all numbers")
        least, most = (-WIN, WIN) if name == "scores" else (0, MOST)
        if wrong := [value for value in column if value is not None and not least <= value <= most]:
            raise TypeError(f"the {name} of turns hold {wrong[0]}")
    return {name: _known(column) for name, column in columns.items()}


def _at(column: Sequence[Value], ply: int) -> Value | None:
    return column[ply] if ply < len(column) else None


def _move_comment(comment: str) -> tuple[int | None, int | None, float | None]:
    """Score, depth and seconds of a comment, as match programs write them: `-0.35/12 0.210s`, `#3/9`, `+M5/20 1s`.

    >>> _move_comment("book"), _move_comment("-0.35/12 0.210s"), _move_comment("+M5/20 1s, White mates")
    ((None, None, None), (-35, 12, 0.21), (31995, 20, 1.0))
    >>> _move_comment("0.050s")
    (None, None, 0.05)
    """
    if found := MOVE_COMMENT.match(comment):
        score, depth, seconds = found.groups()
        return _score(score), int(depth) if depth else None, float(seconds) if seconds else None
    found = SECONDS.match(comment)
    return None, None, float(found[1]) if found else None


def _score(text: str) -> int:
    digits = re.sub(r"[^\d.]", "", text)
    sign = -1 if "-" in text else 1
    if "." in text:
        return max(-WIN, min(WIN, sign * round(100 * float(digits))))
    plies = int(digits) if "M" in text else 2 * int(digits) - (sign > 0)
    return sign * max(0, WIN - plies)
