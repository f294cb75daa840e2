"""What several tests need: the games to examine, random ways through them, and commands run in this process."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

import damier
from damier import Move
from damier.cli.app import run
from damier.games import Board

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / ".venv" / "peers"
EVERY_GAME = [*damier.GAMES, "loa5:olympiad", "loa6:openspiel", "loa7:bing"]
if _library := os.environ.get("DAMIER_TEST_GAMES"):  # games made elsewhere: test_outside_game.py
    EVERY_GAME = damier.load_games(_library)


def needs(*packages: str) -> None:
    """Skip a file of tests where a package is not installed, which is not loaded yet: others may run the file."""
    for package in packages:
        if not find_spec(package):
            pytest.skip(f"{package} is not installed", allow_module_level=True)


def walk(board: Board, seed: int, *, plies: int = 10_000) -> Iterator[Board]:
    """The same board after each move of a random game, the start included."""
    dice = random.Random(f"{board.variant} {seed}")
    yield board
    for _ in range(plies):
        if board.outcome():
            return
        board.push(dice.choice(list(board.legal_moves)))
        yield board


def check_texts(board: Board, write: Callable[[Board, Move], str], read: Callable[[Board, str], Move]) -> None:
    """Every legal move is written as a text of its own, and read from it."""
    texts = [write(board, move) for move in board.legal_moves]
    assert len(set(texts)) == len(texts)
    assert [read(board, text) for text in texts] == list(board.legal_moves)


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


def out(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """What a command that goes well prints."""
    assert run(list(args)) == 0
    printed = capsys.readouterr()
    assert not printed.err
    return printed.out


def refusal(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """The one line in which a command says why it failed."""
    assert run(list(args)) == 1
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.count("\n") == 1
    return printed.err


@contextmanager
def full_disk(limit: int) -> Iterator[None]:
    """Files may have no more than a few bytes, as on a disk that is full; then there is room again."""
    resource = pytest.importorskip("resource")
    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))


def interrupted(args: list[str], folder: Path) -> str:
    """What a command that keeps pairs of games in a folder prints when Ctrl-C comes after the second of them."""
    asked = [sys.executable, "-m", "damier", *args, "--out", str(folder)]
    process = subprocess.Popen(asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    kept = folder / "pairs.jsonl"
    end = time.monotonic() + 60
    while not (kept.exists() and kept.read_text().count("\n") >= 2) and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said == f"interrupted; resume with `{shlex.join(['damier', *asked[3:]])} --resume`\n"
    return shown


def flip_bit(path: Path) -> None:
    """Damage a file by one bit near its end."""
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)


def nested(depth: int = 100_000) -> str:
    """A list in a list in a list, deeper than a parser can follow."""
    return "[" * depth + "]" * depth
