"""Nodes a second of the engine: bench/search_speed.py [--seconds S] [--rounds N] [--write FILE].

Chess against GNU Chess, position by position in the same run; every family alone, with one thread and with two.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import geometric_mean

import damier
from damier import Engine, Limit

CHESS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN1BP2/P2QB1PP/2R2RK1 w - - 0 14",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


def our_rate(game: str, fen: str | None, seconds: float, threads: int = 1) -> float:
    with Engine(game, hash=64, threads=threads, overhead=0) as engine:
        info = engine.analyse(damier.board(game, fen), Limit(time=seconds))
    return info.nodes / info.seconds


def gnu_rate(fen: str, seconds: float) -> float:
    """What GNU Chess counts in that time."""
    command = shutil.which("gnuchess", path="/usr/games:/usr/local/games:/usr/bin") or "gnuchess"
    with subprocess.Popen([command, "--uci"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        lines = ["uci", "setoption name OwnBook value false", "setoption name Hash value 64", "isready"]
        lines += [f"position fen {fen}", f"go movetime {round(1000 * seconds)}"]
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        rate = 0.0
        for line in process.stdout:
            words = line.split()
            if "nodes" in words and "time" in words:
                nodes, ms = (int(words[words.index(name) + 1]) for name in ("nodes", "time"))
                rate = 1000 * nodes / max(ms, 1)
            if line.startswith("bestmove"):
                break
        process.kill()
    return rate


def best_of(rounds: int, *rates: Callable[[], float]) -> list[float]:
    """The best of each, measured in turn: other work on the machine can only slow them down."""
    return [max(column) for column in zip(*([rate() for rate in rates] for _ in range(rounds)), strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    seconds, rounds = chosen.seconds, chosen.rounds
    lines = ["# Speed of the search", ""]
    lines += [f"Thousands of nodes per second, table of 64 MiB, best of {rounds} rounds of {seconds} s in turn;"]
    lines += ["`bench/search_speed.py`. Each engine counts nodes its own way.", ""]
    lines += ["| chess position, one thread | damier | GNU Chess 6 | ratio |", "|---|---|---|---|"]
    ratios = []
    for fen in CHESS:
        ours, theirs = best_of(rounds, partial(our_rate, "chess", fen, seconds), partial(gnu_rate, fen, seconds))
        ratios.append(ours / theirs)
        lines.append(f"| `{fen}` | {ours / 1e3:.0f} | {theirs / 1e3:.0f} | {ratios[-1]:.2f}x |")
    lines += [f"| geometric mean | | | {geometric_mean(ratios):.2f}x |", ""]
    lines += ["| start position of | one thread | two threads | ratio |", "|---|---|---|---|"]
    for game in ("chess", "loa", "english", "international"):
        one, two = best_of(rounds, *(partial(our_rate, game, None, seconds, threads) for threads in (1, 2)))
        lines.append(f"| {game} | {one / 1e3:.0f} | {two / 1e3:.0f} | {two / one:.2f}x |")
    text = "\n".join(lines) + "\n"
    print(text)
    if chosen.write:
        chosen.write.write_text(text)


if __name__ == "__main__":
    main()
