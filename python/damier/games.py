"""Every game and variant by name, for whoever learns only at run time what is played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from damier import chess, draughts, loa
from damier._core import DamierError

__all__ = ["GAMES", "Board", "GameInfo", "Move", "board", "info", "line_of"]

Board = loa.Board | chess.Board | draughts.Board
Move = loa.Move | chess.Move | draughts.Move


@dataclass(frozen=True)
class GameInfo:
    """A game or variant: the name commands take, its title, and the family whose rules it shares."""

    name: str
    title: str
    family: str


GAMES: dict[str, GameInfo] = {
    name: GameInfo(name, title, family)
    for family, variants in (("loa", loa.VARIANTS), ("chess", chess.VARIANTS), ("draughts", draughts.VARIANTS))
    for name, title in variants.items()
}


def info(name: str) -> GameInfo:
    """Look a game up by name; LOA sizes and rule sets combine freely.

    >>> info("international").family, info("loa6:olympiad").title
    ('draughts', 'Lines of Action, 6x6, Computer Olympiad rules')
    """
    if name in GAMES:
        return GAMES[name]
    size, _, rules = name.partition(":")
    if size in loa.VARIANTS and f"loa:{rules}" in loa.VARIANTS:
        rules_title = loa.VARIANTS[f"loa:{rules}"].partition(", ")[2]
        return GameInfo(name, f"{loa.VARIANTS[size]}, {rules_title}", "loa")
    shown = name if len(name) <= 40 else f"{name[:40]}..."
    raise DamierError(f"{shown!r} is no game, expected one of {', '.join(GAMES)}")


def board(name: str, fen: str | None = None) -> Board:
    """Set up a board of any game by its name.

    >>> board("rennes").fen()
    'W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12'
    """
    match info(name).family:
        case "loa":
            return loa.Board(fen, variant=name)
        case "chess":
            return chess.Board(fen, chess960=name == "chess960")
        case _:
            return draughts.Board(name, fen)


def line_of(board: Any, moves: Iterable[Any], write: Callable[[Any, Any], str] | None = None) -> list[str]:
    """Moves played one after the other, each as `write(board, move)` writes it; as the game does unless told otherwise.

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
