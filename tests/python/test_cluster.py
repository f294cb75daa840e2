"""Jobs and matches on a real Ray cluster on this machine, whose nodes and workers die; each result must come once.

Nothing here waits for a time to pass, but for what must happen, however busy the machine is.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import shlex
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import pytest
from cluster_work import Broken, Dies, Heavy, Slowly, fails, returns_a_lock
from common import out, refusal

import damier
from damier import jobs
from damier.arena.match import Match
from damier.jobs import cluster as driver
from damier.jobs.machine import Machine
from damier.jobs.pace import Pace
from damier.storage.pairs import PairsFile

needs_ray = pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed")

BAD_ENGINE = Path(__file__).with_name("bad_engine.py")


@pytest.fixture(scope="module")
def head() -> Iterator[Any]:
    """A cluster whose head offers no core, so that a test may end every node that works."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    quick = {"health_check_period_ms": 500, "health_check_failure_threshold": 4, "enable_worker_prestart": False}
    bare = {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}  # processes nobody asks for
    settings = bare | {"num_cpus": 0, "object_store_memory": 2**27, "_system_config": quick}
    with pytest.MonkeyPatch.context() as patch:  # the nodes must find the work of these tests
        patch.setenv("PYTHONPATH", f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
        cluster = Cluster(initialize_head=True, head_node_args=settings)
        yield cluster
        cluster.shutdown()


@pytest.fixture
def node(head: Any) -> Any:
    """A node of two cores at least, left by an earlier test or new."""
    return working(head)[0] if working(head) else add_node(head)


@pytest.fixture
def nodes(head: Any, node: Any) -> list[Any]:
    """Two of them."""
    while len(working(head)) < 2:
        add_node(head)
    return working(head)


def working(head: Any) -> list[Any]:
    return [node for node in head.list_all_nodes() if node is not head.head_node]


def add_node(head: Any) -> Any:
    return head.add_node(num_cpus=2, object_store_memory=2**27)


def kill(head: Any, node: Any) -> None:
    """As a power cut would: Ray's own way leaves the workers some time."""
    for worker in workers(node):
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    head.remove_node(node, allow_graceful=False)


def workers(node: Any) -> list[int]:
    """The processes of a node that work or wait for work."""
    raylet = node.all_processes["raylet"][0].process.pid
    return [int(child) for child in Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()]


def command_of(process: int | str) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:  # it has just ended
        return ""


def has_actor(node: Any, method: str = "") -> bool:
    """Whether the actor of a node is there, busy with a method of it."""
    title = f"ray::Machine.{method}" if method else "ray::Machine"
    return any(command_of(worker).startswith(title) for worker in workers(node))


def engines(token: str) -> list[str]:
    """The processes that were started with this word."""
    numbers = (path.name for path in Path("/proc").iterdir() if path.name.isdecimal())
    return [number for number in numbers if command_of(number).rstrip("\0").endswith(f"\0{token}")]


def write_files(folder: Path) -> tuple[Path, Path]:
    """A tournament of two rounds, and a tuning of three steps."""
    cup, space = folder / "cup.toml", folder / "space.toml"
    cup.write_text('game = "loa5"\nformat = "swiss"\nplayers = ["random", "oneply", "engine:nodes=40", "mtdf:depth=2"]')
    space.write_text(
        'game = "loa5"\nplayer = "engine:nodes=40"\nsteps = 3\npairs = 2\n'
        "[parameters.lmr_base]\nstart = 70\nleast = 0\nmost = 200\nc_end = 30"
    )
    return cup, space


def wait_for(happens: Callable[[], bool]) -> None:
    end = time.monotonic() + 90  # only where it never happens
    while not happens():
        assert time.monotonic() < end, "it never happens"
        time.sleep(0.05)


@needs_ray
def test_without_machines(head: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    assert list(jobs.run(fails, [], cluster=head.address)) == []
    monkeypatch.setattr(driver, "PATIENCE_SECONDS", 0.5)
    with pytest.raises(damier.DamierError, match=r"no machine of the cluster was free for 0.5 s"):
        list(jobs.run(fails, range(3), cluster=head.address))


@needs_ray
def test_the_work_is_sent_once_and_every_core_works(head: Any, node: Any, tmp_path: Path) -> None:
    work = Heavy(tmp_path, bytes(3_000_000), meeting=2)
    with jobs.pool(work, cluster=head.address) as workers:
        assert max(workers.results(range(20))) == workers.width == 2
        assert len(list(workers.results(range(20)))) == 20
    assert len(list(tmp_path.iterdir())) == len(working(head)) == 1


@needs_ray
def test_concurrency_is_a_cap_on_each_machine(head: Any, node: Any, tmp_path: Path) -> None:
    assert list(jobs.run(Heavy(tmp_path, b""), range(12), threads=1, cluster=head.address)) == [1] * 12


def test_a_piece_of_a_match_holds_numbers_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = tmp_path / "book.fen"
    book.write_text("".join(f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {n}\n" for n in range(1, 2001)))
    sizes: dict[str, list[int]] = {"work": [], "piece": []}
    pool = jobs.pool

    def weighed(what: str, item: Any) -> Any:
        sizes[what].append(len(pickle.dumps(item)))
        return item

    @contextmanager
    def listening(work: Any, **where: Any) -> Iterator[Any]:
        with pool(weighed("work", work), **where) as workers:
            results = workers.results
            workers.results = lambda pieces: results(weighed("piece", piece) for piece in pieces)
            yield workers

    monkeypatch.setattr(jobs, "pool", listening)
    Match("chess", "engine:nodes=20", "random", games=6, openings=str(book)).run()
    assert len(sizes["work"]) == 1
    assert sizes["work"][0] > 100_000
    assert len(sizes["piece"]) == 3
    assert max(sizes["piece"]) < 500


@needs_ray
def test_other_versions_are_refused(head: Any, node: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    there = driver.versions()
    monkeypatch.setattr(driver, "versions", lambda: "damier 0.0.1, Python 3.9")
    expected = rf"{os.uname().nodename} has {there}, this process damier 0.0.1, Python 3.9"
    with pytest.raises(damier.DamierError, match=expected):
        list(jobs.run(fails, range(2), cluster=head.address))


@needs_ray
def test_commands(head: Any, node: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each gives on a cluster what it gives here."""
    cup, space = write_files(tmp_path)
    commands = [
        ["tournament", str(cup)],
        ["tune", str(space), "--sprt", "none"],
        ["selfplay", "rennes", "--games", "300", "--nodes", "20"],
        ["selfplay", "loa5", "--games", "12", "--player", "mtdf:depth=2", "--opponent", "random"],
    ]
    with driver.connected(head.address):  # once for all of them
        for number, asked in enumerate(commands):
            runs = tmp_path / str(number)
            here, there = (
                json.loads(out(capsys, *asked, "--json", "--out", str(runs / place), *more))
                for place, more in (("here", ()), ("there", ("--cluster", head.address)))
            )
            for changing in ("seconds", "games_per_second", "out"):
                here.pop(changing, None), there.pop(changing, None)
            assert there == here
            kept = [sorted(folder.glob("games-*.parquet")) for folder in sorted(runs.iterdir())]
            assert [file.read_bytes() for file in kept[0]] == [file.read_bytes() for file in kept[1]]


@needs_ray
def test_a_worker_that_dies(head: Any, node: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(jobs.run(Dies(tmp_path / "once"), range(4), cluster=head.address)) == [0, 1, 2, 3]
    monkeypatch.setattr(driver, "MOST_ATTEMPTS", 2)
    monkeypatch.setattr(driver, "LOOK_SECONDS", 0.2)
    with pytest.raises(damier.DamierError, match="2 machines died over it"):
        list(jobs.run(Dies(None), range(4), cluster=head.address))


@needs_ray
def test_errors_of_the_work_are_raised_here(head: Any, node: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MOST_STARTS", 1)
    with driver.connected(head.address):
        with pytest.raises(ValueError, match=r"'piece', 3") as raised:
            list(jobs.run(fails, range(100), cluster=head.address))
        assert type(raised.value) is ValueError
        assert raised.value.__notes__[0].startswith("raised on ")
        lock = threading.Lock()
        with pytest.raises(damier.DamierError, match="cannot be sent"):
            list(jobs.run(lambda piece, stop: lock, range(2), cluster=head.address))
        with pytest.raises(damier.DamierError, match=r"can do the work.*no such work here"):
            list(jobs.run(Broken(), range(2), cluster=head.address))


@needs_ray
def test_a_result_that_cannot_be_sent() -> None:
    machine = Machine(1)
    machine.prepare(driver.versions(), pickle.dumps(returns_a_lock))
    result, error = pickle.loads(machine.do(0))
    machine.stop()
    assert result is None
    assert "cannot pickle" in str(error)


@needs_ray
def test_an_interruption_leaves_nothing_running(head: Any, nodes: list[Any], tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    token = str(notes)
    partner = f"uci:{sys.executable} {BAD_ENGINE} uci 'hang in search' {token}"
    asked = ["match", "chess", partner, "engine", "--tc", "600", "--games", "8", "--cluster", head.address]
    process = subprocess.Popen(
        [sys.executable, "-m", "damier", *asked, "--out", str(tmp_path / "match")], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: all(has_actor(node, "do") for node in nodes) and bool(engines(token)))
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=90)
    assert process.returncode == 130
    asked += ["--out", str(tmp_path / "match"), "--resume"]
    assert said == f"interrupted; resume with `{shlex.join(['damier', *asked])}`\n"
    wait_for(lambda: not any(has_actor(node) for node in nodes))
    wait_for(lambda: not engines(token))


@needs_ray
def test_both_nodes_work_and_a_dead_one_is_replaced(head: Any, nodes: list[Any], tmp_path: Path) -> None:
    work = Slowly(tmp_path)
    results: list[tuple[int, str]] = []

    def pieces() -> Iterator[int]:
        """Until a third node has joined, which takes as long as it takes."""
        yield from takewhile(lambda _: len({node for _, node in results}) < 3, count())

    doomed = nodes[1]
    for result in jobs.run(work, pieces(), cluster=head.address):
        results.append(result)
        assert len(results) < 2000, "the third node never joins"
        if {node for _, node in results} == {node.node_id for node in nodes}:
            (tmp_path / f"hold {doomed.node_id}").touch()
        if (tmp_path / f"held {doomed.node_id}").exists() and doomed in working(head):
            kill(head, doomed)
            add_node(head)
    assert doomed not in working(head)
    assert sorted(piece for piece, _ in results) == list(range(len(results))), "every piece has come, and once"
    assert len({node for _, node in results}) == 3, "the node that joined late works too"
    lost = [node for piece, node in work.begun() if (piece, node) not in results]
    assert set(lost) == {doomed.node_id}, "no piece is begun anew but those of the dead node"
    assert len(list(tmp_path.glob("closed *"))) == 2


@needs_ray
def test_a_match_survives_the_death_of_a_node(
    head: Any, nodes: list[Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = ("loa", "engine:nodes=1000", "engine:nodes=500")
    here = Match(*asked, games=120, seed=3).run()
    match = Match(*asked, games=120, seed=3, out=tmp_path, cluster=head.address, concurrency=1)
    caplog.set_level(logging.INFO)

    def on_pair(tally: Any) -> None:
        if caplog.text.count("is at work") < 2:
            time.sleep(0.5)  # it may start so late that the other plays all games
        elif tally.games >= 12 and len(nodes) == 2:
            kill(head, nodes.pop())

    there = match.run(on_pair)
    assert len(nodes) == 1
    assert "its pieces are run again" in caplog.text
    assert there.report() == here.report()
    assert there.plies == here.plies
    assert sorted(number for number, _ in PairsFile(tmp_path, "loa", int).read()) == list(range(60))


def test_without_ray(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.setenv("RAY_ADDRESS", "auto")
    said = refusal(capsys, "match", "loa", "random", "random", "--games", "2", "--cluster", "auto")
    assert "pip install 'damier[cluster]'" in said


@pytest.mark.parametrize(
    "command",
    [
        ["match", "loa", "random", "random"],
        ["tournament", "cup.toml"],
        ["ladder", "loa"],
        ["tune", "space.toml"],
        ["simulate", "loa", "--games", "2"],
        ["selfplay", "loa", "--games", "2", "--out", "games"],
    ],
    ids=lambda command: command[0],
)
def test_nobody_is_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    assert "no Ray cluster answers at 127.0.0.1:1: " in refusal(capsys, *command, "--cluster", "127.0.0.1:1")


def test_an_address_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert "HOST:PORT" in refusal(capsys, "simulate", "loa", "--games", "2", "--cluster", "here")


def test_something_else_listens_there(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=lambda: server.accept()[0].sendall(b"SSH-2.0\r\n")).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        said = refusal(capsys, "simulate", "loa", "--games", "2", "--cluster", address)
    assert f"no Ray cluster answers at {address}: something else is listening there" in said


def test_pieces_of_a_match_last_about_as_long_as_asked() -> None:
    pace = Pace(seconds=20)
    pieces = pace.pieces(iter(range(1000)), 1000, lambda: 4)
    assert next(pieces) == (0,)
    pace.add(4, 2.0)
    assert next(pieces) == tuple(range(1, 41))
    rest = list(pieces)
    assert [number for piece in rest for number in piece] == list(range(41, 1000))
    assert len([piece for piece in rest if len(piece) < 40]) > 4  # as many cores end together
    assert len(rest[-1]) == 1
    pace.spent = 1e6
    assert len(next(pace.pieces(iter(range(9)), None, lambda: 4))) == 1
