"""`damier uci` as a process: how it starts, and how it ends."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys

import pytest
from dialogue import Partner

COMMAND = [sys.executable, "-m", "damier", "uci"]


@pytest.mark.parametrize("going", [[], ["go infinite"], ["go ponder wtime 1000 btime 1000"], ["go perft 20"]])
def test_quit_ends_everything(going: list[str]) -> None:
    with Partner("uci") as uci:
        uci.send("position startpos", *going, "quit")
        assert uci.process.wait(5) == 0


def test_end_of_input_ends_the_process() -> None:
    done = subprocess.run(
        COMMAND,
        input=b"position startpos\ngo infinite",
        capture_output=True,
        check=True,
        timeout=20,
    )
    assert done.stderr == b""


def test_interrupt_is_quiet() -> None:
    uci = Partner("uci")
    try:
        uci.send("position startpos", "go infinite")
        uci.expect("info .*")
        uci.process.send_signal(signal.SIGINT)
        assert uci.leave() == 130
    finally:
        uci.process.kill()


def test_a_client_that_stops_reading() -> None:
    """What is written to a closed pipe is lost in silence, and the next line ends the process."""
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    assert process.stderr
    with process:
        process.stdin.write(b"isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"readyok\n"
        process.stdout.close()
        process.stdin.write(b"position startpos\ngo infinite\nisready\nisready\n")
        process.stdin.flush()
        assert process.wait(10) == 0
        assert process.stderr.read() == b""


def test_ready_at_once() -> None:
    """In less than half a second of work, however busy the machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(COMMAND, input=b"uci\nisready\nquit\n", capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout.endswith(b"readyok\n")
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_nothing_heavy_is_loaded() -> None:
    slow = {"rich", "typer", "pyarrow", "numpy", "email", "subprocess"}
    code = f"import sys; from damier.protocols import HubServer, UciServer; print(sorted({slow} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
