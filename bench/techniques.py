"""What each technique of the search is worth: bench/techniques.py GAME... [--games N] [--nodes N] [--out FILE].

The engine plays itself with one switch of the search turned over. Fixed nodes a move: the cost of a technique in time
is not seen, what it finds is. A positive figure says that the setting in use is the better one.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from damier import Engine
from match import Tally, match

USELESS = {  # switches that rest on a fact a game does not have
    "null_move": ("english", "international"),
    "exchange_pruning": ("loa", "english", "international"),
    "spare_forcing": ("loa", "english", "international"),
    "forcing_extension": ("loa",),
    "tactics_first": ("english", "international"),  # there captures are all or nothing
    "quiescence_tactics": ("english", "international"),
}


def measure(game: str, switch: str, pairs: int, nodes: int) -> tuple[str, str, int, Tally]:
    """The engine as it is against itself with the switch turned over."""
    value = Engine(game).options()[switch][0]
    base = f"engine:nodes={nodes},hash=2"
    return game, switch, value, match(game, base, f"{base},set={switch}:{1 - value}", pairs=pairs, plies=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="append each result as a line of JSON")
    chosen = parser.parse_args()
    switches = [name for name, (_, least, most, _) in Engine("chess").options().items() if (least, most) == (0, 1)]
    tasks = [(game, switch) for switch in switches for game in chosen.game if game not in USELESS.get(switch, ())]
    with ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(measure, game, switch, chosen.games // 2, chosen.nodes) for game, switch in tasks]
        for future in as_completed(running):
            game, switch, value, tally = future.result()
            elo, error = tally.elo()
            print(
                f"{game:14} {switch:24} {'on' if value else 'off':4} {elo:+5.0f} ± {error:3.0f}   {tally}", flush=True
            )
            if chosen.out:
                line = {"game": game, "switch": switch, "on": value, "elo": elo, "error": error, "games": chosen.games}
                with chosen.out.open("a") as file:
                    file.write(json.dumps(line) + "\n")
    print(f"{len(tasks)} measured, {chosen.nodes} nodes a move", file=sys.stderr)


if __name__ == "__main__":
    main()
