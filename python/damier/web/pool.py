"""Who searches next: a bounded number of threads, shared fairly between browsers.

Moves of games come before analyses, and one thread is reserved for them. An analysis keeps its threads for a while when
others wait, then it is interrupted and waits for its next turn. A player that thinks for long while another browser
waits for a move has to answer with the best it has.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TypeVar

from damier._core import StopFlag

__all__ = ["Pool", "Turn"]

T = TypeVar("T")
URGENT_SLICES = 3.0  # of a player, while others wait for theirs
OWNERS = 1000  # whose last turn is remembered


@dataclass(eq=False)
class Turn:
    """Threads for a piece of work: `stop` ends it for good, `interrupt` when its time is over and others wait."""

    owner: str
    threads: int
    urgent: bool
    number: int
    stop: StopFlag = field(default_factory=StopFlag)
    slices: float = 1.0  # for which it keeps its threads while others wait
    interrupt: Callable[[], None] | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    since: float = 0.0

    @contextmanager
    def interruptible(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Set how the work is interrupted."""
        self.interrupt = interrupt
        if self.stop.is_set():
            interrupt()
        try:
            yield
        finally:
            self.interrupt = None


class Pool:
    """Threads for searches, which release the GIL.

    >>> async def example() -> int:
    ...     pool = Pool(2)
    ...     try:
    ...         return await pool.run("anne", lambda turn: 6 * 7)
    ...     finally:
    ...         pool.close()
    >>> asyncio.run(example())
    42
    """

    def __init__(self, threads: int, slice_s: float = 2.0) -> None:
        self.threads = max(1, threads)
        self.slice_s = slice_s
        self.running: list[Turn] = []
        self.waiting: list[Turn] = []
        self._served: OrderedDict[str, int] = OrderedDict()  # when each owner had a turn last, the latest at the end
        self._numbers = count(1)
        self._executor = ThreadPoolExecutor(self.threads, thread_name_prefix="search")
        self._timer: asyncio.TimerHandle | None = None

    @property
    def for_analysis(self) -> int:
        """How many threads analyses may have together."""
        return max(1, self.threads - 1)

    def close(self) -> None:
        """Stop all searches."""
        for turn in [*self.running, *self.waiting]:
            self.stop(turn)
        self._executor.shutdown(wait=False, cancel_futures=True)

    @staticmethod
    def stop(turn: Turn) -> None:
        turn.stop.set()
        if turn.interrupt:
            turn.interrupt()

    async def run(
        self,
        owner: str,
        work: Callable[[Turn], T],
        *,
        threads: int = 1,
        urgent: bool = True,
        timeout: float | None = None,
        on_wait: Callable[[], None] | None = None,
        slices: float | None = None,
    ) -> T:
        """Do work in a thread when its turn comes; cancelling the caller stops it.

        After `timeout` seconds of work its stop flag is set, and it answers with what it has. `on_wait` is called if
        its turn does not come at once. While others wait it has this many slices of time.
        """
        most = self.threads if urgent else self.for_analysis
        turn = Turn(owner, min(threads, most), urgent, next(self._numbers))
        turn.slices = slices or (URGENT_SLICES if urgent else 1)
        self.waiting.append(turn)
        self._deal()
        if on_wait and not turn.ready.is_set():
            on_wait()
        try:
            await turn.ready.wait()
        except BaseException:
            if turn in self.waiting:
                self.waiting.remove(turn)
            self._finish(turn)
            raise
        loop = asyncio.get_running_loop()
        alarm = loop.call_later(timeout, self.stop, turn) if timeout else None
        future = loop.run_in_executor(self._executor, work, turn)
        future.add_done_callback(lambda _: self._finish(turn))
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self.stop(turn)
            future.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody asks for it any more
            raise
        finally:
            if alarm:
                alarm.cancel()

    def _finish(self, turn: Turn) -> None:
        if turn in self.running:
            self.running.remove(turn)
        self._deal()

    def _deal(self) -> None:
        """Give free threads to those who wait: urgent work first, then whoever has least, then in turn."""
        now = asyncio.get_running_loop().time()
        blocked = False  # work for many threads is not overtaken for ever by work for one
        for turn in sorted(self.waiting, key=self._rank):
            free = self.threads - sum(each.threads for each in self.running)
            spare = self.for_analysis - sum(each.threads for each in self.running if not each.urgent)
            if turn.threads > (free if turn.urgent else min(free, spare)) or (blocked and not turn.urgent):
                blocked = blocked or not turn.urgent
                continue
            self.waiting.remove(turn)
            self.running.append(turn)
            self._note(turn)
            turn.since = now
            turn.ready.set()
        self._watch(now)

    def _note(self, turn: Turn) -> None:
        self._served[turn.owner] = turn.number
        self._served.move_to_end(turn.owner)
        if len(self._served) > OWNERS:
            self._served.popitem(last=False)

    def _rank(self, turn: Turn) -> tuple[bool, int, int, int]:
        mine = sum(each.threads for each in self.running if each.owner == turn.owner)
        return not turn.urgent, mine, self._served.get(turn.owner, 0), turn.number

    def _watch(self, now: float) -> None:
        """While others wait, end running work after its slices."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self.waiting:
            return
        rests = [self._end(turn, now) for turn in self.running if self._is_in_the_way(turn)]
        later = min([rest for rest in rests if rest > 0], default=self.slice_s)
        self._timer = asyncio.get_running_loop().call_later(
            later, lambda: self._watch(asyncio.get_running_loop().time())
        )

    def _is_in_the_way(self, turn: Turn) -> bool:
        """Whether someone waits for the threads of a turn."""
        if turn.urgent:
            return any(other.urgent and other.owner != turn.owner for other in self.waiting)
        shares = self.for_analysis == self.threads  # with the urgent ones
        return any(shares or not other.urgent for other in self.waiting)

    def _end(self, turn: Turn, now: float) -> float:
        """End a turn if its time is over; otherwise return what it has left."""
        rest = turn.since + turn.slices * self.slice_s - now
        if rest <= 0 and turn.urgent:
            self.stop(turn)
        elif rest <= 0 and turn.interrupt:
            turn.interrupt()
        return rest
