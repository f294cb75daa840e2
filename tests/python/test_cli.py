"""The command line from outside: what it prints, where, and how it leaves."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from common import ROOT, out

import damier
from damier._core import MAX_THREADS
from damier.cli import main
from damier.cli.app import PANELS, root

DAMIER = [sys.executable, "-m", "damier"]


def test_version() -> None:
    done = subprocess.run([*DAMIER, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"damier {damier.__version__}\n"
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == damier.__version__


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
    assert {line.split()[0] for line in listed} == {name for names in PANELS.values() for name in names}
    assert all(line.rstrip("│ ").endswith(".") for line in listed)


def test_help_keeps_what_stands_in_brackets(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "150")
    assert "NAME = [low, high]." in out(capsys, "learn", "genetic", "--help")
    assert f"1<=x<={MAX_THREADS}" in out(capsys, "analyse", "--help")


def test_every_option_is_explained() -> None:
    commands = root().commands
    for command in [*commands.values(), *commands["learn"].commands.values(), *commands["data"].commands.values()]:
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


def test_show_says_the_outcome(capsys: pytest.CaptureFixture[str]) -> None:
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


def test_failure_leaves_with_1() -> None:
    done = subprocess.run([*DAMIER, "show", "nothing"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux to see the count begin")
@pytest.mark.parametrize(("name", "asked"), [("scipy", "scipy"), ("scipy.optimize", "--force-reinstall scipy")])
def test_a_package_that_is_missing(
    name: str, asked: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: object) -> int:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    monkeypatch.setattr("damier.cli.app.run", missing)
    with pytest.raises(SystemExit, match="1"):
        main(["games"])
    assert capsys.readouterr().err == f"damier: No module named {name!r}; install it with: pip install {asked}\n"


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
def test_a_full_disk_is_reported() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*DAMIER, "show", "loa"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "damier: No space left on device\n")


def test_an_ascii_terminal_sees_a_board() -> None:
    done = subprocess.run(
        [*DAMIER, "show", "chess"], capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii"}
    )
    assert done.stdout.isascii()
