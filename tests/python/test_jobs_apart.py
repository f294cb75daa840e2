"""Work in processes of its own: results and errors come back, and it ends with whoever asked for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from damier import jobs
from damier._core import DamierError, StopFlag
from damier.jobs.apart import Apart


def where(piece: int, stop: StopFlag) -> tuple[int, int]:
    print("this is not the answer")
    return piece, os.getpid()


def refuse(piece: int, stop: StopFlag) -> None:
    raise DamierError(f"{piece} is too many")


def die(piece: int, stop: StopFlag) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def stay(path: Path, stop: StopFlag) -> None:
    """Work until it is told to stop."""
    path.write_text(str(os.getpid()))
    while not stop.is_set():
        time.sleep(0.01)
    raise KeyboardInterrupt


def test_each_piece_has_a_process_of_its_own() -> None:
    done = dict(jobs.run(Apart(where), [1, 2, 3], threads=2))
    assert sorted(done) == [1, 2, 3]
    assert len({os.getpid(), *done.values()}) == 4


def test_an_error_is_raised_as_it_was_there() -> None:
    with pytest.raises(DamierError, match=r"^7 is too many$"):
        list(jobs.run(Apart(refuse), [7]))


def test_a_process_that_was_killed_is_told_of() -> None:
    with pytest.raises(DamierError, match="ended with exit status -9"):
        list(jobs.run(Apart(die), [7]))


def test_an_error_stops_the_others(tmp_path: Path) -> None:
    def work(piece: int, stop: StopFlag) -> None:
        if piece == 0:
            Apart(stay)(tmp_path / "pid", stop)
        while not (tmp_path / "pid").exists():
            time.sleep(0.01)
        raise DamierError("enough")

    with pytest.raises(DamierError, match="enough"):
        list(jobs.run(work, range(2), threads=2))


def test_it_ends_when_whoever_asked_was_killed(tmp_path: Path) -> None:
    program = f"""
from pathlib import Path
from test_jobs_apart import stay
from damier._core import StopFlag
from damier.jobs.apart import Apart
Apart(stay)(Path({str(tmp_path / "pid")!r}), StopFlag())
"""
    paths = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    asking = subprocess.Popen([sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": paths})
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert asking.poll() is None
        time.sleep(0.01)
    asking.kill()
    asking.wait()
    working = int((tmp_path / "pid").read_text())
    while is_running(working):
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"
