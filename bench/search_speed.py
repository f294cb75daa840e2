"""Nodes a second of the engine: bench/search_speed.py [--seconds S] [--write FILE].

Chess against GNU Chess, position by position in the same run; every family alone, with one thread and with two.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from pathlib import Path

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--write", type=Path)
    chosen = parser.parse_args()
    lines = ["# Speed of the search", ""]
    lines += ["Thousands of nodes a second, one thread, table of 64 MiB; `bench/search_speed.py`.", ""]
    lines += ["| chess position | damier | GNU Chess 6 | ratio |", "|---|---|---|---|"]
    sums = [0.0, 0.0]
    for fen in CHESS:
        rates = our_rate("chess", fen, chosen.seconds), gnu_rate(fen, chosen.seconds)
        sums = [before + rate for before, rate in zip(sums, rates, strict=True)]
        lines.append(f"| `{fen}` | {rates[0] / 1e3:.0f} | {rates[1] / 1e3:.0f} | {rates[0] / rates[1]:.2f}x |")
    lines += [f"| all | | | {sums[0] / sums[1]:.2f}x |", ""]
    lines += ["| start position of | one thread | two threads | ratio |", "|---|---|---|---|"]
    for game in ("chess", "loa", "english", "international"):
        one, two = our_rate(game, None, chosen.seconds), our_rate(game, None, chosen.seconds, threads=2)
        lines.append(f"| {game} | {one / 1e3:.0f} | {two / 1e3:.0f} | {two / one:.2f}x |")
    text = "\n".join(lines) + "\n"
    print(text)
    if chosen.write:
        chosen.write.write_text(text)


if __name__ == "__main__":
    main()
