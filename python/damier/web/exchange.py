"""Import and export of games as text."""

from __future__ import annotations

import asyncio
from datetime import datetime
from itertools import islice

from damier import games, records
from damier._core import DamierError
from damier.records import Game as Record
from damier.records import RecordError
from damier.web.errors import RefusedError
from damier.web.games import OpenGames
from damier.web.live import LiveGame, new_id, summary_of
from damier.web.messages import ImportBody, Imported
from damier.web.reasons import bad_record
from damier.web.state import HumanOpponent, Seat, Side
from damier.web.tree import START, MoveTree

__all__ = ["read_games", "variants_of", "written"]

MOST_ERRORS = 20


def variants_of(name: str | None) -> list[str] | None:
    """The variants that a name stands for: one, or those of a family.

    >>> variants_of("chess"), variants_of(None)
    (['chess', 'chess960'], None)
    """
    if name is None:
        return None
    family = [variant for variant, info in games.GAMES.items() if info.family == name]
    if name not in games.GAMES and not family:
        raise RefusedError("unknown_variant", f"{name!r} is not a game or a family of games")
    return family or [name]


async def read_games(open_games: OpenGames, body: ImportBody) -> Imported:
    """Read and save games, one text at a time; broken ones are reported and left out."""
    async with open_games.importing:
        return await _read_games(open_games, body)


async def _read_games(open_games: OpenGames, body: ImportBody) -> Imported:
    errors: list[RecordError] = []
    refusals: list[RefusedError] = []
    most = open_games.config.import_games
    format = body.format or records.guess_format(body.text)

    def read() -> list[Record]:
        return list(islice(records.parse(body.text, format, variant=body.variant, on_error=errors.append), most + 1))

    try:
        found = await asyncio.to_thread(read)
    except RecordError as error:
        raise bad_record(error) from None
    except DamierError as error:
        raise bad_record(RecordError(str(error))) from None
    summaries = []
    for record in found[:most]:
        try:
            live = await asyncio.to_thread(_live, record, open_games)
        except RefusedError as refusal:
            refusals.append(refusal)
            continue
        row, moves = live.row(), list(live.tree.moves.values())
        await open_games.stored(lambda row=row, moves=moves: open_games.saved.add(row, moves))  # type: ignore[misc]
        summaries.append(summary_of(row))
    refusals += [bad_record(error) for error in errors[:MOST_ERRORS]]
    if not summaries:
        raise refusals[0] if refusals else RefusedError("bad_record", "there is no game in this text", detail="no_game")
    return Imported(
        games=summaries, errors=[refusal.failure for refusal in refusals[:MOST_ERRORS]], more=len(found) > most
    )


def _live(record: Record, open_games: OpenGames) -> LiveGame:
    """A game that was read, at the end of its main line."""
    if record.rules:
        raise bad_record(RecordError(f"{record!r} has rules of its own, expected those of a variant"))
    if record.variant not in games.GAMES:
        raise bad_record(RecordError(f"{record.variant!r} cannot be played in the browser"))
    now: datetime = open_games.config.clock.date()
    human = HumanOpponent(kind="human")
    seats: dict[Side, Seat] = {
        "white": Seat(opponent=human, name=record.headers.get("White", "")[:100]),
        "black": Seat(opponent=human, name=record.headers.get("Black", "")[:100]),
    }
    event, date = record.headers.get("Event", ""), record.headers.get("Date", "")
    tree = MoveTree.of_record(record, open_games.config.nodes)
    live = LiveGame(
        id=new_id(),
        variant=record.variant,
        fen=record.fen,
        seats=seats,
        created=now,
        updated=now,
        title=" ".join(filter(None, (event, date)))[:200],
        headers={name: text[:500] for name, text in list(record.headers.items())[:50]},
        tree=tree,
        current=tree.main_line()[-1] if tree.children[START] else START,
    )
    if live.outcome is None and record.result in ("1-0", "0-1", "1/2-1/2"):
        winner: Side | None = {"1-0": "white", "0-1": "black"}.get(record.result)  # type: ignore[assignment]
        live.end(winner, record.headers.get("Termination", "")[:100] or "unknown")
    return live


def written(record: Record, format: str | None) -> tuple[str, str]:
    """A game as text, with its format."""
    expected = games.info(record.variant).record_format
    if format is not None and format != expected:
        raise RefusedError("bad_record", f"{record.variant} is recorded as {expected}, not as {format}")
    try:
        return expected, records.text(record, expected)
    except RecordError as error:
        raise RefusedError("bad_record", str(error)) from None
