"""The one way to run many independent pieces of work, here or on many machines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from damier._core import StopFlag
from damier.jobs.local import run_here

__all__ = ["run"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")


def run(
    work: Callable[[Piece, StopFlag], Done],
    pieces: Iterable[Piece],
    *,
    threads: int = 1,
    cluster: str | None = None,
) -> Iterator[Done]:
    """Run `work` on every piece and yield what it returns, as it arrives.

    An interruption or error raises the stop flag that each piece was given and is raised; what was finished beside it
    is yielded first. A work that has a `close` method is closed at the end.
    Pieces are taken only as threads become free, so their iterator may be endless.

    With `cluster` ("auto", or the address of a Ray cluster) the threads are all the cores of all its machines. Work,
    pieces and results are then pickled: the work once a machine. Pieces of a machine that dies are run again.

    >>> sorted(run(lambda piece, stop: piece * piece, range(4), threads=2))
    [0, 1, 4, 9]
    """
    if cluster is None:
        return run_here(work, pieces, threads)
    from damier.jobs.cluster import run_there  # noqa: PLC0415  Ray is optional and slow to load

    return run_there(work, pieces, cluster)
