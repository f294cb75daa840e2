"""The tables that `damier ladder` measured, side by side: bench/ladder.py [--write FILE]."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from damier.engine.elo import OURS, EloTable, Rung, read_table
from page import print_page

ABOUT = """\
# Ladders

What each level is worth in each game, in Elo with 95 % intervals, as `Engine(elo=)` and `UCI_Elo` use it; the tables
are `python/damier/engine/ladder/*.json`, this page is `bench/ladder.py`. A level is measured against the two on either
side, more often where games are short; anchors against levels of about their strength. Openings are six random plies,
played with both colours. Level 10 had 600,000 nodes per move, four times level 9: with more time it is stronger than
shown. Intervals are those of the distance to what fixes the scale and grow with it; from one level to the next they are
narrower.

All levels play with the game's own evaluation, a network in these games. Chess is anchored to four strengths of
Stockfish 15.1 (`UCI_LimitStrength`), whose Elo its authors calibrated at 60 s and 0.6 s per move and anchored to the
CCRL 40/4 list. Here it plays at a fixed depth, deeper than the one at which it makes its weakened choice, so that
little is lost by the short time. Of 20 games each, level 8 took 15 points from Stockfish at 2050 and 3 from that at
2400, level 9 took 7.5 from the latter. Level 10 met no anchor, so its distance to level 9 comes from games between
levels: the ladder was stopped before Stockfish at 2400 met it, and a fifth anchor, 2600 at depth 17, was dropped after
5 pairs with level 6 since it took too long. The table of chess is as measured then, with its fifth network;
the seventh is 50 ± 18 Elo stronger at 3,000 nodes ([matches](nnue.md#matches)).
Elsewhere level 1 is 600 by definition. Ratings of different games cannot be compared, and those of programs say little
about people.
"""


def rows(files: list[Path]) -> Iterator[str]:
    tables = {file.stem: read_table(file) for file in files}
    yield ABOUT
    yield f"| | {' | '.join(tables)} |"
    yield "|---" * (len(tables) + 1) + "|"
    for level in range(10, 0, -1):
        cells = (shown(rung_of(table, level)) for table in tables.values())
        yield f"| level {level} | {' | '.join(cells)} |"
    yield f"| games | {' | '.join(str(json.loads(file.read_text())['games']) for file in files)} |"
    yield ""
    yield "| anchor | game | Elo | games |"
    yield "|---|---|---|---|"
    for name, table in tables.items():
        for rung in table.rungs:
            if rung.level is None:
                yield f"| `{rung.name}` | {name} | {shown(rung)} | {rung.games} |"


def rung_of(table: EloTable, level: int) -> Rung:
    return next(rung for rung in table.rungs if rung.level == level)


def shown(rung: Rung) -> str:
    return f"{rung.elo:.0f} ± {rung.error:.0f}" if rung.error else f"{rung.elo:.0f}, fixed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    print_page(rows([file for file in sorted(OURS.glob("*.json")) if file.stem != "general"]), asked.write)


if __name__ == "__main__":
    main()
