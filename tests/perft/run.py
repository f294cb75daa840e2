"""Check perft tables to their full depth: run.py [SUITE.epd] [--largest NODES].

Without a file, every table of this folder; with one, an EPD suite whose operations D1, D2, ... are the counts.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from common import perft_lines, start_of

from damier import DamierError
from damier._core.chess import read_epd

Line = tuple[str, str, dict[int, int]]  # variant, FEN, counts by depth


def table_lines() -> Iterator[Line]:
    for variant, fen, counts in perft_lines():
        yield variant, fen, dict(enumerate(counts, 1))


def suite_lines(path: Path) -> Iterator[Line]:
    """The lines of an EPD suite; rook files as castling rights mean Chess960."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip():
            continue
        castling = line.split()[2]
        variant = "chess" if set(castling) <= set("KQkq-") else "chess960"
        try:
            fen, operations = read_epd(line, chess960=variant == "chess960")
        except DamierError as error:
            raise SystemExit(f"{path}:{number}: {error}") from None
        counts = {name: values[0] for name, values in operations.items() if name[0] == "D" and name[1:].isdigit()}
        yield variant, fen, {int(name[1:]): int(count) for name, count in counts.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", nargs="?", type=Path)
    parser.add_argument("--largest", type=int, default=3_000_000_000, help="leave out counts above this")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    wrong = checked = nodes = 0
    began = time.perf_counter()
    for variant, fen, counts in suite_lines(arguments.suite) if arguments.suite else table_lines():
        board = start_of(variant, fen)
        deepest = 0
        for depth, count in counts.items():
            if count > arguments.largest:
                continue
            deepest = depth
            found = board.perft(depth, threads=arguments.threads)
            checked += 1
            nodes += found
            if found != count:
                wrong += 1
                print(f"{variant} {fen} depth {depth}: {found}, expected {count}")
        print(f"{variant:14} {fen[:70]:70} depth {deepest}", flush=True)
    seconds = time.perf_counter() - began
    print(f"{checked} counts, {wrong} wrong, {nodes:,} nodes in {seconds:.1f} s ({nodes / seconds / 1e6:.0f} M/s)")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
