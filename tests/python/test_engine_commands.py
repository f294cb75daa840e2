"""The commands that think: analyse, bench and suite."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest
from common import ROOT, out

import damier
from damier.cli.app import run
from damier.engine.bench import bench, positions

DAMIER = [sys.executable, "-m", "damier"]
GOLDEN = ROOT / "tests" / "golden" / "bench.txt"
MATES = ROOT / "tests" / "suites" / "mates.epd"
FIELDS = {"multipv", "depth", "seldepth", "score", "expectation", "wdl", "nodes", "nps", "seconds", "hashfull"}
FIELDS |= {"pv", "move"}


@pytest.mark.parametrize("game", ["loa", "chess", "frisian"])
def test_analyse_reports_lines_that_can_be_played(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(out(capsys, "analyse", game, "--depth", "5", "--multipv", "3", "--json"))
    assert [line["multipv"] for line in found] == [1, 2, 3]
    assert len({line["move"] for line in found}) == 3
    assert [line["score"]["cp"] for line in found] == sorted((line["score"]["cp"] for line in found), reverse=True)
    for line in found:
        assert set(line) == FIELDS
        assert sum(line["wdl"]) == 1000
        assert 0 <= line["expectation"] <= 1
        assert line["depth"] == 5
        assert line["pv"][0] == line["move"]
        board: Any = damier.board(game)
        for text in line["pv"]:
            board.play(text)


def test_analyse_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "analyse", "chess", "--moves", "1. f3 e5 2. g4", "--depth", "3")
    head, titles, row = text.splitlines()
    assert head == "Black to move, 30 legal moves"
    assert titles.split() == ["depth", "score", "win/draw/loss", "nodes", "nodes/s", "table", "line"]
    assert " #1 " in row
    assert row.split()[-1] == "Qh4#"
    assert len(out(capsys, "analyse", "international", "--depth", "9", "--multipv", "4").splitlines()) == 6


def test_analyse_looks_for_a_win_in_so_many_moves(capsys: pytest.CaptureFixture[str]) -> None:
    fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
    (line,) = json.loads(out(capsys, "analyse", "chess", "--fen", fen, "--mate", "2", "--json"))
    assert (line["move"], line["score"], len(line["pv"])) == ("Ra6", {"mate": 2}, 3)


def test_analyse_says_when_the_game_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    mate = ("analyse", "chess", "--moves", "f3 e5 g4 Qh4#")
    assert out(capsys, *mate) == "The game is over. Black wins, 0-1: checkmate\n"
    assert json.loads(out(capsys, *mate, "--json")) == []


def test_analyse_can_be_watched_and_interrupted_on_a_terminal() -> None:
    child = pexpect.spawn(
        sys.executable,
        [*DAMIER[1:], "analyse", "international", "--time", "600"],
        env=os.environ | {"TERM": "xterm-256color"},
        dimensions=(40, 120),
        encoding="utf-8",
        timeout=15,
    )
    try:
        for depth in ("4/", "8/"):
            child.expect_exact(depth)
        child.sendcontrol("c")
        child.expect(pexpect.EOF)
        child.wait()
        assert child.exitstatus == 130
        assert re.search(r"\d+/\d+ .* \d\d-\d\d ", str(child.before))
        assert "Traceback" not in str(child.before)
    finally:
        child.close(force=True)


def test_analyse_interrupted_in_a_script_reports_the_best_so_far() -> None:
    command = [*DAMIER, "analyse", "loa", "--time", "600", "--json"]
    alone = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}  # so that a second thread is the search's
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=alone) as process:
        deadline = time.monotonic() + 60
        while len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (130, "")
    (line,) = json.loads(text)
    assert line["depth"] >= 1


def test_bench_has_positions_of_every_game() -> None:
    found = positions()
    assert set(found) == set(damier.GAMES)
    for game in ("chess", "loa", "english", "international"):
        assert len(found[game]) >= 8
    for game, lines in found.items():
        for depth, fen in lines:
            assert damier.board(game, fen).outcome() is None
            assert depth > 0


def test_the_search_is_the_one_whose_nodes_were_kept() -> None:
    kept = dict(line.split() for line in GOLDEN.read_text().splitlines() if not line.startswith("#"))
    found = {row.game: str(row.nodes) for row in bench()}
    assert found == kept, "the search has changed: if that is meant, `make golden` keeps the new nodes"


def test_bench_ends_with_nodes_and_speed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    kept = tmp_path / "kept.txt"
    lines = out(capsys, "bench", "loa5", "paris", "--write", str(kept)).splitlines()
    nodes, speed = re.fullmatch(r"(\d+) nodes (\d+) nps", lines[-1]).groups()  # type: ignore[union-attr]
    assert [line.split()[0] for line in lines[1:-1]] == ["loa5", "paris"]
    report = json.loads(out(capsys, "bench", "loa5", "paris", "--json"))
    assert report["nodes"] == int(nodes) == sum(game["nodes"] for game in report["games"])
    assert int(speed) > 0
    golden = dict(line.split() for line in GOLDEN.read_text().splitlines() if not line.startswith("#"))
    assert kept.read_text().splitlines()[1:] == [f"{name} {golden[name]}" for name in ("loa5", "paris")]


def test_known_mates_are_found_at_their_exact_distance(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(out(capsys, "suite", str(MATES), "--time", "60", "--json"))
    assert report["total"] >= 40
    assert [position["id"] for position in report["positions"] if not position["solved"]] == []
    for position in report["positions"]:
        assert position["wanted"] == f"dm {position['score']['mate']}"
        assert len(position["pv"]) == 2 * position["score"]["mate"] - 1


def test_suite_counts_what_is_solved(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "some.epd"
    file.write_text(
        "# three ways to ask\n"
        '6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id "best";\n'
        "\n"
        '6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id "avoid";\n'
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\n"
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 2;\n"
    )
    lines = out(capsys, "suite", str(file), "--depth", "4").splitlines()
    assert lines == [
        "solved     1  best: Ra8# (#1), wanted bm Ra8#",
        "FAILED     2  avoid: Ra8# (#1), wanted am Ra8#",
        "solved     3  line 5: Ra8# (#1), wanted dm 1",
        "FAILED     4  line 6: Ra8# (#1), wanted dm 2",
        "2/4",
    ]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nonsense", "line 2: "),
        ("6k1/8/8/8/8/8/8/R3K3 w - - id x;", "line 2: there is neither bm, am nor dm"),
        ("6k1/8/8/8/8/8/8/R3K3 w - - bm Qa8;", "line 2: 'Qa8' is illegal"),
        ("6k1/8/8/8/8/8/8/R3K3 w - - dm x;", "line 2: dm is 'x', expected a number of moves from 1 to 99"),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - dm 1;", "line 2: there is no legal move"),
    ],
)
def test_a_bad_suite_is_refused(line: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "bad.epd"
    file.write_text(f"#\n{line}\n")
    assert run(["suite", str(file)]) == 1
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1
