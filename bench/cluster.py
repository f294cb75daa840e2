"""What a cluster costs and gains: bench/cluster.py [--pairs N] [--write FILE]. Starts nodes of its own on this machine."""

from __future__ import annotations

import argparse
import math
import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damier import jobs
from damier.arena.book import openings
from damier.arena.control import Control
from damier.arena.match import SECONDS_A_PIECE, Match, _Play
from damier.arena.referee import Adjudication

GAME, FIRST, SECOND = "loa", "engine:nodes=2000", "engine:nodes=1000"
EMPTY_PIECES = 2000
CORES = 16  # of each machine on paper


@dataclass
class Nothing:
    """A piece that costs nothing but its way there and the result's way back."""

    result: bytes

    def __call__(self, piece: tuple[int, ...], stop: Any) -> bytes:
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
    told: list[tuple[float, int]] = []
    match = Match(GAME, FIRST, SECOND, games=games, **where)
    match.run(lambda tally: told.append((time.monotonic(), tally.games)))
    (begin, before), (end, after) = told[1], told[-1]
    return (after - before) / (end - begin)


def seconds_a_piece(address: str, result: bytes) -> float:
    """Of this process's time, with pieces that cost the machines nothing."""
    arrivals = [time.monotonic() for _ in jobs.run(Nothing(result), ((n,) for n in range(EMPTY_PIECES)), cluster=address)]
    return (arrivals[-1] - arrivals[EMPTY_PIECES // 10]) / (EMPTY_PIECES - 1 - EMPTY_PIECES // 10)


def played_pair() -> bytes:
    """What a pair of games weighs on its way back."""
    work = _Play(GAME, (FIRST, SECOND), openings("random:6", GAME), Control(), Adjudication(), 0)
    return pickle.dumps(next(iter(jobs.run(work, [(0,)]))))


def rows(pairs: int) -> Iterator[str]:
    yield "# Cluster\n"
    yield f"By `bench/cluster.py`: {GAME}, {FIRST} against {SECOND}, {2 * pairs} games, nodes of one core on one machine.\n"
    yield "| where | games/s |"
    yield "|---|---|"
    for threads in (1, 2):
        yield f"| {threads} thread{'s' * (threads > 1)} here | {games_per_second(2 * pairs, concurrency=threads):.2f} |"
    pair = played_pair()
    for workers in (1, 2):
        with cluster(workers) as address:
            yield f"| {workers} node{'s' * (workers > 1)} | {games_per_second(2 * pairs, cluster=address):.2f} |"
            if workers == 2:
                empty = seconds_a_piece(address, b"")
                one = seconds_a_piece(address, pair)
                hundred = seconds_a_piece(address, pair * 100)
    yield ""
    yield f"A pair weighs {len(pair) / 1000:.1f} kB. A piece costs the driver {empty * 1e3:.2f} ms when empty, "
    yield f"{one * 1e3:.2f} ms with a pair and {hundred * 1e3:.2f} ms with a hundred pairs.\n"
    yield f"On paper, for machines of {CORES} cores and pieces of {SECONDS_A_PIECE:g} s of a hundred pairs:\n"
    yield "| machines | pieces/s | MB/s | driver busy | speed |"
    yield "|---|---|---|---|---|"
    for machines in (1, 2, 10, 100, 1000):
        rate = machines * CORES / SECONDS_A_PIECE
        busy = rate * hundred
        yield (
            f"| {machines} | {rate:.1f} | {rate * len(pair) * 100 / 1e6:.1f} | {min(busy, 1):.1%} "
            f"| {machines * SECONDS_A_PIECE / (SECONDS_A_PIECE + hundred) / max(busy, 1):.1f} x |"
        )
    yield ""
    yield f"The driver is the limit from {math.floor(SECONDS_A_PIECE / hundred / CORES)} such machines on."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--write", type=Path)
    asked = parser.parse_args()
    lines = []
    for line in rows(asked.pairs):
        print(line, flush=True)
        lines.append(line)
    if asked.write:
        asked.write.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
