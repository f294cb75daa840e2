"""Every game and variant by name, for code that learns the game only at run time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path
from random import Random
from typing import TypeVar

from damier import _core, chess, draughts, loa
from damier._core import DamierError, VariantInfo
from damier.board import Board, Move

__all__ = [
    "GAMES",
    "Board",
    "Move",
    "VariantInfo",
    "board",
    "classic_or_own",
    "has_random_start",
    "info",
    "line_of",
    "load_games",
    "new_board",
]

SomeBoard = TypeVar("SomeBoard", bound=Board)

FACES: dict[str, type[Board]] = {"loa": loa.Board, "chess": chess.Board, "draughts": draughts.Board}

GAMES: dict[str, VariantInfo] = {info.name: info for info in _core.variants() if info.listed}


def info(name: str) -> VariantInfo:
    """Look a game up by name; LOA sizes and rule sets combine freely.

    >>> info("international").family, info("loa6:olympiad").title
    ('draughts', 'Lines of Action, 6x6, Computer Olympiad rules')
    """
    if not isinstance(name, str):
        raise DamierError(f"game is {name!r}, expected a name from `damier games`")
    if name in GAMES:
        return GAMES[name]
    return _core.variant(name)


def board(name: str, fen: str | None = None) -> Board:
    """Set up a board of any game by its name.

    >>> board("rennes").fen()
    'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12'
    """
    return FACES.get(info(name).family, Board)(fen, variant=name)


def new_board(name: str, random: Random) -> Board:
    """A board for a new game: the standard start position, or a random one if the game is played that way.

    >>> new_board("chess960", Random(2)).fen()
    'brqkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BRQKRNNB w KQkq - 0 1'
    """
    return board(name, chess.start960(random.randrange(960)) if has_random_start(name) else None)


def has_random_start(name: str) -> bool:
    """Whether the start position of a game is random.

    >>> has_random_start("chess960"), has_random_start("chess")
    (True, False)
    """
    return name == "chess960"


def classic_or_own(board: Board) -> str:
    """The hand-written evaluation, whose terms can be read, or else the engine's default.

    >>> classic_or_own(loa.Board())
    'classic'
    """
    names = board.evaluations()
    return "classic" if "classic" in names else names[0]


def load_games(path: str | PathLike[str]) -> list[str]:
    """Add the games of a shared library and return their names; CONTRIBUTING.md says how to make one."""
    before = {each.name for each in _core.variants()}
    _core.load_games(str(Path(path).resolve()))
    added = {each.name: each for each in _core.variants() if each.name not in before}
    GAMES.update({name: each for name, each in added.items() if each.listed})
    return list(added)


def line_of(
    board: SomeBoard, moves: Iterable[Move], write: Callable[[SomeBoard, Move], str] | None = None
) -> list[str]:
    """Moves played one after the other, each as `write(board, move)` writes it; by default as the game does.

    >>> start = chess.Board()
    >>> line_of(start, [start.parse("e4")]), line_of(start, [start.parse("e4")], chess.Board.uci)
    (['e4'], ['e2e4'])
    """
    walker = board.copy()
    words = []
    for move in moves:
        words.append(write(walker, move) if write else walker.text(move))
        walker.push(move)
    return words
