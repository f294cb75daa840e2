"""Games of the arena as records that people exchange, with what the players said of each move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from damier import games, records
from damier.arena.play.referee import PlayedGame, Turn
from damier.engine import Score
from damier.storage.store import Pair

__all__ = ["record", "sheets", "write_records", "written"]


def record(
    game: str,
    played: PlayedGame,
    first: str,
    second: str,
    round: str = "?",
    *,
    event: str = "damier match",
    started: datetime | None = None,
) -> records.Game:
    """A record of a game, dated by the start of its event; the comment of a move is score/depth and seconds, for the
    side that moved.

    >>> from damier.arena import openings
    >>> from damier.arena.play.referee import play_game
    >>> from damier.players import player
    >>> players = player("engine:depth=1"), player("random")
    >>> played = play_game("rennes", openings("random:2", "rennes")[0], players)
    >>> record("rennes", played, "engine", "random").headers["White"]
    'engine'
    """
    board = games.board(game, played.opening.fen)
    board.replay(np.array(played.codes, dtype=np.uint16))
    white, black = (first, second) if played.first_is_white else (second, first)
    headers = {"Event": event, "Date": (started or datetime.now(UTC)).strftime("%Y.%m.%d"), "Round": round}
    headers |= {"White": white, "Black": black, "Termination": played.note or played.ending}
    return written(board, headers, played.result, played.turns)


def written(board: games.Board, headers: Mapping[str, str], result: str, turns: Sequence[Turn]) -> records.Game:
    """The record of what was played on a board, with what was said of the last moves."""
    sheet = records.Game.from_board(board, headers)
    sheet.result = result
    nodes = list(sheet.mainline())
    for node, turn in zip(nodes[len(nodes) - len(turns) :], turns, strict=True):
        node.comment = comment(turn)
    return sheet


def comment(turn: Turn) -> str:
    """What a player said of its move, as other programs write it too.

    >>> comment(Turn(-35, 12, 1000, 0.21))
    '-0.35/12 0.210s'
    """
    said = "" if turn.score is None else f"{Score(turn.score)}/{turn.depth} "
    return f"{said}{turn.seconds:.3f}s"


def sheets(
    game: str, pair: Pair, first: str, second: str, round: str, *, event: str = "damier match", started: datetime
) -> Iterator[records.Game]:
    """The records of a pair, its games numbered behind the round: 5.1 and 5.2."""
    for which, played in enumerate(pair, 1):
        yield record(game, played, first, second, f"{round}.{which}", event=event, started=started)


def write_records(folder: Path, game: str, games_: Iterable[records.Game]) -> Path:
    """Write games beside the other files of a match, in the format of the game; return where."""
    path = folder / f"games.{games.info(game).record_format}"
    records.write(games_, path)
    return path
