"""What a cluster costs and gains: bench/cluster.py [--pairs N] [--write FILE].

The nodes are started on this machine and share its cores with whatever else runs there.
"""

from __future__ import annotations

import argparse
import os
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from damier import jobs
from damier.arena.match import Match
from damier.arena.play.book import openings
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication
from damier.arena.play.runner import GameRunner, Work
from damier.jobs.pace import SECONDS_THERE
from page import print_page

GAME, FIRST, SECOND = "loa", "engine:nodes=10000", "engine:nodes=5000"
ROUNDS = 4
EMPTY_PIECES = 500
PAIRS = (0, 1, 10, 100)  # in a piece: of 20 s each, of 2 s, of 0.2 s
CORES = 16  # of each machine on paper


@dataclass
class Nothing:
    """A piece that costs nothing but its way there and the result's way back."""

    result: list[Any]

    def __call__(self, piece: tuple[int, ...], stop: Any) -> list[Any]:
        return self.result


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """Nodes of one core, and a head that only directs."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    small = {"object_store_memory": 2**27}
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **small})
    try:
        for _ in range(workers):
            nodes.add_node(num_cpus=1, **small)
        yield nodes.address
    finally:
        nodes.shutdown()


def games_per_second(games: int, **where: Any) -> float:
    """Of a match, from the first pair to the last, so that the start of the machines is left out."""
    seen: list[tuple[float, int]] = []
    match = Match(GAME, FIRST, SECOND, games=games, **where)
    match.run(lambda tally: seen.append((time.monotonic(), tally.games)))
    (begin, before), (end, after) = seen[1], seen[-1]
    return (after - before) / (end - begin)


class Cost(NamedTuple):
    """Of an empty piece: how long a core waits for the next one, and how long this process is busy with it."""

    waiting_ms: float
    busy_ms: float

    def __str__(self) -> str:
        return f"{self.waiting_ms:.1f} ms | {self.busy_ms:.1f} ms"


def cost_per_piece(address: str, workers: int, result: list[Any]) -> Cost:
    """Measured over many, the first of which wait for the machines to start."""
    clocks = [
        (time.monotonic(), time.process_time())
        for _ in jobs.run(Nothing(result), ((number,) for number in range(EMPTY_PIECES)), cluster=address)
    ][EMPTY_PIECES // 10 :]
    wall, busy = (end - begin for begin, end in zip(clocks[0], clocks[-1], strict=True))
    return Cost(1e3 * wall * workers / (len(clocks) - 1), 1e3 * busy / (len(clocks) - 1))


def played_pair() -> list[Any]:
    """What comes back when one pair is played."""
    runner = GameRunner(GAME, openings("random:6", GAME), Control(), Adjudication())
    return next(iter(jobs.run(runner, [(Work(0, (FIRST, SECOND), opening=0, seed=0),)])))


def speeds(pairs: int, one: str, two: str) -> Iterator[str]:
    """The best of some rounds in each place, taken in turns since other work disturbs them."""
    places: dict[str, dict[str, Any]] = {
        "1 thread here": {"concurrency": 1},
        "2 threads here": {"concurrency": 2},
        "1 node": {"cluster": one},
        "2 nodes": {"cluster": two},
    }
    rounds = [[games_per_second(2 * pairs, **where) for where in places.values()] for _ in range(ROUNDS)]
    yield "| where | games/s |"
    yield "|---|---|"
    for place, *rates in zip(places, *rounds, strict=True):
        yield f"| {place} | {max(rates):.1f} |"


def rows(pairs: int) -> Iterator[str]:
    yield "# Cluster\n"
    yield f"By `bench/cluster.py`: {GAME}, {FIRST} against {SECOND}, {2 * pairs} games, the best of {ROUNDS} matches."
    yield "Nodes have one core each and share a two-core machine, whose load was"
    yield f"{os.getloadavg()[0]:.1f} before: other work takes its share of what is measured.\n"
    pair = pickle.dumps(played_pair())
    many = [copy for _ in range(max(PAIRS)) for copy in pickle.loads(pair)]
    with cluster(1) as one, cluster(2) as two:
        yield from speeds(pairs, one, two)
        costs = {number: cost_per_piece(two, 2, many[:number]) for number in PAIRS}
    yield "\nWhat a piece costs besides its games:\n"
    yield "| pairs in it | size | a core waits | the driver is busy |"
    yield "|---|---|---|---|"
    for number, cost in costs.items():
        yield f"| {number} | {len(pickle.dumps(many[:number])) / 1000:.1f} kB | {cost} |"
    del costs[0], costs[1]
    yield from on_paper(costs)


def on_paper(costs: dict[int, Cost]) -> Iterator[str]:
    """How far one driver reaches, if its time is all that machines share."""
    yield f"\nOn paper, machines of {CORES} cores against one, pieces of {SECONDS_THERE:g} s:\n"
    yield "| machines | " + " | ".join(f"{number} pairs per piece | driver busy" for number in costs) + " |"
    yield "|---" * (1 + 2 * len(costs)) + "|"
    for machines in (1, 2, 10, 100, 1000):
        cells = []
        for cost in costs.values():
            share = SECONDS_THERE / (SECONDS_THERE + cost.waiting_ms / 1e3)  # of its time that a core plays
            busy = machines * CORES * share / SECONDS_THERE * cost.busy_ms / 1e3
            cells += [f"{machines * share / max(busy, 1):.1f}", f"{min(busy, 1):.0%}"]
        yield f"| {machines} | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=30)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    print_page(rows(asked.pairs), asked.write)


if __name__ == "__main__":
    main()
