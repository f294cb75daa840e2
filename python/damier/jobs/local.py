"""Pieces of work on the threads of this machine. Native work releases the GIL, so threads are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Any, Generic, TypeVar

from damier._core import StopFlag

__all__ = ["Threads", "run_here"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")


class Threads(Generic[Piece, Done]):
    """Threads that do one work; `close` raises its stop flag, waits for them, and closes the work if it has a `close`.

    >>> threads = Threads(lambda piece, stop: piece * piece, 2)
    >>> threads.submit(3).result()
    9
    >>> threads.close()
    """

    def __init__(self, work: Callable[[Piece, StopFlag], Done], threads: int) -> None:
        self._work = work
        self._stop = StopFlag()
        self._pool = ThreadPoolExecutor(max_workers=threads)

    def submit(self, piece: Piece) -> Future[Done]:
        """Have a piece done as soon as a thread is free."""
        return self._pool.submit(self._work, piece, self._stop)

    def close(self) -> None:
        """End whatever is under way."""
        self._stop.set()
        self._pool.shutdown()
        close = getattr(self._work, "close", None)
        if close:
            close()

    def __enter__(self) -> Threads[Piece, Done]:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def run_here(work: Callable[[Piece, StopFlag], Done], pieces: Iterable[Piece], threads: int) -> Iterator[Done]:
    """Run `work` on every piece and yield what it returns, as it arrives; see `damier.jobs.run`."""
    waiting = iter(pieces)
    with Threads(work, threads) as pool:
        running: set[Future[Done]] = set()
        for piece in islice(waiting, threads):
            running.add(pool.submit(piece))
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(piece) for piece in islice(waiting, len(done))}
            failed = [future for future in done if future.exception()]
            for future in done.difference(failed):
                yield future.result()
            for future in failed:
                future.result()
