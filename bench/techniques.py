"""What each technique of the search is worth: bench/techniques.py GAME... [--switches NAME...] [--nodes N].

The engine plays itself with one switch of the search turned over. Fixed nodes per move: the cost of a technique in time
is not seen, what it finds is. A positive figure says that the setting in use is the better one.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import damier
from damier import Engine, Limit
from damier.arena.match import Match
from damier.arena.stats.tally import Tally


def switched(game: str, switch: str) -> str:
    """The spec of an engine with the switch turned over, behind what it has in common with the usual one."""
    return f"set={switch}:{1 - Engine(game).options()[switch][0]}"


def matters(game: str, switch: str) -> bool:
    """Whether a search looks at other positions with the switch turned over: else it rests on a fact the game lacks."""
    nodes = set()
    for value in (0, 1):
        board = damier.board(game)
        with Engine(game, hash=2, options={switch: value}) as engine:
            looked = 0
            for _ in range(12):
                played = engine.play(board, Limit(depth=9))
                looked += played.info.nodes if played.info else 0
                board.push(played.move)
            nodes.add(looked)
    return len(nodes) > 1


def measure(game: str, switch: str, games: int, nodes: int) -> tuple[str, str, int, Tally]:
    """The engine as it is against itself with the switch turned over."""
    base = f"engine:nodes={nodes},hash=2"
    match = Match(game, base, f"{base},{switched(game, switch)}", games=games, openings="random:8")
    return game, switch, Engine(game).options()[switch][0], match.run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="+")
    parser.add_argument("--switches", nargs="+", help="all by default")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path, help="append each result as a line of JSON")
    chosen = parser.parse_args()
    switches = [name for name, (_, least, most, _) in Engine("chess").options().items() if (least, most) == (0, 1)]
    if unknown := set(chosen.switches or ()) - set(switches):
        parser.error(f"{', '.join(sorted(unknown))}: expected names from {', '.join(switches)}")
    tasks = [(game, switch) for switch in chosen.switches or switches for game in chosen.game if matters(game, switch)]
    with ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(measure, game, switch, chosen.games, chosen.nodes) for game, switch in tasks]
        for future in as_completed(running):
            game, switch, value, tally = future.result()
            elo = tally.pairs.elo()
            counts = f"+{tally.wins} ={tally.draws} -{tally.losses}"
            print(f"{game:14} {switch:24} {'on' if value else 'off':4} {elo}   {counts}", flush=True)
            if chosen.out:
                line = {
                    "game": game,
                    "switch": switch,
                    "on": value,
                    "elo": elo.value,
                    "error": elo.error,
                    "games": chosen.games,
                }
                with chosen.out.open("a") as file:
                    file.write(json.dumps(line) + "\n")
    print(f"{len(tasks)} measured, {chosen.nodes} nodes per move", file=sys.stderr)


if __name__ == "__main__":
    main()
