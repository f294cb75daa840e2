"""Jobs and matches on a real Ray cluster on this machine, whose nodes and workers die; each result must come once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count, takewhile
from pathlib import Path
from typing import Any

import pytest
from common import refusal

import damier
from damier import jobs
from damier.arena.match import Match
from damier.arena.pace import Pace
from damier.arena.store import Store
from damier.jobs import cluster as driver

needs_ray = pytest.mark.skipif(not find_spec("ray"), reason="ray is not installed")


@dataclass
class Slowly:
    """Leaves a note of each piece it begins, in a folder that all nodes share here."""

    notes: Path
    seconds: float = 0.4

    def __call__(self, piece: int, stop: Any) -> tuple[int, str]:
        import ray  # noqa: PLC0415

        node = ray.get_runtime_context().get_node_id()
        (self.notes / f"{piece} {node} {time.monotonic()}").touch()
        time.sleep(self.seconds)
        return piece, node

    def close(self) -> None:
        (self.notes / f"closed {os.getpid()}").touch()

    def begun(self) -> list[tuple[str, str, float]]:
        """Piece, node and time of each note."""
        names = (note.name.split() for note in self.notes.iterdir() if not note.name.startswith("closed"))
        return [(piece, node, float(when)) for piece, node, when in names]

    def is_amid(self, doomed: str) -> bool:
        """Whether a node has just begun a piece."""
        return any(node == doomed and time.monotonic() - when < self.seconds / 2 for _, node, when in self.begun())


@dataclass
class Dies:
    """Takes its process along, once or always."""

    note: Path | None

    def __call__(self, piece: int, stop: Any) -> int:
        if piece == 1 and not (self.note and self.note.exists()):
            if self.note:
                self.note.touch()
            os._exit(1)
        return piece


def fails(piece: int, stop: Any) -> int:
    if piece == 3:
        raise ValueError("piece", piece)
    return piece


def returns_a_lock(piece: int, stop: Any) -> Any:
    return threading.Lock()


def cannot_be_loaded() -> Any:
    raise ImportError("no such work here")


class Broken:
    def __reduce__(self) -> Any:
        return cannot_be_loaded, ()

    def __call__(self, piece: int, stop: Any) -> int:
        return piece


@pytest.fixture(scope="module")
def head() -> Iterator[Any]:
    """A cluster whose head offers no core, so that a test may end every node that works."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415

    quick = {"health_check_period_ms": 500, "health_check_failure_threshold": 4}
    settings = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 2**27, "_system_config": quick}
    with pytest.MonkeyPatch.context() as patch:  # the nodes must find the work of these tests
        patch.setenv("PYTHONPATH", f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
        cluster = Cluster(initialize_head=True, head_node_args=settings)
        yield cluster
        cluster.shutdown()


@pytest.fixture
def nodes(head: Any) -> list[Any]:
    """Two nodes of one core, those that an earlier test left alive among them."""
    while len(working(head)) < 2:
        add_node(head)
    return working(head)


def working(head: Any) -> list[Any]:
    return [node for node in head.list_all_nodes() if node is not head.head_node]


def add_node(head: Any) -> Any:
    return head.add_node(num_cpus=1, object_store_memory=2**27)


def kill(head: Any, node: Any) -> None:
    """As a power cut would: Ray's own way leaves the workers some time."""
    for worker in workers(node):
        os.kill(worker, signal.SIGKILL)
    head.remove_node(node, allow_graceful=False)


def workers(node: Any) -> list[int]:
    """The processes of a node that work or wait for work."""
    raylet = node.all_processes["raylet"][0].process.pid
    return [int(child) for child in Path(f"/proc/{raylet}/task/{raylet}/children").read_text().split()]


def has_actor(node: Any, method: str = "") -> bool:
    """Whether the actor of a node is there, busy with a method of it."""
    title = f"ray::Machine.{method}" if method else "ray::Machine"
    return any(Path(f"/proc/{worker}/cmdline").read_text().startswith(title) for worker in workers(node))


@needs_ray
def test_without_machines(head: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for node in working(head):
        head.remove_node(node)
    assert list(jobs.run(fails, [], cluster=head.address)) == []
    monkeypatch.setattr(driver, "PATIENCE_SECONDS", 1.5)
    with pytest.raises(damier.DamierError, match=r"no machine of the cluster was free for 1.5 s"):
        list(jobs.run(fails, range(3), cluster=head.address))


@needs_ray
def test_both_nodes_work_and_a_dead_one_is_replaced(head: Any, nodes: list[Any], tmp_path: Path) -> None:
    work = Slowly(tmp_path)
    results: list[tuple[int, str]] = []
    end = time.monotonic() + 40

    def pieces() -> Iterator[int]:
        """Until a third node has joined, which takes as long as it takes."""
        yield from takewhile(lambda _: len({node for _, node in results}) < 3 and time.monotonic() < end, count())

    for result in jobs.run(work, pieces(), cluster=head.address):
        results.append(result)
        time.sleep(0.1)  # or the next piece has not begun
        if len(nodes) == 2 and len(results) > 2 and work.is_amid(nodes[1].node_id):
            kill(head, nodes.pop())
            add_node(head)
    assert len(nodes) == 1, "a node was killed"
    assert sorted(piece for piece, _ in results) == list(range(len(results)))
    begun = Counter(piece for piece, _, _ in work.begun())
    assert [times for times in begun.values() if times > 1] == [2], "the piece under way is begun anew, no other"
    assert len({node for _, node in results}) == 3, "the node that joined late works too"
    assert len(list(tmp_path.glob("closed *"))) == 2


@needs_ray
def test_a_match_survives_the_death_of_a_node(
    head: Any, nodes: list[Any], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    asked = ("loa", "engine:nodes=1000", "engine:nodes=500")
    here = Match(*asked, games=40, seed=3).run()
    match = Match(*asked, games=40, seed=3, out=tmp_path, cluster=head.address)

    def told(tally: Any) -> None:
        while tally.games == 2 and not has_actor(nodes[1]):
            time.sleep(0.05)  # one node may start so late that the other plays all games
        if tally.games >= 12 and len(nodes) == 2 and has_actor(nodes[1], "do"):
            kill(head, nodes.pop())

    there = match.run(told)
    assert len(nodes) == 1
    assert "its pieces are run again" in caplog.text
    assert there.report() == here.report()
    assert there.plies == here.plies
    assert sorted(number for number, _ in Store(tmp_path, {}, int, resume=True).pairs()) == list(range(20))


@needs_ray
def test_a_worker_that_dies(head: Any, nodes: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(jobs.run(Dies(tmp_path / "once"), range(4), cluster=head.address)) == [0, 1, 2, 3]
    monkeypatch.setattr(driver, "MOST_ATTEMPTS", 2)
    with pytest.raises(damier.DamierError, match="2 machines died over it"):
        list(jobs.run(Dies(None), range(4), cluster=head.address))


@needs_ray
def test_errors_of_the_work_are_raised_here(head: Any, nodes: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "MOST_STARTS", 1)
    finished = []
    with pytest.raises(ValueError, match=r"'piece', 3") as raised:
        finished.extend(jobs.run(fails, range(100), cluster=head.address))
    assert type(raised.value) is ValueError
    assert raised.value.__notes__[0].startswith("raised on ")
    with pytest.raises(TypeError, match="cannot pickle"):
        list(jobs.run(returns_a_lock, range(2), cluster=head.address))
    lock = threading.Lock()
    with pytest.raises(damier.DamierError, match="cannot be sent"):
        list(jobs.run(lambda piece, stop: lock, range(2), cluster=head.address))
    with pytest.raises(damier.DamierError, match=r"can do the work.*no such work here"):
        list(jobs.run(Broken(), range(2), cluster=head.address))


@needs_ray
def test_an_interruption(head: Any, nodes: list[Any], tmp_path: Path) -> None:
    asked = ["match", "chess", "engine:time=600", "engine:time=600", "--games", "4", "--cluster", head.address]
    process = subprocess.Popen(
        [sys.executable, "-m", "damier", *asked, "--out", str(tmp_path)], stderr=subprocess.PIPE, text=True
    )
    end = time.monotonic() + 30
    while not all(has_actor(node, "do") for node in nodes) and time.monotonic() < end:
        time.sleep(0.1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, said = process.communicate(timeout=30)
    assert time.monotonic() - start < 8
    assert process.returncode == 130
    assert said == f"interrupted; `--out {tmp_path} --resume` goes on\n"
    assert list(jobs.run(fails, range(2), cluster=head.address)) in ([0, 1], [1, 0])  # the nodes are free again


def test_without_ray(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    said = refusal(capsys, "match", "loa", "random", "random", "--games", "2", "--cluster", "auto")
    assert "pip install 'damier[cluster]'" in said


@pytest.mark.parametrize(
    ("address", "words"), [("127.0.0.1:1", "no Ray cluster answers at 127.0.0.1:1"), ("here", "HOST:PORT")]
)
def test_bad_addresses(capsys: pytest.CaptureFixture[str], address: str, words: str) -> None:
    assert words in refusal(capsys, "match", "loa", "random", "random", "--games", "2", "--cluster", address)


def test_pieces_of_a_match_last_about_as_long_as_asked() -> None:
    pace = Pace(seconds=20)
    pieces = pace.pieces(iter(range(1000)), 1000)
    assert next(pieces) == (0,)
    pace.pairs, pace.spent = 4, 2.0
    assert next(pieces) == tuple(range(1, 41))
    rest = list(pieces)
    assert [number for piece in rest for number in piece] == list(range(41, 1000))
    assert len(rest[-1]) == 1
    pace.spent = 1e6
    assert len(next(pace.pieces(iter(range(9)), None))) == 1
