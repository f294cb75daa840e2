"""Speed of PUCT on many boards at once, against one leaf at a time: bench/puct.py [--boards N] [--write FILE].

Simulations per second of CPU time on one core with an untrained network of the usual size, that of the network
included. The baseline is the same search on one board, whose network judges one position per call, measured in the
same run; rounds alternate and the best of each counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import torch

from damier import BoardBatch
from damier._core import level
from damier.lab.alphazero import AlphaZeroSettings
from damier.puct import PolicyValue, Search
from page import print_page

GAMES = ("loa5", "rennes", "loa")
SIMULATIONS = 32  # per move, about as many as in self-play
SOME = 40  # boards that are searched one by one

ABOUT = """\
# Speed of PUCT

Simulations per second of CPU time on one core (CPU level {level}) by `bench/puct.py`: {simulations} per move from
random openings, with an untrained network of the usual size, whose time is included. Only simulations whose leaf the
network evaluated are counted, not those that end where the rules decide. *One leaf at a time* is one board after the
other with one position per call of the network; *eight leaves* the same with eight positions per call; *many boards*
are {boards} boards searched together with a leaf each, as in self-play. The best of several alternating rounds counts.
"""


def one_by_one(net: PolicyValue, openings: BoardBatch, leaves: int) -> float:
    """Leaves judged per second of CPU time, the boards searched one after the other."""
    board = BoardBatch(net.game, 1)
    search = Search(board, net.evaluate, seed=1)
    began = time.process_time()
    for number in range(min(SOME, len(openings))):
        board.take(openings, np.array([number]))
        search.run(SIMULATIONS, leaves=leaves)
    return search.evaluations / (time.process_time() - began)


def together(net: PolicyValue, openings: BoardBatch) -> float:
    """The same, all boards searched together."""
    search = Search(openings, net.evaluate, seed=1)
    began = time.process_time()
    search.run(SIMULATIONS)
    return search.evaluations / (time.process_time() - began)


def rows(boards: int, rounds: int) -> Iterator[str]:
    torch.set_num_threads(1)
    yield ABOUT.format(level=level, simulations=SIMULATIONS, boards=boards)
    yield "| game | one leaf at a time | eight leaves | ratio | many boards | ratio |"
    yield "|---|---|---|---|---|---|"
    for game in GAMES:
        usual = AlphaZeroSettings.for_game(game)
        net = PolicyValue.new(game, channels=usual.channels, blocks=usual.blocks)
        openings = BoardBatch(game, boards)
        openings.reset(seed=1, opening_plies=4)
        net.evaluate(openings.planes())  # the first call makes a copy to play with
        works = [partial(one_by_one, net, openings, 1), partial(one_by_one, net, openings, 8)]
        works.append(partial(together, net, openings))
        tried = [[work() for work in works] for _ in range(rounds)]
        one, eight, many = (max(column) for column in zip(*tried, strict=True))
        yield f"| {game} | {one:,.0f} | {eight:,.0f} | {eight / one:.1f}x | {many:,.0f} | {many / one:.1f}x |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path, help="write the page here")
    given = parser.parse_args()
    print_page(rows(given.boards, given.rounds), given.write)


if __name__ == "__main__":
    main()
