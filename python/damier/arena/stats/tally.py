"""What a match has shown so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from damier.arena.play.referee import PlayedGame
from damier.arena.stats.pairs import Pairs
from damier.arena.stats.sprt import Sprt

__all__ = ["Tally"]


@dataclass
class Tally:
    """Results for the first player, pair by pair, and how the games ended.

    A pair that repeats an earlier one move for move, as exact players do who meet in one opening twice, proves nothing
    new: its games are counted, but not among the pairs.

    >>> Tally().report()["games"]
    0
    """

    pairs: Pairs = field(default_factory=Pairs)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    endings: Counter[str] = field(default_factory=Counter)
    plies: int = 0
    thinking: float = 0.0  # seconds
    repeats: int = 0  # pairs
    repeats_in_a_row: int = 0
    _seen: set[int] = field(default_factory=set, repr=False)

    def add(self, games: tuple[PlayedGame, PlayedGame]) -> None:
        """Count a pair."""
        moves = hash(tuple((game.opening.fen, game.codes) for game in games))
        if moves in self._seen:
            self.repeats += 1
            self.repeats_in_a_row += 1
        else:
            self._seen.add(moves)
            self.repeats_in_a_row = 0
            self.pairs += Pairs.of([games[0].points + games[1].points])
        for game in games:
            self.wins += game.points == 1
            self.draws += game.points == 0.5
            self.losses += game.points == 0
            self.endings[game.ending] += 1
            self.plies += len(game.turns)
            self.thinking += sum(turn.seconds for turn in game.turns)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def report(self, sprt: Sprt | None = None) -> dict[str, Any]:
        """Everything as plain values, for JSON."""
        elo, nelo = self.pairs.elo(), self.pairs.nelo()
        report: dict[str, Any] = {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": list(self.pairs.counts),
            "repeats": self.repeats,
            "share": self.pairs.share,
            "elo": elo.value,
            "elo_error": elo.error,
            "nelo": nelo.value,
            "nelo_error": nelo.error,
            "los": self.pairs.los(),
            "endings": dict(self.endings.most_common()),
        }
        if sprt:
            lower, upper = sprt.bounds
            report |= {"llr": sprt.llr(self.pairs), "lower": lower, "upper": upper, "verdict": sprt.verdict(self.pairs)}
        return report
