"""An engine that knows one dialogue by heart: scripted_engine.py PAGE WORD plays the one on a page that has the word.

It reads the lines marked `>`, which must come exactly so, and writes those marked `<`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from dialogue import dialogues


def main(page: str, word: str) -> int:
    for line in next(lines for lines in dialogues(Path(page)) if word in "\n".join(lines)):
        if line.startswith("< "):
            print(line[2:], flush=True)
        elif (read := sys.stdin.readline().rstrip("\n")) != line[2:]:
            print(f"read {read!r}, expected {line[2:]!r}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
