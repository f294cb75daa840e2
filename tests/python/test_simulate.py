"""Simulated games on disk: whole, resumable, exactly recoverable, and refused when they are something else."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import damier
from damier.data import games, simulate
from damier.data.simulation import SHARD_GAMES

GAMES = 2 * SHARD_GAMES + 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rennes")
    damier.simulate("rennes", games=GAMES, seed=4, threads=2, out=path)
    return path


def digest(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_shards_hold_every_game_once(folder: Path) -> None:
    tables = [pq.read_table(file) for file in sorted(folder.glob("*.parquet"))]
    assert [table.num_rows for table in tables] == [SHARD_GAMES, SHARD_GAMES, 5]
    numbers = np.concatenate([table["number"].to_numpy() for table in tables])
    assert (numbers == np.arange(GAMES)).all()
    assert sorted(file.name for file in folder.iterdir() if file.suffix != ".parquet") == ["run.json"]


def test_states_are_recovered_exactly(folder: Path) -> None:
    fresh = damier.board("rennes").play_games(3, seed=4, first_game=2 * SHARD_GAMES)
    stored = list(damier.read_games(folder / "games-000002.parquet"))
    assert len(stored) == 5
    for row in range(3):
        game = stored[row]
        begin = fresh["ends"][row - 1] if row else 0
        assert list(game.moves) == list(fresh["codes"][begin : fresh["ends"][row]])
        board, states = damier.board("rennes"), game.states()
        assert len(states) == game.plies + 1
        assert (states[0] == board.planes()).all()
        outcome = game.board().outcome()
        assert outcome is not None
        assert (outcome.result, outcome.reason) == (game.result, game.reason)


def test_running_again_completes_the_set(folder: Path) -> None:
    before = digest(folder)
    (folder / "games-000001.parquet").unlink()
    (folder / "games-000001.99.tmp").write_bytes(b"half a shard")
    done = damier.simulate("rennes", games=GAMES, seed=4, out=folder)
    assert (done.played, done.games, sum(done.results.values())) == (SHARD_GAMES, GAMES, GAMES)
    assert digest(folder) == before


def test_another_run_is_refused(folder: Path) -> None:
    before = digest(folder)
    for change in ({"seed": 5}, {"games": 7}):
        with pytest.raises(damier.DataError, match="holds another run, with"):
            damier.simulate("rennes", **{"games": GAMES, "seed": 4, **change}, out=folder)
    with pytest.raises(damier.DataError, match="holds another run, with game 'rennes'"):
        damier.simulate("english", games=GAMES, seed=4, out=folder)
    assert digest(folder) == before


def test_killed_at_any_moment_it_leaves_whole_shards(tmp_path: Path) -> None:
    script = "import damier, sys; damier.simulate('rennes', games=10**6, seed=1, threads=2, out=sys.argv[1])"
    for moment in (0.05, 0.3, 0.6):
        child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
        deadline = time.monotonic() + 30
        while not list(tmp_path.glob("*.parquet")) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(moment)
        child.send_signal(signal.SIGKILL)
        child.wait()
        for shard in tmp_path.glob("*.parquet"):
            assert games.read_table(shard).num_rows == SHARD_GAMES
    assert len(list(tmp_path.glob("*.parquet"))) > 0


def test_ctrl_c_ends_promptly_and_keeps_what_is_done(tmp_path: Path) -> None:
    script = "import damier, sys; damier.simulate('chess', games=10**7, seed=1, threads=2, out=sys.argv[1])"
    child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stderr=subprocess.DEVNULL)
    while not (tmp_path / "run.json").exists():
        time.sleep(0.02)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    child.wait(timeout=20)
    assert child.returncode != 0
    assert not list(tmp_path.glob("*.tmp"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no readable Parquet file"),
        (b"PAR1 and nothing more", "no readable Parquet file"),
        (b"PK\x03\x04", "no readable Parquet file"),
    ],
)
def test_broken_files_are_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "games-000000.parquet"
    path.write_bytes(content)
    with pytest.raises(damier.DataError, match=message) as caught:
        list(damier.read_games(path))
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_truncated_shards_are_refused(folder: Path, tmp_path: Path) -> None:
    whole = (folder / "games-000002.parquet").read_bytes()
    for length in range(0, len(whole), max(1, len(whole) // 50)):
        path = tmp_path / "cut.parquet"
        path.write_bytes(whole[:length])
        with pytest.raises(damier.DataError):
            list(damier.read_games(path))


def test_moves_that_do_not_replay_are_refused() -> None:
    board = damier.board("english")
    with pytest.raises(damier.DataError, match="ply 1: code 7 is no legal move"):
        board.replay(np.array([7], np.uint16))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "ludo", "games": 1}, "'ludo' is no game"),
        ({"game": "loa", "games": -1}, "games is -1"),
        ({"game": "loa", "games": 1, "threads": 0}, "threads is 0"),
        ({"game": "loa", "games": 1, "seed": -3}, "seed is -3"),
        ({"game": "loa", "games": 1, "fen": "nothing"}, "LOA FEN"),
        ({"game": "loa", "games": 1, "out": "/proc/nowhere"}, "cannot be written"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(damier.DamierError, match=message):
        simulate(**arguments)  # type: ignore[arg-type]


def test_the_folder_says_what_it_holds(folder: Path) -> None:
    about = json.loads((folder / "run.json").read_text())
    assert (about["game"], about["seed"], about["games"]) == ("rennes", 4, GAMES)
