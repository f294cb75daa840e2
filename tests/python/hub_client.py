"""Runs inside pydraughts' own folder: its Hub client has damier play a game against chance.

hub_client.py VARIANT DAMIER prints the game as a JSON list of moves in Hub notation.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any

from draughts import Board
from draughts.engine import HubEngine, Limit

PLIES = 40
LIMITS = [Limit(depth=3), Limit(nodes=300), Limit(movetime=0.02), Limit(time=0.5, inc=0.1), Limit(time=0.5)]


def game(engine: Any, variant: str, dice: random.Random) -> list[str]:
    board = Board({"international": "standard"}.get(variant, variant))
    ours = dice.randint(0, 1)
    while not board.is_over() and len(board.move_stack) < PLIES:
        if len(board.move_stack) % 2 == ours:
            board.push(engine.play(board, dice.choice(LIMITS), ponder=False).move)
        else:
            board.push(dice.choice(list(board.legal_moves())))
    return [move.hub_move for move in board.move_stack]


def main(variant: str, path: str) -> None:
    engine = HubEngine([path, "hub"])
    if variant != "international":
        engine.configure({"variant": variant})
    engine.init()
    engine.ping()
    dice = random.Random(variant)
    print(json.dumps(game(engine, variant, dice)))
    engine.quit()
    engine.p.wait(10)


if __name__ == "__main__":
    main(*sys.argv[1:])
