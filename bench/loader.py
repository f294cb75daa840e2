"""Speed of the loader against named peers, measured in the same run: loader.py [--write FILE] [GAME=PATH ...].

Positions per second of CPU time, all threads together, reading and replaying of games included: what one core does.
Ours and the peer's runs alternate and the best of each counts. Random games are made for it; GAME=PATH adds other runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import chess as peer
import numpy as np

from damier._core import level
from damier.lab import Loader, simulate
from damier.records import GameRecord
from damier.storage import read_games
from page import print_page

ROUNDS = 3
PEER_GAMES = 400
GAMES = {"loa": 60_000, "chess": 12_000, "international": 60_000}  # some millions of positions each
WORK: list[tuple[str, dict[str, Any]]] = [
    ("loa", {}),
    ("loa", {"symmetries": True}),
    ("loa", {"features": "bing"}),
    ("loa", {"features": "quads"}),
    ("loa", {"features": "squares"}),
    ("chess", {}),
    ("chess", {"symmetries": True}),
    ("chess", {"in_check": False, "tactical": False}),
    ("chess", {"features": "ocap"}),
    ("chess", {"features": "squares"}),
    ("chess", {"features": "nnue"}),
    ("chess", {"features": "patterns"}),
    ("international", {}),
    ("international", {"features": "squares"}),
]


def speed(work: Callable[[], int]) -> float:
    """Positions per second of CPU time."""
    began = time.process_time()
    positions = work()
    return positions / (time.process_time() - began)


def load(game: str, source: Path, options: dict[str, Any]) -> int:
    return sum(map(len, Loader(game, source, epochs=1, **options)))


def by_states(games: list[GameRecord]) -> int:
    """The planes of whole games by `GameRecord.states`, spread and turned by numpy, then shuffled."""
    positions = 0
    for game in games:
        states = game.states()[:-1]
        bits = np.unpackbits(states.view(np.uint8).reshape(*states.shape, 8), axis=2, bitorder="little")
        half = states.shape[1] // 2
        planes = bits.reshape(len(states), states.shape[1], 8, 8)
        black = slice(1, None, 2) if game.variant == "chess" else slice(0, None, 2)
        turned = planes[black, :, ::-1] if game.variant == "chess" else planes[black].swapaxes(2, 3)
        planes[black] = np.roll(turned, half, axis=1)
        positions += len(planes[np.random.default_rng(0).permutation(len(planes))])
    return positions


def by_python_chess(games: list[list[peer.Move]]) -> int:
    """The same by python-chess move by move; its moves are made beforehand."""
    positions = 0
    for moves in games:
        board = peer.Board()
        masks = np.zeros((len(moves), 12), np.uint64)
        for ply, move in enumerate(moves):
            sides = (board.turn, not board.turn)
            masks[ply] = [board.pieces_mask(piece, side) for side in sides for piece in range(1, 7)]
            board.push(move)
        bits = np.unpackbits(masks.view(np.uint8).reshape(len(moves), 12, 8), axis=2, bitorder="little")
        planes = bits.reshape(len(moves), 12, 8, 8)
        planes[1::2] = planes[1::2, :, ::-1]
        positions += len(planes[np.random.default_rng(0).permutation(len(planes))])
    return positions


def peers_of(game: str, source: Path) -> dict[str, Callable[[], int]]:
    games = list(islice(read_games(source), PEER_GAMES))
    peers = {"GameRecord.states and numpy": lambda: by_states(games)}
    if game == "chess":
        moves = [[peer.Move.from_uci(str(move)) for move in castled(record)] for record in games[: PEER_GAMES // 8]]
        peers["python-chess and numpy"] = lambda: by_python_chess(moves)
    return peers


def castled(record: GameRecord) -> Iterator[str]:
    """The moves as UCI writes them for python-chess."""
    board = peer.Board()
    for text in record.texts():
        move = board.parse_san(text)
        board.push(move)
        yield move.uci()


def row(game: str, kind: str, source: Path, options: dict[str, Any], peers: dict[str, Callable[[], int]]) -> str:
    described = ", ".join([str(options.get("features", "planes")), *(name for name in options if name != "features")])
    ours, theirs = 0.0, dict.fromkeys(peers, 0.0)
    for _ in range(ROUNDS):
        ours = max(ours, speed(lambda: load(game, source, options)))
        for name, work in peers.items():
            theirs[name] = max(theirs[name], speed(work))
    against = "; ".join(f"{ours / value:.1f}x {name} ({value:,.0f})" for name, value in theirs.items())
    return f"| {game}, {kind} | {described} | {ours:,.0f} | {against} |"


def page(others: dict[str, Path]) -> Iterator[str]:
    yield "# Speed of the loader"
    yield ""
    yield f"Measured by `python bench/loader.py` on {platform.machine()}, {os.cpu_count()} cores, CPU level {level}."
    yield "Positions per second of CPU time (all threads together), including reading and replaying games; the goal is"
    yield "1,000,000 for every kind of samples. Positions that a filter leaves out are replayed, but not counted."
    yield "The peers replay the same games and make the same planes."
    yield ""
    yield "| games | samples | positions/s | ratio to peers (their positions/s) |"
    yield "|---|---|---|---|"
    with tempfile.TemporaryDirectory() as folder:
        for game, options in WORK:
            source = Path(folder) / game
            if not source.exists():
                simulate(game, games=GAMES[game], seed=1, out=source)
            plain = not options and game != "international"  # whose squares have gaps
            yield row(game, "random", source, options, peers_of(game, source) if plain else {})
    for game, source in others.items():
        yield row(game, "self-play", source, {}, {})
    yield ""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    yield f"The process took at most {peak} MiB, with its buffer of 1,048,576 positions and the games of the peers."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path, help="also write the page to this Markdown file")
    parser.add_argument("sources", nargs="*", metavar="GAME=PATH", help="runs to read as well")
    arguments = parser.parse_args()
    others = {game: Path(path) for game, _, path in (each.partition("=") for each in arguments.sources)}
    print_page(page(others), arguments.write)


if __name__ == "__main__":
    main()
