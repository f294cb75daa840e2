"""What several tests need: the games to examine and random ways through them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import damier
from damier.games import Board

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".venv" / "peers"
EVERY_GAME = [*damier.GAMES, "loa5:olympiad", "loa6:openspiel", "loa7:bing"]


def walk(board: Board, seed: int, *, plies: int = 10_000) -> Iterator[Board]:
    """The same board after each move of a random game, the start included."""
    dice = random.Random(f"{board.variant} {seed}")
    yield board
    for _ in range(plies):
        if board.outcome():
            return
        board.push(dice.choice(list(board.legal_moves)))
        yield board


def perft_lines() -> Iterator[tuple[str, str, list[int]]]:
    """Every line of the perft tables: variant, FEN or "start", counts by depth."""
    for file in sorted((ROOT / "tests" / "perft").glob("*.perft")):
        for line in file.read_text().splitlines():
            if line and not line.startswith("#"):
                variant, fen, counts, _ = (field.strip() for field in line.split("|"))
                yield variant, fen, [int(count) for count in counts.split()]


def start_of(variant: str, fen: str) -> Board:
    """The board of a perft line."""
    return damier.board(variant, None if fen == "start" else fen)
