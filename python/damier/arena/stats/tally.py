"""The result of a match so far."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from damier.arena.stats.pairs import Pairs
from damier.arena.stats.sprt import Sprt
from damier.files import JsonObject
from damier.storage.pairs import Pair

__all__ = ["Tally", "points_of"]


def points_of(pair: Pair) -> tuple[float, float]:
    """The points of the first player in both games of a pair; it had White in the first of them."""
    return pair[0].white_points, 1 - pair[1].white_points


@dataclass
class Tally:
    """Results for the first player, pair by pair, and how the games ended.

    A pair that repeats an earlier one move for move, as deterministic players do when they get an opening twice, proves
    nothing new: its games are counted, but not among the pairs.

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

    def add(self, pair: Pair) -> None:
        """Count a pair."""
        both = points_of(pair)
        moves = hash(tuple((game.fen, game.moves) for game in pair))
        if moves in self._seen:
            self.repeats += 1
            self.repeats_in_a_row += 1
        else:
            self._seen.add(moves)
            self.repeats_in_a_row = 0
            self.pairs += Pairs.of([sum(both)])
        for game, points in zip(pair, both, strict=True):
            self.wins += points == 1
            self.draws += points == 0.5
            self.losses += points == 0
            self.endings[game.reason] += 1
            self.plies += game.plies - game.opening_plies
            self.thinking += sum(seconds or 0 for seconds in game.seconds)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    def report(self, sprt: Sprt | None = None) -> JsonObject:
        """Everything as plain values, for JSON."""
        report: dict[str, object] = {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "pairs": list(self.pairs.counts),
            "repeats": self.repeats,
            "share": self.pairs.share,
            **self.pairs.elo().report("elo"),
            **self.pairs.nelo().report("nelo"),
            "los": self.pairs.los(),
            "endings": dict(self.endings.most_common()),
        }
        if sprt:
            lower, upper = sprt.bounds
            report |= {"llr": sprt.llr(self.pairs), "lower": lower, "upper": upper, "verdict": sprt.verdict(self.pairs)}
        return report
