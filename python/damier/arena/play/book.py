"""Where the games of a match start: some random plies, the games of a PGN, PDN or SGF file, or lines of FEN or EPD."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from damier import chess, games, records
from damier._core import DamierError, FenError, MoveError
from damier.board import Board, Move
from damier.engine import Engine, Limit
from damier.files import lines_of, naming_file
from damier.records import RecordError
from damier.records.source import Lines, opened

__all__ = ["Book", "Opening", "Openings", "RandomOpenings", "openings"]

LINE_FORMATS = ("epd", "fen", "txt")
MOST_PLIES = 200
ATTEMPTS = 10  # of a hundred random games each, to find one that lasts long enough
BALANCED, JUDGE_NODES = 0.1, 2000  # how far from an even result the engine may expect it, after so many nodes
JUDGED = 50  # openings at most; then the most balanced of them is taken


@dataclass(frozen=True)
class Opening:
    """A start position (None: the standard one), the first moves as codes (`board.codes()`), and a name.

    >>> opening = Opening(None, (26380,), "king's pawn")
    >>> opening.board("chess").fen()
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """

    fen: str | None
    codes: tuple[int, ...]
    name: str

    def board(self, game: str) -> Board:
        """A new board after the opening, its moves included."""
        board = games.board(game, self.fen)
        board.replay(np.array(self.codes, dtype=np.uint16))
        return board


class Openings(Protocol):
    """An endless sequence of openings by number; `count` of them are different, None if that is unknown."""

    @property
    def count(self) -> int | None: ...

    def __getitem__(self, index: int) -> Opening: ...


def openings(text: str, game: str, seed: int = 0, *, shuffled: bool = True) -> Openings:
    """The openings that a text stands for: `random:PLIES`, `balanced:PLIES` for random ones in which neither side is
    clearly better, `FILE`, or `FILE:PLIES` for only the first plies.

    A file is PGN, PDN or SGF, or has one FEN or EPD per line (.epd, .fen, .txt); any may be compressed (.gz). It is
    used in a cycle, in an order decided by the seed.

    >>> openings("random:4", "loa", seed=7)[0].board("loa").ply
    4
    """
    games.info(game)  # an unknown game is said at once
    kind, _, plies = text.rpartition(":")
    if (name := kind or text) in ("random", "balanced"):
        some = RandomOpenings(game, _number(plies, text), seed, balanced=name == "balanced")
        some[1]  # too many plies are said before a match begins
        return some
    if kind and plies.isdecimal() and not Path(text).exists():
        return Book.read(Path(kind), game, seed, plies=_number(plies, text), shuffled=shuffled)
    return Book.read(Path(text), game, seed, shuffled=shuffled)


@dataclass(frozen=True)
class RandomOpenings:
    """Random first moves, after which the game is not over, with one more ply in every second opening.

    Each depends only on game, seed, start and index; `balanced` ones also on the engine, which expects a result between
    0.4 and 0.6 points after them. Chess960 begins with one of its 960 positions unless one is given.

    >>> some = RandomOpenings("international", 6, seed=1)
    >>> [len(some[index].codes) for index in range(3)], some[5] == some[5]
    ([6, 7, 6], True)
    """

    game: str
    plies: int
    seed: int = 0
    fen: str | None = None  # where they start, None for the standard start position
    balanced: bool = False
    count = None

    def __getitem__(self, index: int) -> Opening:
        if not self.balanced:
            return self._made(index, str(index))
        judge = Engine(self.game, hash=1)
        best, least = None, math.inf
        for attempt in range(JUDGED):
            opening = self._made(index, f"{index} balanced {attempt}")
            expected = judge.play(opening.board(self.game), Limit(nodes=JUDGE_NODES)).score.expectation()
            if (distance := abs(expected - 0.5)) < least:
                best, least = opening, distance
            if least <= BALANCED:
                break
            judge.clear()
        assert best is not None
        return best

    def _made(self, index: int, words: str) -> Opening:
        """An opening whose moves depend on some words."""
        for attempt in range(ATTEMPTS):
            name = f"{self.game} {self.seed} {words} {attempt}"
            seed = int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")
            fen = chess.start960(seed % 960) if self.game == "chess960" and self.fen is None else self.fen
            board: Board = games.board(self.game, fen)
            board.play_at_random(self.plies + index % 2, seed=seed)
            if not _is_over(board):
                return Opening(fen, tuple(board.codes().tolist()), f"random {index + 1}")
        raise DamierError(f"random games of {self.game} end before {self.plies} plies, expected openings to be shorter")


@dataclass(frozen=True)
class Book:
    """The openings of a file, used in a cycle; `skipped` counts those after which the game was over."""

    game: str
    openings: tuple[Opening, ...]
    skipped: int = 0

    @classmethod
    def read(cls, path: Path, game: str, seed: int = 0, *, plies: int | None = None, shuffled: bool = True) -> Book:
        """Read a file, all moves of each game or the first plies; the first error in it is raised.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "two.pgn"
        ...     _ = path.write_text("1. e4 e5 *\\n\\n1. f3 e5 2. g4 Qh4# 0-1\\n")
        ...     book = Book.read(path, "chess")
        >>> book.count, book.skipped, book[0].name
        (1, 1, 'two.pgn, game 1')
        """
        found = list(_read(path, game, plies))
        usable = [opening for opening in found if opening is not None]
        if not usable:
            over = "only games that are over" if found else "nothing"
            raise RecordError(f"{over}, expected at least one opening of {game}", name=path.name)
        if shuffled:
            random.Random(seed).shuffle(usable)
        return cls(game, tuple(usable), len(found) - len(usable))

    @property
    def count(self) -> int:
        return len(self.openings)

    def __getitem__(self, index: int) -> Opening:
        return self.openings[index % len(self.openings)]


def _read(path: Path, game: str, plies: int | None) -> Iterator[Opening | None]:
    """The openings of a file, None for each that ends the game."""
    suffixes = [suffix.lower()[1:] for suffix in path.suffixes]
    format = next((suffix for suffix in reversed(suffixes) if suffix != "gz"), "")
    if format in (*records.FORMATS, *LINE_FORMATS) and not path.exists():
        raise RecordError("No such file", name=str(path))
    if format in records.FORMATS:
        return _from_games(path, game, plies)
    if format in LINE_FORMATS:
        return _from_lines(path, game)
    known = ", ".join(f".{each}" for each in (*records.FORMATS, *LINE_FORMATS))
    kinds = f"random:PLIES, balanced:PLIES or a file whose name ends with {known}"
    raise DamierError(f"openings are {str(path)!r}, expected {kinds}")


def _from_games(path: Path, game: str, plies: int | None) -> Iterator[Opening | None]:
    for number, record in enumerate(records.read(path, variant=game), 1):
        if not _fits(record.variant, game):
            raise RecordError(f"game {number} is of {record.variant}, expected {game}", name=path.name)
        name = record.headers.get("Opening") or record.headers.get("ECO") or f"{path.name}, game {number}"
        moves = (node.played for node in islice(record.mainline(), plies))
        try:
            yield _opening(games.board(game, record.fen), record.fen, moves, name)
        except (FenError, MoveError) as error:
            raise RecordError(f"game {number}: {error}", name=path.name) from None


def _fits(variant: str, game: str) -> bool:
    """Whether first moves are the same in both: rule sets of Lines of Action differ only in how a game ends."""
    if games.info(variant).family == "loa":
        return variant.partition(":")[0] == game.partition(":")[0]
    return variant == game


def _from_lines(path: Path, game: str) -> Iterator[Opening | None]:
    with naming_file(path, RecordError), opened(path, "r") as stream:
        lines = Lines(lines_of(stream, RecordError), path.name)
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield _from_line(line.strip(), game, path.name, lines.number)
        if lines.damage:
            raise lines.damage


def _from_line(line: str, game: str, name: str, number: int) -> Opening | None:
    board: Board
    operations: dict[str, list[str]] = {}
    try:
        if games.info(game).family == "chess":
            board, operations = chess.Board.from_epd(line, chess960=game == "chess960")
        else:
            board = games.board(game, line)
    except DamierError as error:
        raise RecordError(str(error), name=name, line=number) from None
    return _opening(board, board.fen(), (), " ".join(operations.get("id", [f"{name}, line {number}"])))


def _opening(board: Board, fen: str | None, moves: Iterable[Move], name: str) -> Opening | None:
    """The opening made of these moves; None if the game is over after them."""
    for move in moves:
        if board.outcome():
            return None
        board.push(move)
    return None if _is_over(board) else Opening(fen, tuple(board.codes().tolist()), name)


def _is_over(board: Board) -> bool:
    return board.outcome(claim_draw=True) is not None


def _number(plies: str, text: str) -> int:
    if re.fullmatch(r"\d{1,3}", plies) and int(plies) <= MOST_PLIES:
        return int(plies)
    raise DamierError(f"openings are {text!r}, expected a number of plies from 0 to {MOST_PLIES} after ':'")
