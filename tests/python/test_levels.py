"""The core at every CPU level this machine runs: the same games, move by move, and the same search."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest

from damier._core import _cpu

PROBE = """
import hashlib, damier, damier.engine
from damier._core import level
digest = hashlib.sha256()
for name in damier.GAMES:
    board = damier.board(name)
    columns = board.play_games(20, seed=3)
    digest.update(columns["codes"].tobytes() + columns["results"].tobytes())
    digest.update(str(board.perft(3)).encode())
    with damier.engine.Engine(name, hash=1) as engine:
        info = engine.analyse(board, damier.engine.Limit(depth=6))
    digest.update(f"{info.nodes} {info.score} {info.pv}".encode())
print(level, digest.hexdigest())
"""


def run_at(level: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROBE],
        env={**os.environ, "DAMIER_CPU": level},
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_level_plays_and_searches_the_same() -> None:
    answers = {}
    for level in _cpu.levels():
        run = run_at(level)
        assert run.returncode == 0, run.stderr
        name, answers[level] = run.stdout.split()
        assert name == level
    assert len(set(answers.values())) == 1
    assert len(next(iter(answers.values()))) == 2 * hashlib.sha256().digest_size


@pytest.mark.parametrize("level", ["v9", "native"])
def test_an_unknown_level_is_refused_in_one_line(level: str) -> None:
    run = run_at(level)
    assert run.returncode == 1
    assert f"ImportError: DAMIER_CPU is '{level}', but this machine runs" in run.stderr.splitlines()[-1]
