"""Pieces of work on the threads of this machine. Native work releases the GIL, so threads are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

from damier._core import StopFlag

__all__ = ["run"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")


def run(work: Callable[[Piece, StopFlag], Done], pieces: Iterable[Piece], *, threads: int = 1) -> Iterator[Done]:
    """Run `work` on every piece and yield what it returns, as it arrives.

    An interruption or error raises the stop flag that each piece was given, waits for the pieces under way and is
    raised; what was finished beside it is yielded first.
    Pieces are taken only as threads become free, so their iterator may be endless.

    >>> sorted(run(lambda piece, stop: piece * piece, range(4), threads=2))
    [0, 1, 4, 9]
    """
    stop = StopFlag()
    waiting = iter(pieces)
    with ThreadPoolExecutor(max_workers=threads) as pool:
        running: set[Future[Done]] = set()
        try:
            for piece in islice(waiting, threads):
                running.add(pool.submit(work, piece, stop))
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(work, piece, stop) for piece in islice(waiting, len(done))}
                failed = [future for future in done if future.exception()]
                for future in done.difference(failed):
                    yield future.result()
                for future in failed:
                    future.result()
        finally:
            stop.set()
