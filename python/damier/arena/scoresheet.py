"""Games of a match as records that people exchange, with what the players said of each move."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import numpy as np

from damier import games, records
from damier.arena.referee import PlayedGame, Turn
from damier.arena.store import Pair
from damier.engine import Score

__all__ = ["record", "write_records"]


def record(game: str, played: PlayedGame, first: str, second: str, round: str = "?") -> records.Game:
    """A record of a game; the comment of a move is score/depth and seconds, for the side that moved.

    >>> from damier.arena import openings
    >>> from damier.arena.referee import play_game
    >>> from damier.players import player
    >>> players = player("engine:depth=1"), player("random")
    >>> played = play_game("rennes", openings("random:2", "rennes")[0], players)
    >>> record("rennes", played, "engine", "random").headers["White"]
    'engine'
    """
    board = games.board(game, played.opening.fen)
    board.replay(np.array(played.codes, dtype=np.uint16))
    white, black = (first, second) if played.first_is_white else (second, first)
    headers = {"Event": "damier match", "Date": date.today().strftime("%Y.%m.%d"), "Round": round}
    headers |= {"White": white, "Black": black, "Termination": played.note or played.ending}
    sheet = records.Game.from_board(board, headers)
    sheet.result = played.result
    nodes = list(sheet.mainline())
    for node, turn in zip(nodes[len(played.opening.codes) :], played.turns, strict=True):
        node.comment = comment(turn)
    return sheet


def comment(turn: Turn) -> str:
    """What a player said of its move, as other programs write it too.

    >>> comment(Turn(-35, 12, 1000, 0.21))
    '-0.35/12 0.210s'
    """
    said = "" if turn.score is None else f"{Score(turn.score)}/{turn.depth} "
    return f"{said}{turn.seconds:.3f}s"


def write_records(folder: Path, game: str, pairs: Iterable[tuple[int, Pair]], first: str, second: str) -> Path:
    """Write the games of a match beside its other files, in the format of the game; return where."""
    path = folder / f"games.{records.FORMAT_OF[games.info(game).family]}"
    sheets = (
        record(game, played, first, second, f"{number + 1}.{which}")
        for number, pair in sorted(pairs, key=lambda numbered: numbered[0])
        for which, played in enumerate(pair, 1)
    )
    records.write(sheets, path)
    return path
