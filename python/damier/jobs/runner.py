"""Run many independent pieces of work, here or on many machines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from damier._core import StopFlag
from damier.jobs.local import Threads

__all__ = ["Workers", "pool", "run"]

Piece = TypeVar("Piece")
Done = TypeVar("Done")
Piece_contra = TypeVar("Piece_contra", contravariant=True)
Done_co = TypeVar("Done_co", covariant=True)


class Workers(Protocol[Piece_contra, Done_co]):
    """The workers, here or on many machines."""

    @property
    def width(self) -> int:
        """How many pieces they do at once."""

    def results(self, pieces: Iterable[Piece_contra]) -> Iterator[Done_co]:
        """The result of each piece, as it arrives."""


def run(
    work: Callable[[Piece, StopFlag], Done],
    pieces: Iterable[Piece],
    *,
    threads: int | None = None,
    cluster: str | None = None,
) -> Generator[Done, None, None]:
    """Run `work` on every piece and yield what it returns, as it arrives.

    An interruption or error sets the stop flag that each piece was given and is then raised, after results that were
    finished meanwhile. Work that has a `close` method is closed at the end.
    Pieces are taken only as threads become free, so their iterator may be endless. There is one thread by default.

    With `cluster` ("auto", or the address of a Ray cluster) all its machines work, with as many threads each, or all
    their cores. Work, pieces and results are then pickled: the work once per machine, so it should hold whatever is
    large. Pieces of a machine that dies are run again.

    >>> sorted(run(lambda piece, stop: piece * piece, range(4), threads=2))
    [0, 1, 4, 9]
    """
    with pool(work, threads=threads, cluster=cluster) as workers:
        yield from workers.results(pieces)


@contextmanager
def pool(
    work: Callable[[Piece, StopFlag], Done], *, threads: int | None = None, cluster: str | None = None
) -> Iterator[Workers[Piece, Done]]:
    """Like `run`, for one list of pieces after another; the workers are kept ready in between.

    >>> with pool(lambda piece, stop: piece + 1, threads=2) as workers:
    ...     workers.width, sorted(workers.results([1, 2])), list(workers.results([5]))
    (2, [2, 3], [6])
    """
    if cluster is None:
        with Threads(work, threads or 1) as here:
            yield here
        return
    from damier.jobs.cluster import fleet  # noqa: PLC0415  Ray is optional and slow to load

    with fleet(work, cluster, threads) as there:
        yield there
