"""Fuzz the readers for a while: run.py [--seconds N] [--seed S].

Half of the time goes to the native readers of positions and moves, built with sanitizers; half to the readers of game
records. What breaks is printed with the seed that breaks it.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from damier import records

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "build" / "asan" / "fuzz_texts"


def mutated(text: str, others: list[str], dice: random.Random) -> str:
    """A text with some bytes changed, dropped, doubled, or taken from another."""
    for _ in range(dice.randint(1, 8)):
        at, length = dice.randrange(len(text) + 1), dice.randint(0, 20)
        other = dice.choice(others)
        start = dice.randrange(len(other) + 1)
        sign = dice.choice('(){}[];"$%\\\n\x00é!?*')
        piece = dice.choice(["", sign, other[start : start + length], text[at : at + length]])
        text = text[:at] + piece + text[at + dice.randint(0, length) :]
    return text


def fuzz_records(seconds: float, seed: int) -> int:
    """Read mutated game files; anything but a game or a RecordError is a failure."""
    files = sorted((ROOT / "tests" / "golden" / "records").glob("*.*"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    end = time.monotonic() + seconds
    tried = read = 0
    while time.monotonic() < end:
        dice = random.Random(f"{seed} {tried}")
        file = dice.choice(files)
        text = mutated(texts[file], list(texts.values()), dice)
        try:
            for game in records.parse(text, file.suffix[1:], on_error=dice.choice(["raise", "skip"])):
                records.text(game)
                read += 1
        except records.RecordError:
            pass
        except BaseException:
            print(f"seed {seed}, text {tried}, from {file.name}:\n{text!r}", file=sys.stderr)
            raise
        tried += 1
    print(f"{tried} record files, {read} games read, none broke a promise")
    return tried


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}")
    half = max(1, arguments.seconds // 2)
    native = subprocess.run([os.fspath(NATIVE), str(half), str(arguments.seed)], check=False).returncode
    return 0 if fuzz_records(half, arguments.seed) and native == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
