"""Games as rows, and rows as games; a damaged row is reported in one line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from damier import games
from damier._core import DamierError
from damier.drawing.readable import readable
from damier.records import RESULTS, Entrant, GameRecord
from damier.records.record import columns_of
from damier.storage.database.connect import DatabaseError
from damier.storage.run import RunInfo

__all__ = ["info_of", "record_of", "row_of", "storable"]


def row_of(game: GameRecord) -> dict[str, object]:
    """The columns of a game, except those that name rows of other tables."""
    return {
        "pair": storable(game.pair),
        "half": game.half,
        "round": storable(game.round),
        "game": game.variant,
        "fen": game.fen,
        "opening": storable(game.opening),
        "opening_plies": game.opening_plies,
        "result": game.result,
        "ending": storable(game.reason),
        "note": storable(game.note),
        "plies": game.plies,
        "moves": " ".join(game.texts()),
        "turns": [list(turn) for turn in game.turns()],
    }


def record_of(row: Any, run: RunInfo, name: str) -> GameRecord:
    """The game of a row, with its moves replayed."""
    try:
        return _record(row, run)
    except (DamierError, ValueError, TypeError, AttributeError, KeyError) as error:
        words = readable(str(error))[:200]
        raise DatabaseError(f"{name}: game {row.id} is damaged ({words})") from None


def _record(row: Any, run: RunInfo) -> GameRecord:
    for name in ("game", "fen", "moves"):
        if not isinstance(getattr(row, name), str) and (name != "fen" or row.fen is not None):
            raise TypeError(f"its {name} is not a text")
    board = games.board(row.game, row.fen)
    for text in row.moves.split():
        board.play(text)
    texts = row.ending, row.note, row.opening, row.round, row.pair, row.white_name, row.black_name
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("a number or bytes where a text should be")
    if row.result not in RESULTS:
        raise ValueError(f"the result is {row.result!r}")
    if row.plies != board.ply or type(row.half) is not int:
        raise ValueError(f"{row.plies!r} plies, half {row.half!r}")
    if not 0 <= row.opening_plies <= board.ply:
        raise ValueError(f"the opening has {row.opening_plies} plies")
    columns = columns_of(row.turns)
    if row.turns and len(row.turns) != board.ply - row.opening_plies:
        raise ValueError("the turns are not those of its moves")
    return GameRecord(
        row.game,
        row.fen,
        tuple(board.codes().tolist()),
        board.ply,
        row.result,
        row.ending,
        Entrant(row.white_name, row.white_spec),
        Entrant(row.black_name, row.black_spec),
        note=row.note,
        opening=row.opening,
        opening_plies=row.opening_plies,
        event=f"damier {run.kind}",
        round=row.round,
        date=run.started.strftime("%Y.%m.%d"),
        run=run.run,
        pair=row.pair,
        half=row.half,
        notation=row.moves,
        **columns,
    )


def info_of(row: Any, name: str) -> RunInfo:
    """The run of a row."""
    texts = all(isinstance(text, str) for text in (row.run, row.kind, row.game))
    if not texts or not isinstance(row.settings, Mapping) or not isinstance(row.started, datetime):
        raise DatabaseError(f"{name}: event {row.id} is damaged")
    return RunInfo(row.run, row.kind, row.game, row.settings, row.started.replace(tzinfo=UTC))


def storable(text: str) -> str:
    """A text that every database accepts: a failed engine may have sent anything."""
    return text.encode("utf-8", "replace").decode().replace("\0", "�")
