"""Ctrl-C: every run says how it is resumed, and what it printed, typed again, resumes it."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from common import out

from damier.cli.app import run
from damier.lab import simulate
from damier.storage import read_games
from damier.storage.run import settings_in
from damier.storage.shard_writer import unfinished_pieces


@pytest.mark.parametrize("command", ["simulate", "selfplay"])
def test_an_interruption_says_how_to_resume(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("damier.storage.shard_writer.ShardWriter.append", stop)
    assert run([command, "rennes", "--games", "9", "--out", str(tmp_path)]) == 130
    said = capsys.readouterr().err
    again = ["damier", command, "rennes", "--games", "9", "--out", str(tmp_path), "--resume"]
    assert said == f"interrupted; resume with `{shlex.join(again)}`\n"
    monkeypatch.undo()
    out(capsys, command, "rennes", "--games", "9", "--out", str(tmp_path), "--resume")
    assert len(list(read_games(tmp_path))) == 9


@pytest.mark.parametrize("command", ["import", "merge", "dedupe"])
def test_what_is_not_resumed_is_run_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    simulate("loa5", games=5, out=tmp_path / "run")
    asked = ["data", command, str(tmp_path / "run"), "--out", str(tmp_path / "set")]
    with monkeypatch.context() as patch:
        patch.setattr("damier.lab.sources.Source.batches", stop)
        assert run(asked) == 130
    assert capsys.readouterr().err == "interrupted, and nothing was written; run the command again\n"
    assert [path.name for path in tmp_path.iterdir()] == ["run"]
    out(capsys, *asked)
    assert len(list(read_games(tmp_path / "set"))) == 5


PLAYERS = 'players = ["engine:nodes=2000", "engine:nodes=1000"]'


INTERRUPTED = {
    "match": ["loa5", "engine:nodes=2000", "engine:nodes=1000", "--games", "400"],
    "tournament": ["my cup.toml"],
    "tune": ["space.toml", "--sprt", "none"],
    "selfplay": ["loa5", "--games", "4000", "--nodes", "200"],
    "simulate": ["rennes", "--games", "4000000"],
}


@pytest.mark.parametrize("command", INTERRUPTED)
def test_ctrl_c_prints_the_command_that_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    """It is sent once something is kept; what is printed is typed again, and interrupted once more."""
    monkeypatch.chdir(tmp_path)
    Path("my cup.toml").write_text(f'game = "loa5"\ngames = 400\n{PLAYERS}\n')
    Path("space.toml").write_text(
        'game = "loa5"\nplayer = "engine:nodes=2000"\nsteps = 400\n'
        "parameters.lmr_base = {start = 70, least = 0, most = 200, c_end = 30}\n"
    )
    folder = Path("a folder")
    asked = [command, *INTERRUPTED[command], "--out", str(folder)]
    games = 0
    for _ in range(2):
        said = interrupted_after_more(asked, folder, games)
        if "--resume" not in asked:
            asked.append("--resume")
        assert said == f"interrupted; resume with `{shlex.join(['damier', *asked])}`\n"
        asked = shlex.split(said.split("`")[1])[1:]
        assert kept_in(folder) > games
        games = kept_in(folder)


def kept_in(folder: Path) -> int:
    """How many games a folder holds, or pairs of them."""
    pairs = folder / "pairs.jsonl"
    whole = settings_in(folder).get("shard_games", 0) * len(list(folder.glob("games-*.parquet")))
    pieces = sum(piece.games for piece in unfinished_pieces(folder))
    return whole + pieces + (pairs.read_bytes().count(b"\n") if pairs.exists() else 0)


def interrupted_after_more(asked: list[str], folder: Path, games: int) -> str:
    """What a command says when Ctrl-C comes once it has kept more games."""
    process = subprocess.Popen(
        [sys.executable, "-m", "damier", *asked], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while kept_in(folder) <= games and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    return said
