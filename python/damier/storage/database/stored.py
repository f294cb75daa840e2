"""Games as they come out of a database, from which boards and records are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from damier import games, records
from damier.arena.play.referee import PlayedGame, Turn
from damier.arena.play.scoresheet import written
from damier.storage.keep import Encounter, Entrant, EventInfo

__all__ = ["StoredGame"]


@dataclass(frozen=True)
class StoredGame:
    """A finished game: who played it in which event, from where, its moves, and what was said of them.

    `moves` are in the notation of the game, those of the opening included; `turns` are of the moves behind it.
    """

    event: EventInfo
    pair: str  # what its pair is known by in the event
    half: int  # 1 or 2
    round: str
    white: Entrant
    black: Entrant
    game: str
    fen: str | None
    moves: tuple[str, ...]
    turns: tuple[Turn, ...]
    result: str
    ending: str
    note: str = ""
    opening: str = ""

    @classmethod
    def of(cls, event: EventInfo, met: Encounter, half: int, played: PlayedGame) -> StoredGame:
        """A game of the arena."""
        start = games.board(event.game, played.opening.fen)
        board = start.copy()
        board.replay(np.array(played.codes, dtype=np.uint16))
        white, black = (met.first, met.second) if played.first_is_white else (met.second, met.first)
        return cls(
            event=event,
            pair=_plain(met.key),
            half=half,
            round=f"{_plain(met.round)}.{half}",
            white=Entrant(*map(_plain, white)),
            black=Entrant(*map(_plain, black)),
            game=event.game,
            fen=played.opening.fen,
            moves=tuple(games.line_of(start, board.moves)),
            turns=played.turns,
            result=played.result,
            ending=played.ending,
            note=_plain(played.note),
            opening=_plain(played.opening.name),
        )

    @property
    def opening_plies(self) -> int:
        return len(self.moves) - len(self.turns)

    def board(self) -> games.Board:
        """The board after the last move, with all moves before it."""
        board: Any = games.board(self.game, self.fen)
        for move in self.moves:
            board.play(move)
        return board  # type: ignore[no-any-return]

    def record(self) -> records.Game:
        """The game as people exchange it, with score, depth and time of each move in comments."""
        headers = {"Event": f"damier {self.event.kind}", "Date": self.event.started.strftime("%Y.%m.%d")}
        headers |= {"Round": self.round, "White": self.white.name, "Black": self.black.name}
        headers["Termination"] = self.note or self.ending
        return written(self.board(), headers, self.result, self.turns)


def _plain(text: str) -> str:
    """A text that every database takes: an engine that failed may have said anything."""
    return text.encode("utf-8", "replace").decode().replace("\0", "�")
