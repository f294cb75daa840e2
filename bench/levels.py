"""Each level against the one below: bench/levels.py [--games loa,chess,...] [--write FILE]."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from damier.arena.match import Match
from damier.arena.stats.pairs import Z95
from damier.engine import LEVELS
from page import print_page

Seconds = 1  # per move at most; only level 10 takes that long


def rows(games: list[str], highest: int) -> Iterator[str]:
    yield "# Levels\n"
    yield "Each level against the one below, in points and a 95 % interval."
    yield "By `bench/levels.py`: random openings, both colours, 40 games, 20 from level 8 on.\n"
    yield f"| level | {' | '.join(games)} |"
    yield "|---" * (len(games) + 1) + "|"
    for level in range(2, highest + 1):
        cells = []
        for game in games:
            one, other = (f"engine:level={number},time={Seconds}" for number in (level, level - 1))
            count = 40 if level < 8 else 20 if level < 10 else 10
            pairs = Match(game, one, other, games=count, openings="random:4").run().pairs
            cells.append(f"{pairs.share:.0%} ± {Z95 * math.sqrt(pairs.variance / len(pairs)):.0%}")
        yield f"| {level} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", default="loa,chess,english,international")
    parser.add_argument("--highest", type=int, default=len(LEVELS), help="the last level to play")
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    print_page(rows(asked.games.split(","), asked.highest), asked.write)


if __name__ == "__main__":
    main()
