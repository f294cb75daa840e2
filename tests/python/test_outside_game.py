"""A game of its own, compiled from outside against the headers and entered by one call, is a game like the others."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyspiel
import pytest
from common import ROOT

SOURCES = [
    "tests/games/breakthrough.cpp",
    *(
        str(path.relative_to(ROOT))
        for room in ("base", "game", "search/alphabeta", "search/textbook", "eval")
        for path in sorted((ROOT / "cpp/damier" / room).glob("*.cpp"))
    ),
    "cpp/damier/engine/variant.cpp",
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game as a shared library, made as CONTRIBUTING.md says, but in one go: the headers are read once."""
    folder = tmp_path_factory.mktemp("games")
    source, made = folder / "all.cpp", folder / "breakthrough.so"
    source.write_text("".join(f'#include "{ROOT / part}"\n' for part in SOURCES))
    compiler = os.environ.get("CXX", "c++")
    flags = ["-std=c++20", "-Og", "-DNDEBUG", "-shared", "-fPIC", "-Icpp"]
    subprocess.run([compiler, *flags, str(source), "-o", str(made)], cwd=ROOT, check=True)
    return made


def python(library: Path, code: str) -> str:
    """What a program prints that has loaded the game; it stays out of this process, whose games others count."""
    program = f"import damier\nassert damier.load_games({str(library)!r}) == ['breakthrough']\n{code}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_in_the_package_knows_it() -> None:
    files = [*(ROOT / "cpp").rglob("*.*"), *(ROOT / "python").rglob("*.py")]
    assert [
        file
        for file in files
        if file.suffix not in (".so", ".safetensors") and "breakthrough" in file.read_text().lower()
    ] == []


def test_perft(library: Path) -> None:
    rows = (ROOT / "tests/games/breakthrough.perft").read_text().splitlines()
    counts = next(row for row in rows if not row.startswith("#")).split("|")[2].split()
    counted = python(library, f"print(*(damier.board('breakthrough').perft(d) for d in range(1, {len(counts) + 1})))")
    assert counted.split() == counts
    assert [sum(1 for _ in lines(depth)) for depth in (1, 2, 3)] == [int(count) for count in counts[:3]]


def lines(depth: int) -> Iterator[None]:
    """Every line of play of OpenSpiel's game down to a depth."""

    def walk(state: pyspiel.State, left: int) -> Iterator[None]:
        if left == 0:
            yield None
        elif not state.is_terminal():
            for action in state.legal_actions():
                yield from walk(state.child(action), left - 1)

    yield from walk(pyspiel.load_game("breakthrough").new_initial_state(), depth)


def test_the_examinations_of_every_game(library: Path) -> None:
    """The rules, the textbook algorithms, the engine and the records, by the tests that every game must pass."""
    files = [
        f"tests/python/test_{name}.py" for name in ("every_game", "batch", "textbook", "engine", "records_roundtrip")
    ]
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-o", "addopts=", "-k", "breakthrough", *files]
    examined = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"DAMIER_TEST_GAMES": str(library)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert examined.returncode == 0, examined.stdout
    passed = re.search(r"(\d+) passed", examined.stdout)
    assert passed
    assert int(passed[1]) >= 15, examined.stdout


def test_it_is_played_recorded_and_drawn(library: Path) -> None:
    printed = python(
        library,
        """
from damier import records

from damier.arena.match import Match
board = damier.board("breakthrough")
board.push("a2-a3")
print(board.peek(), board.turn.name, type(board) is damier.Board)
assert "<svg" in board.svg() and "○" in board.unicode()
game = records.Game.from_board(board)
again = next(records.parse(records.text(game), "pgn"))
assert [str(node.move) for node in again.mainline()] == ["a2-a3"] and again.variant == "breakthrough"
print(Match("breakthrough", "engine:nodes=300", "random", games=4, openings="random:2").run().wins)
""",
    )
    assert printed.split() == ["a2-a3", "BLACK", "True", "4"]
