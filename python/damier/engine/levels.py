"""Weaker play that still looks natural: fewer nodes, and a choice among the good lines instead of the best one.

A weak level sees little and is unsure of what it sees, as people are; it does not play at random. Its Elo depends on
the game and was measured with the game's own evaluation: see `elo.py`.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from damier._core import DamierError, Limit
from damier.engine.elo import EloTable
from damier.engine.result import SearchResult

__all__ = ["LEVELS", "Strength", "chosen", "strength_for_elo", "strength_for_level"]


@dataclass(frozen=True)
class Strength:
    """How much a level sees (nodes, and plies where it sees little), and how far it may stray from its best line.

    The temperature is in hundredths of a man: a line worse by that much is chosen about a third as often.
    """

    level: int
    nodes: int | None
    temperature: float
    lines: int = 4
    depth: int | None = None

    @property
    def is_full(self) -> bool:
        return self.nodes is None

    def limit(self, given: Limit) -> Limit:
        """The given limit, with no more nodes and plies than the level has."""
        nodes, depth = _least(given.nodes, self.nodes), _least(given.depth, self.depth)
        return given.replace(nodes=nodes, depth=depth, infinite=False)


def _least(*values: int | None) -> int | None:
    return min((value for value in values if value is not None), default=None)


LEVELS: dict[int, Strength] = {
    strength.level: strength
    for strength in (
        Strength(1, 20_000, 250.0, 12, depth=1),
        Strength(2, 20_000, 110.0, 8, depth=1),
        Strength(3, 20_000, 75.0, 6, depth=2),
        Strength(4, 20_000, 50.0, 5, depth=3),
        Strength(5, 1_500, 32.0),
        Strength(6, 4_000, 20.0),
        Strength(7, 12_000, 12.0, 3),
        Strength(8, 40_000, 6.0, 3),
        Strength(9, 150_000, 2.0, 2),
        Strength(10, None, 0.0, 1),
    )
}


def strength_for_level(level: int) -> Strength:
    """Look a level up.

    >>> strength_for_level(3).depth
    2
    """
    if level not in list(LEVELS):  # it may be anything
        raise DamierError(f"level is {level!r}, expected 1 to {len(LEVELS)}")
    return LEVELS[level]


def strength_for_elo(elo: int, table: EloTable) -> Strength:
    """Find what plays at a rating, between the levels of a game.

    >>> from damier.engine.elo import elo_table
    >>> table = elo_table("loa")
    >>> between = (table.elos[4] + table.elos[5]) // 2
    >>> LEVELS[5].nodes < strength_for_elo(between, table).nodes < LEVELS[6].nodes
    True
    """
    level, share = table.below(elo)
    below, above = LEVELS[level], LEVELS.get(level + 1)
    if above is None or below.nodes is None:
        return below
    most_nodes = above.nodes or 4 * below.nodes
    nodes = below.nodes if below.depth else round(below.nodes ** (1 - share) * most_nodes**share)
    temperature = below.temperature * (1 - share) + above.temperature * share
    return replace(below, nodes=nodes, temperature=temperature)


def chosen(lines: Sequence[SearchResult], strength: Strength, random_: random.Random) -> SearchResult:
    """Choose among lines, better ones more often; a proven win is taken and a proven loss avoided."""
    best = lines[0]
    if best.score.is_sure or strength.temperature <= 0:
        return best
    # A search cut off in mid-iteration has seen some lines a ply less deep.
    fair = [line for line in lines if line.depth >= best.depth - 1 and line.pv and not line.score.is_sure]
    weights = [math.exp((line.score.value - best.score.value) / strength.temperature) for line in fair]
    return random_.choices(fair, weights)[0] if fair else best
