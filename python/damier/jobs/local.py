"""Pieces of work on the threads of this machine. Native work releases the GIL, so threads are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import Generic, TypeVar

from damier._core import StopFlag

__all__ = ["Threads"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")


class Threads(Generic[Piece, Done]):
    """Threads that do one work; `close` raises its stop flag, waits for them, and closes the work if it has a `close`.

    >>> with Threads(lambda piece, stop: piece * piece, 2) as threads:
    ...     threads.submit(3).result(), sorted(threads.results([4, 5]))
    (9, [16, 25])
    """

    def __init__(self, work: Callable[[Piece, StopFlag], Done], threads: int) -> None:
        self._work = work
        self._threads = threads
        self._stop = StopFlag()
        self._pool = ThreadPoolExecutor(max_workers=threads)

    @property
    def width(self) -> int:
        return self._threads

    def submit(self, piece: Piece) -> Future[Done]:
        """Run a piece as soon as a thread is free."""
        return self._pool.submit(self._work, piece, self._stop)

    def results(self, pieces: Iterable[Piece]) -> Iterator[Done]:
        """The result of each piece, as it arrives; pieces are taken as threads become free."""
        waiting = iter(pieces)
        running = {self.submit(piece) for piece in islice(waiting, self._threads)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {self.submit(piece) for piece in islice(waiting, len(done))}
            failed = [future for future in done if future.exception()]
            for future in done.difference(failed):
                yield future.result()
            for future in failed:
                future.result()

    def close(self) -> None:
        """End whatever is in progress."""
        self._stop.set()
        self._pool.shutdown()
        close = getattr(self._work, "close", None)
        if close:
            close()

    def __enter__(self) -> Threads[Piece, Done]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
