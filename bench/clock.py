"""How much of a clock the engine leaves unused: bench/clock.py GAME... [--tc 1+0.01] [--games N] [--set NAME:VALUE].

The engine plays itself; for each side of each game, what was left on its clock at the end, as a share of all the time
it was given. What a setting is worth is a match: damier match GAME engine engine:set=moves_expected:40 --tc 1+0.01.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from pathlib import Path

from damier.arena.match import Match
from damier.arena.play.control import Control


def unused(game: str, spec: str, control: Control, games: int) -> list[float]:
    """The share of its time that each side of each game had left."""
    assert control.base
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "match"
        Match(game, spec, spec, games=games, control=control, openings="random:8", out=out).run()
        pairs = [json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines()]
    found = []
    for played in (played for pair in pairs for played in pair["games"]):
        for turns in (played["turns"][::2], played["turns"][1::2]):
            given = control.base + control.increment * len(turns)
            found.append(1 - sum(turn[-1] for turn in turns) / given)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--set", default="")
    chosen = parser.parse_args()
    for game in chosen.game:
        spec = f"engine:set={chosen.set}" if chosen.set else "engine"
        shares = unused(game, spec, Control.read(chosen.tc), chosen.games)
        print(f"{game:14} unused {statistics.mean(shares):.0%}, at most {max(shares):.0%}, at least {min(shares):.0%}")


if __name__ == "__main__":
    main()
