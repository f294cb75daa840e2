"""The command line from outside: what it prints, where, and how it leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import typer
from common import assert_told_in_one_line, out

import damier
from damier.cli.app import PANELS, app

DAMIER = [sys.executable, "-m", "damier"]


def test_version() -> None:
    done = subprocess.run([*DAMIER, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("damier ")


def test_the_package_lists_what_there_is_to_use() -> None:
    names = dir(damier)
    assert {"Engine", "Limit", "board", "chess", "loa", "draughts", "textbook"} <= set(names)
    assert not {"importlib", "annotations", "Any", "TYPE_CHECKING"} & set(names)
    assert all(getattr(damier, name) is not None for name in names)


def test_help_has_one_line_for_each_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = out(capsys, "--help")
    assert all(f"─ {panel} ─" in text for panel in PANELS)
    listed = [line.removeprefix("│ ") for line in text.partition("─ Play ─")[2].splitlines() if line.startswith("│")]
    assert {line.split()[0] for line in listed} == {"learn", *(name for names in PANELS.values() for name in names)}
    assert all(line.rstrip("│ ").endswith(".") for line in listed)


def test_every_option_is_explained() -> None:
    root: Any = typer.main.get_command(app)
    for command in [*root.commands.values(), *root.commands["learn"].commands.values()]:
        for option in command.params:
            assert option.help.endswith("."), f"damier {command.name}: {option.name}"
            assert len(option.help) <= 120, f"damier {command.name}: {option.name}"


def test_games_lists_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "games")
    assert all(game.name in text and game.title in text for game in damier.GAMES.values())
    listed = json.loads(out(capsys, "games", "--json"))
    assert [game["name"] for game in listed] == list(damier.GAMES)
    assert set(listed[0]) == {"name", "title", "family"}


def test_show_prints_board_turn_and_count(capsys: pytest.CaptureFixture[str]) -> None:
    text = out(capsys, "show", "chess", "--moves", "1. e4 e5 2.Nf3 2...Nc6 3. Bb5")
    board = damier.chess.Board()
    for move in ("e4", "e5", "Nf3", "Nc6", "Bb5"):
        board.play(move)
    assert text == f"{board}\nBlack to move, {len(board.legal_moves)} legal moves\n{board.fen()}\n"
    assert "\x1b" not in text


def test_show_tells_the_outcome(capsys: pytest.CaptureFixture[str]) -> None:
    mate = ("--moves", "f3 e5 g4 Qh4#")
    assert "Black wins, 0-1: checkmate" in out(capsys, "show", "chess", *mate)
    report = json.loads(out(capsys, "show", "chess", "--json", *mate))
    assert report["outcome"] == {"result": "0-1", "reason": "checkmate"}
    assert report["legal_moves"] == []


@pytest.mark.parametrize("game", ["loa6:olympiad", "chess960", "international", "russian"])
def test_show_writes_svg(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "board.svg"
    assert out(capsys, "show", game, "--flip", "--svg", str(file)) == ""
    assert ET.parse(file).getroot().tag.endswith("svg")


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert "8,902 nodes at depth 3" in out(capsys, "perft", "chess", "3")
    report = json.loads(out(capsys, "perft", "chess", "3", "--json", "--threads", "2"))
    assert set(report) == {"game", "fen", "depth", "nodes", "seconds", "nps"}
    assert (report["game"], report["fen"], report["depth"], report["nodes"]) == (
        "chess",
        damier.chess.Board().fen(),
        3,
        8902,
    )


def test_perft_divides(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(out(capsys, "perft", "loa", "2", "--divide", "--json"))
    assert len(report["divide"]) == 36
    assert sum(report["divide"].values()) == report["nodes"] == damier.loa.Board().perft(2)
    castling = json.loads(
        out(capsys, "perft", "chess", "1", "--divide", "--json", "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    )
    assert "e1g1" in castling["divide"]
    assert "b1-b3  34" in out(capsys, "perft", "loa", "2", "--divide")


BAD = [
    (2, ["frobnicate"], "No such command 'frobnicate'"),
    (2, ["show"], "Missing argument 'GAME'"),
    (2, ["show", "chess", "--flp"], "No such option: --flp"),
    (2, ["perft", "chess"], "Missing argument 'DEPTH'"),
    (2, ["perft", "chess", "-1"], "'DEPTH'"),
    (2, ["perft", "chess", "1000"], "'DEPTH'"),
    (2, ["perft", "chess", "deep"], "'DEPTH'"),
    (2, ["perft", "chess", "2", "--threads", "0"], "'--threads'"),
    (2, ["perft", "chess", "0", "--divide"], "--divide needs a DEPTH of at least 1"),
    (1, ["perft", "go", "2"], "'go' is not a game, expected one of loa"),
    (1, ["show", "loa9"], "'loa9' is not a game"),
    (1, ["show", "loa6:nonsense"], "'loa6:nonsense' is not a game"),
    (1, ["show", "chess", "--fen", "nonsense"], "--fen: "),
    (1, ["show", "chess", "--fen", ""], "--fen: "),
    (1, ["show", "loa", "--fen", "8/8 x"], "--fen: "),
    (1, ["show", "english", "--fen", "W:W99:B1"], "--fen: "),
    (1, ["show", "chess", "--moves", "e4 e5 Ke3"], "--moves, move 3: 'Ke3' is illegal"),
    (1, ["show", "chess", "--moves", "héhé"], "--moves, move 1: "),
    (1, ["show", "chess", "--moves", "e4 \udcff"], "--moves, move 2: "),
    (1, ["show", "chess", "--fen", "\udcff"], "--fen: "),
    (1, ["show", "loa", "--moves", "b1-b3 b1"], "--moves, move 2: "),
    (1, ["show", "international", "--moves", "32-29"], "--moves, move 1: "),
    (1, ["show", "chess", "--fen", "4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "--moves", "Ra3"], "fits R1a3 and R5a3"),
    (1, ["show", "loa", "--svg", "/nowhere/board.svg"], "/nowhere/board.svg: No such file or directory"),
    (1, ["show", "loa", "--svg", "/"], "/: Is a directory"),
    (1, ["play", "loa", "--white", "wizard"], "player 'wizard': no kind 'wizard'"),
    (1, ["play", "loa", "--black", "random:seed=x"], "seed is 'x'"),
    (1, ["play", "go"], "'go' is not a game"),
    (2, ["play", "loa", "--level", "11"], "'--level'"),
    (2, ["play", "loa", "--level", "3", "--elo", "1500"], "give --level or --elo, not both"),
    (2, ["play", "loa", "--white", "random", "--level", "3"], "--level and --elo are for the opponent"),
    (1, ["play", "loa", "--elo", "9999"], "elo is 9999, expected "),
    (1, ["analyse", "go"], "'go' is not a game"),
    (1, ["analyse", "chess", "--fen", "nonsense"], "--fen: "),
    (1, ["analyse", "chess", "--eval", "nonsense"], "'nonsense' is not an evaluation of this game"),
    (1, ["analyse", "chess", "--hash", "99999999999"], "hash is 99999999999, expected 1 to "),
    (1, ["analyse", "chess", "--hash", "4000000"], "a table of 4000000 MiB does not fit into the "),
    (2, ["analyse", "chess", "--threads", "1000000000"], "'--threads'"),
    (2, ["analyse", "chess", "--time", "0"], "'--time'"),
    (2, ["analyse", "chess", "--time", "nan"], "'--time'"),
    (2, ["analyse", "chess", "--depth", "-3"], "'--depth'"),
    (2, ["analyse", "chess", "--nodes", "0"], "'--nodes'"),
    (2, ["analyse", "chess", "--multipv", "0"], "'--multipv'"),
    (1, ["bench", "go"], "'go' has no bench, expected one of loa"),
    (1, ["suite", "/nowhere.epd"], "/nowhere.epd: No such file or directory"),
]


@pytest.mark.parametrize(
    ("code", "args", "words"), BAD, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_bad_input_is_told_in_one_line(
    code: int, args: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_told_in_one_line(capsys, code, args, words)


def test_failure_leaves_with_1() -> None:
    done = subprocess.run([*DAMIER, "show", "nothing"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux to see the count begin")
def test_interruption_leaves_with_130_quietly() -> None:
    pipe = subprocess.PIPE
    command = [*DAMIER, "perft", "chess", "9"]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as process:
        deadline = time.monotonic() + 60
        while len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10) == (b"", b"")
    assert process.returncode == 130


def test_a_reader_who_leaves_early_is_no_disaster() -> None:
    command = f"{sys.executable} -m damier play loa --white random:seed=1 --black random:seed=2 | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*DAMIER, "show", "loa"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "damier: No space left on device\n")


def test_an_ascii_terminal_sees_a_board() -> None:
    done = subprocess.run(
        [*DAMIER, "show", "chess"], capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert done.stdout.isascii()
