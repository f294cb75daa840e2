"""Runs inside a peer's own folder (two peers share the package name `draughts`): positions in, legal moves out.

draughts_peers.py PEER reads lines `variant W|B squares`, the squares as w W b B e from the top left, and prints for
each a JSON list of [from, to, captured], squares counted likewise from 0, or null where the peer gives up.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

Found = Iterable[tuple[int, int, list[int]]]


def py_draughts(variant: str, turn: str, squares: str) -> Found:
    import draughts  # noqa: PLC0415

    boards = {
        "international": draughts.StandardBoard,
        "russian": draughts.RussianBoard,
        "brazilian": draughts.BrazilianBoard,
        "frisian": draughts.FrisianBoard,
    }
    sides = []
    for side in "wb":
        named = (("K" if s.isupper() else "") + str(i) for i, s in enumerate(squares, 1) if s.lower() == side)
        sides.append(side.upper() + ",".join(named))
    board = boards[variant].from_fen(":".join([turn, *sides]))
    for move in board.legal_moves:
        yield move.square_list[0], move.square_list[-1], list(move.captured_list)


def pydraughts(variant: str, turn: str, squares: str) -> Found:
    from draughts.core.game import Game  # noqa: PLC0415

    name = {"international": "standard"}.get(variant, variant)
    moves, captures = Game(name, turn + squares).legal_moves()
    for steps, taken in zip(moves, captures, strict=True):
        yield steps[0][0] - 1, steps[-1][1] - 1, [square - 1 for square in taken if square is not None]


def main() -> None:
    peer = {"py-draughts": py_draughts, "pydraughts": pydraughts}[sys.argv[1]]
    for line in sys.stdin:
        try:
            answer: Any = [list(move) for move in peer(*line.split())]
        except Exception:  # a peer's own failure is no disagreement
            answer = None
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
