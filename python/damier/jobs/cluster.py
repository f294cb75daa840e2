"""Pieces of work on the machines of a Ray cluster, handed out by this process as cores become free.

All state is here: a machine holds only the work and the pieces in progress, so it may die at any moment.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from damier._core import DamierError, StopFlag
from damier.jobs.connection import connected
from damier.jobs.machine import Machine, versions

if TYPE_CHECKING:
    from ray import ObjectRef
    from ray.actor import ActorHandle

__all__ = ["Fleet", "fleet"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0  # between two looks at which machines there are
PATIENCE_SECONDS = 60.0  # without any machine
STOP_SECONDS = 10.0  # for machines to end what is under way, engines of other people among it
MOST_ATTEMPTS = 5  # at a piece, whose machine died each time; it may well be the cause
MOST_STARTS = 3  # of a machine that dies before it is ready


@contextmanager
def fleet(
    work: Callable[[Piece, StopFlag], Done], address: str, threads: int | None = None
) -> Iterator[Fleet[Piece, Done]]:
    """The machines of the cluster at an address, ready for work; see `damier.jobs.pool`."""
    with connected(address) as ray:
        ours = Fleet(ray, work, threads)
        try:
            yield ours
        finally:
            ours.stop()


@dataclass
class _Task(Generic[Piece]):
    """A piece, and how many machines died while working on it."""

    piece: Piece
    attempts: int = 0


@dataclass(eq=False)
class _Worker:
    """The actor on one machine."""

    node: str
    host: str
    actor: ActorHandle[Machine]
    threads: int
    is_ready: bool = False
    is_lost: bool = False
    running: int = 0  # pieces

    @property
    def free(self) -> int:
        return self.threads - self.running if self.is_ready and not self.is_lost else 0


class Fleet(Generic[Piece, Done]):
    """The machines, with at most `threads` threads each, and what is in progress on them."""

    def __init__(self, ray: ModuleType, work: Callable[[Piece, StopFlag], Done], threads: int | None = None) -> None:
        self._ray = ray
        self._most_threads = threads
        try:
            self._work = ray.put(ray.cloudpickle.dumps(work))  # every machine fetches it once
        except Exception as error:  # whatever the parts of the work raise
            raise DamierError(f"the work cannot be sent to other machines: {error}") from None
        self._workers: dict[str, _Worker] = {}
        self._waiting: deque[_Task[Piece]] = deque()
        self._under_way = 0  # pieces
        self._arrived: SimpleQueue[tuple[_Worker, _Task[Piece] | None, Future[Any]]] = SimpleQueue()
        self._failed_starts: Counter[str] = Counter()
        self._last_failure = ""
        self._had_any = False  # machine that could do the work
        self._next_look = 0.0
        self._last_ready = time.monotonic()

    @property
    def width(self) -> int:
        """How many pieces all machines do at once, including machines that are starting."""
        return sum(worker.threads for worker in self._workers.values())

    def results(self, pieces: Iterable[Piece]) -> Iterator[Done]:
        """The result of each piece, exactly once, as it arrives."""
        source = iter(pieces)
        while self._has_waiting(source) or self._under_way:
            self._find_machines()
            self._dispatch(source)
            arrived = list(self._arrivals())
            errors = [error for _, error in arrived if error]
            if not errors:
                self._dispatch(source)  # first, since who hears of results may be slow
            yield from (result for result, error in arrived if not error)
            if errors:
                raise errors[0]

    def stop(self) -> None:
        """Ask the machines to stop, and return soon whether they do or not."""
        stops = [worker.actor.stop.remote() for worker in self._workers.values() if worker.is_ready]
        if stops:
            self._ray.wait(stops, num_returns=len(stops), timeout=STOP_SECONDS)
        for worker in self._workers.values():
            self._ray.kill(worker.actor)

    def _has_waiting(self, source: Iterator[Piece]) -> bool:
        if not self._waiting:
            self._waiting.extend(_Task(piece) for piece in _next_of(source))
        return bool(self._waiting)

    def _find_machines(self) -> None:
        """Start an actor on every new machine; raise if there has been no machine for long."""
        now = time.monotonic()
        if any(worker.is_ready for worker in self._workers.values()):
            self._last_ready = now
        elif now - self._last_ready > PATIENCE_SECONDS:
            raise DamierError(f"no machine of the cluster was free for {PATIENCE_SECONDS:g} s{self._last_failure}")
        if now < self._next_look:
            return
        self._next_look = now + LOOK_SECONDS
        for node in self._ray.nodes():
            name, cores = node["NodeID"], int(node["Resources"].get("CPU", 0)) if node["Alive"] else 0
            if cores and name not in self._workers and self._failed_starts[name] < MOST_STARTS:
                threads = min(cores, self._most_threads or cores)
                self._workers[name] = self._start(name, node["NodeManagerHostname"], threads)

    def _start(self, node: str, host: str, threads: int) -> _Worker:
        only_there = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        actor = (
            self._ray.remote(Machine)
            .options(num_cpus=threads, max_concurrency=threads + 2, scheduling_strategy=only_there)
            .remote(threads)
        )
        worker = _Worker(node, host, actor, threads)
        self._expect(worker, None, actor.prepare.remote(versions(), self._work))
        return worker

    def _dispatch(self, source: Iterator[Piece]) -> None:
        """Give pieces to the machines with the most free cores, while there are both."""
        while self._workers:
            worker = max(self._workers.values(), key=lambda worker: worker.free)
            if not worker.free or not self._has_waiting(source):
                return
            task = self._waiting.popleft()
            worker.running += 1
            self._under_way += 1
            self._expect(worker, task, worker.actor.do.remote(task.piece))

    def _expect(self, worker: _Worker, task: _Task[Piece] | None, answer: ObjectRef[Any]) -> None:
        answer.future().add_done_callback(lambda future: self._arrived.put((worker, task, future)))

    def _arrivals(self) -> Iterator[tuple[Any, Exception | None]]:
        """All results and errors that have arrived; waits briefly for something to happen."""
        try:
            arrival = self._arrived.get(timeout=LOOK_SECONDS)
            while True:
                yield from self._settle(*arrival)
                arrival = self._arrived.get_nowait()
        except Empty:
            return

    def _settle(
        self, worker: _Worker, task: _Task[Piece] | None, future: Future[Any]
    ) -> Iterator[tuple[Any, Exception | None]]:
        """Handle an answer of a machine, or the news that there will be none."""
        if task:
            worker.running -= 1
            self._under_way -= 1
        try:
            answer = future.result()
        except self._ray.exceptions.RayError as error:
            if task and isinstance(error, self._ray.exceptions.RayTaskError):  # it cannot be loaded there, say
                yield None, error.cause if isinstance(error.cause, Exception) else error
                return
            self._lose(worker, error)
            if task:
                yield from self._again(task)
        else:
            if task:
                yield pickle.loads(answer)
            elif answer == versions():
                worker.is_ready = self._had_any = True
                log.info("a machine of the cluster is at work: %s with %d threads", worker.host, worker.threads)
            else:
                differ = f"{worker.host} has {answer}, this process {versions()}; they must be the same"
                yield None, DamierError(differ)

    def _again(self, task: _Task[Piece]) -> Iterator[tuple[object, Exception | None]]:
        task.attempts += 1
        if task.attempts < MOST_ATTEMPTS:
            self._waiting.appendleft(task)
        else:
            yield None, DamierError(f"a piece was given up: {task.attempts} machines died over it{self._last_failure}")

    def _lose(self, worker: _Worker, error: Exception) -> None:
        """Forget a machine; if it is still there, the next look finds it and makes a new start."""
        if worker.is_lost:
            return
        worker.is_lost = True
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = lines[-1] if lines else type(error).__name__
        self._last_failure = f"; the last failure was: {why}"
        if worker.is_ready:
            log.warning("a machine of the cluster was lost, its pieces are run again: %s", why)
        else:
            self._failed_starts[worker.node] += 1
        del self._workers[worker.node]
        self._ray.kill(worker.actor)
        hopeless = all(starts >= MOST_STARTS for starts in self._failed_starts.values())
        if hopeless and not self._had_any and not self._workers:
            raise DamierError(f"no machine of the cluster can do the work{self._last_failure}")


def _next_of(source: Iterator[Piece]) -> Iterator[Piece]:
    """The next piece, if there is one."""
    for piece in source:
        yield piece
        return
