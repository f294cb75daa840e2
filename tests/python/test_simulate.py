"""Simulated games on disk: whole, resumable, exactly recoverable, and refused when they are something else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import damier
from damier.lab.simulation import SHARD_GAMES, simulate
from damier.storage import shards as stored_shards

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
    (folder / ".999999999.games-000001.parquet.tmp").write_bytes(b"half a shard")
    done = damier.simulate("rennes", games=GAMES, seed=4, out=folder, resume=True)
    assert (done.played, done.games, sum(done.results.values())) == (SHARD_GAMES, GAMES, GAMES)
    assert digest(folder) == before


def test_another_run_is_refused(folder: Path) -> None:
    before = digest(folder)
    for change in ({"seed": 5}, {"games": 7}):
        with pytest.raises(damier.DataError, match=r"this simulation has (seed|games)"):
            damier.simulate("rennes", **{"games": GAMES, "seed": 4, **change}, out=folder, resume=True)
    with pytest.raises(damier.DataError, match="this simulation has game 'rennes', not 'english'"):
        damier.simulate("english", games=GAMES, seed=4, out=folder, resume=True)
    assert digest(folder) == before


def shards(folder: Path) -> int:
    return len(list(folder.glob("*.parquet")))


def start(game: str, count: int, folder: Path) -> subprocess.Popen[bytes]:
    settings = f"games={count}, seed=4, threads=2, out=sys.argv[1], resume=True"
    script = f"import damier, sys; damier.simulate('{game}', {settings})"
    return subprocess.Popen([sys.executable, "-c", script, str(folder)], stderr=subprocess.DEVNULL)


def wait_until(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < deadline, "nothing happened for 30 s"
        time.sleep(0.01)


def test_killed_at_any_moment_it_leaves_whole_shards_and_can_be_completed(tmp_path: Path) -> None:
    count = 25 * SHARD_GAMES
    for moment in (0.0, 0.02, 0.05):
        before = shards(tmp_path)
        child = start("rennes", count, tmp_path)
        wait_until(lambda before=before: shards(tmp_path) > before)  # type: ignore[misc]
        time.sleep(moment)
        child.kill()
        child.wait()
        for shard in tmp_path.glob("*.parquet"):
            assert stored_shards.read_table(shard).num_rows == SHARD_GAMES
    assert shards(tmp_path) < 25
    done = damier.simulate("rennes", games=count, seed=4, out=tmp_path, resume=True)
    assert 0 < done.played < count
    last = damier.board("rennes").play_games(SHARD_GAMES, seed=4, first_game=count - SHARD_GAMES)
    stored = pq.read_table(tmp_path / "games-000024.parquet")
    assert b"".join(stored["moves"].to_pylist()) == last["codes"].tobytes()
    assert sorted(file.name for file in tmp_path.iterdir() if file.suffix != ".parquet") == ["run.json"]


def test_ctrl_c_ends_promptly_and_keeps_what_is_done(tmp_path: Path) -> None:
    child = start("chess", 10**7, tmp_path)
    wait_until((tmp_path / "run.json").exists)
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    try:
        assert child.wait(timeout=20) != 0
    finally:
        child.kill()
    assert not list(tmp_path.glob(".*"))


def test_files_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.tmp").write_text("keep")
    (tmp_path / f".{os.getppid()}.games-000007.parquet.tmp").write_text("a run under way")
    damier.simulate("rennes", games=3, seed=1, out=tmp_path)
    assert (tmp_path / "mine.tmp").read_text() == "keep"
    assert (tmp_path / f".{os.getppid()}.games-000007.parquet.tmp").exists()


@pytest.mark.parametrize(("game", "seed"), [("russian", 1), ("rennes", 2)])
def test_a_shard_of_another_run_is_not_taken_over(game: str, seed: int, tmp_path: Path) -> None:
    for name, other in (("one", {"game": "rennes", "seed": 1}), ("two", {"game": game, "seed": seed})):
        damier.simulate(games=5, out=tmp_path / name, **other)
    shard = "games-000000.parquet"
    (tmp_path / "one" / shard).write_bytes((tmp_path / "two" / shard).read_bytes())
    with pytest.raises(damier.DataError, match="belongs to another run"):
        damier.simulate("rennes", games=5, seed=1, out=tmp_path / "one", resume=True)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a readable Parquet file"),
        (b"PAR1 and nothing more", "not a readable Parquet file"),
        (b"PK\x03\x04", "not a readable Parquet file"),
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
    board.play("9-14")
    codes = np.append(damier.board("english").play_games(1, seed=1)["codes"][1:4], np.uint16(7))
    good = [*board.codes(), *codes[:0]]
    for bad in (np.array([7], np.uint16), codes):
        with pytest.raises(damier.DataError, match=r"ply \d+: code \d+ is not a legal move"):
            board.replay(bad)
        assert list(board.codes()) == good  # all or nothing
    for wrong in (codes.astype(np.int64) + 65536, codes.astype(float), codes[::2], [1, 2]):
        with pytest.raises(TypeError):
            board.replay(wrong)


def test_foreign_parquet_files_are_refused(folder: Path, tmp_path: Path) -> None:
    table = pq.read_table(folder / "games-000002.parquet")
    odd = table.set_column(1, "moves", pa.array([b"abc"] * 5))
    for name, broken, message in (
        ("columns", table.drop_columns(["moves"]), "expected the columns"),
        ("unnamed", table.replace_schema_metadata({}), "its metadata do not name a game"),
        ("no-json", table.replace_schema_metadata({b"damier": b"{"}), "its metadata do not name a game"),
        ("format", table.replace_schema_metadata({b"damier": b'{"format": 99}'}), "in format 99"),
        ("odd", odd, "not sequences of 16-bit numbers"),
    ):
        path = tmp_path / f"{name}.parquet"
        pq.write_table(broken, path)
        with pytest.raises(damier.DataError, match=message):
            list(damier.read_games(path))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "ludo", "games": 1}, "'ludo' is not a game"),
        ({"game": "loa", "games": -1}, "games is -1"),
        ({"game": "loa", "games": 1, "threads": 0}, "threads is 0"),
        ({"game": "loa", "games": 1, "seed": -3}, "seed is -3"),
        ({"game": "loa", "games": 1, "fen": "nothing"}, "LOA FEN"),
        ({"game": "loa", "games": 1, "out": "/proc/nowhere"}, "cannot hold games"),
        ({"game": "loa", "games": 1, "out": ""}, "out is empty"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(damier.DamierError, match=message):
        simulate(**arguments)  # type: ignore[arg-type]


def test_the_folder_says_what_it_holds(folder: Path) -> None:
    about = json.loads((folder / "run.json").read_text())
    assert (about["game"], about["seed"], about["games"]) == ("rennes", 4, GAMES)
