"""Who searches next: fair between browsers, bounded, and stopped when nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from damier.web.pool import OWNERS, Pool, Turn

PATIENCE = 60.0


class Gate:
    """Work that begins when it gets a thread and ends when the test says so."""

    def __init__(self, pool: Pool, log: list[str]) -> None:
        self.pool, self.log = pool, log
        self.opened: dict[str, threading.Event] = {}
        self.tasks: dict[str, asyncio.Task[Any]] = {}

    def ask(self, name: str, owner: str, **about: Any) -> None:
        event = self.opened[name] = threading.Event()

        def work(turn: Turn) -> str:
            self.log.append(name)
            with turn.interruptible(event.set):
                assert event.wait(PATIENCE)
            return name

        self.tasks[name] = asyncio.create_task(self.pool.run(owner, work, **about))

    async def until(self, wanted: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not wanted():
                await asyncio.sleep(0.001)

    async def end(self, name: str) -> None:
        self.opened[name].set()
        await self.tasks[name]


def tried(
    threads: int, scenario: Callable[[Pool, Gate, list[str]], Awaitable[None]], slice_s: float = 1e6
) -> list[str]:
    log: list[str] = []

    async def run() -> None:
        pool = Pool(threads, slice_s)
        try:
            await scenario(pool, Gate(pool, log), log)
        finally:
            pool.close()

    with ThreadPoolExecutor(1) as apart:  # a test in the browser leaves a loop running in this thread
        apart.submit(asyncio.run, run()).result()
    return log


def test_browsers_take_turns() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        for number in range(3):
            gate.ask(f"a{number}", "anne", urgent=False)
        gate.ask("b0", "bob", urgent=False)
        await gate.until(lambda: len(log) == 1 and len(pool.waiting) == 3)
        for count in range(1, 5):
            await gate.end(log[-1])
            await gate.until(lambda count=count: len(log) == min(4, count + 1))  # type: ignore[misc]

    assert tried(1, scenario) == ["a0", "b0", "a1", "a2"]


def test_a_thread_is_kept_for_moves() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("analysis", "anne", urgent=False, threads=64)
        gate.ask("another", "bob", urgent=False)
        await gate.until(lambda: log == ["analysis"])
        gate.ask("move", "carl")
        await gate.until(lambda: "move" in log)
        assert sum(turn.threads for turn in pool.running) == 3
        await gate.end("move")
        await gate.end("analysis")
        await gate.until(lambda: "another" in log)
        await gate.end("another")

    assert tried(3, scenario) == ["analysis", "move", "another"]


def test_moves_come_first() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("first", "anne")
        await gate.until(lambda: log == ["first"])
        gate.ask("analysis", "bob", urgent=False)
        gate.ask("move", "carl")
        await gate.until(lambda: len(pool.waiting) == 2)
        for name in ("first", "move", "analysis"):
            await gate.end(name)

    assert tried(1, scenario) == ["first", "move", "analysis"]


def test_an_analysis_gives_way_after_its_slice() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("long", "anne", urgent=False)
        await gate.until(lambda: log == ["long"])
        gate.ask("other", "bob", urgent=False)
        await gate.tasks["long"]  # which nobody ended
        await gate.until(lambda: "other" in log)
        await gate.end("other")

    assert tried(1, scenario, slice_s=0.01) == ["long", "other"]


def test_a_slow_player_answers_while_another_browser_waits() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("slow", "anne")
        gate.ask("hers", "anne")  # her own game may wait
        await gate.until(lambda: log == ["slow"])
        await asyncio.sleep(0.1)
        assert not gate.tasks["slow"].done()
        gate.ask("other", "bob")
        await gate.tasks["slow"]  # which nobody ended
        await gate.until(lambda: "other" in log)
        await gate.end("other")
        await gate.end("hers")

    assert tried(1, scenario, slice_s=0.01) == ["slow", "other", "hers"]


def test_a_move_does_not_wait_for_an_analysis_where_there_is_one_thread() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("analysis", "anne", urgent=False)
        await gate.until(lambda: log == ["analysis"])
        gate.ask("move", "bob")
        await gate.tasks["analysis"]
        await gate.until(lambda: "move" in log)
        await gate.end("move")

    assert tried(1, scenario, slice_s=0.01) == ["analysis", "move"]


def test_only_so_many_browsers_are_remembered() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        for number in range(OWNERS + 10):
            await pool.run(f"browser {number}", lambda _: None)
        assert len(pool._served) == OWNERS

    tried(1, scenario)


def test_who_is_cancelled_is_stopped_and_makes_room() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("one", "anne")
        gate.ask("two", "bob")
        gate.ask("three", "carl")
        await gate.until(lambda: log == ["one"])
        gate.tasks["two"].cancel()  # while it waits
        gate.tasks["one"].cancel()  # while it works
        await gate.until(lambda: "three" in log)
        await gate.end("three")
        await gate.until(lambda: not pool.running and not pool.waiting)

    assert tried(1, scenario) == ["one", "three"]


def test_work_that_takes_too_long_is_told_to_stop() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        gate.ask("slow", "anne", timeout=0.01)
        assert await gate.tasks["slow"] == "slow"

    assert tried(1, scenario) == ["slow"]


def test_what_goes_wrong_is_told() -> None:
    async def scenario(pool: Pool, gate: Gate, log: list[str]) -> None:
        def fails(_: Turn) -> None:
            raise OSError("no more threads")

        for _ in range(3):
            try:
                await pool.run("anne", fails)
            except OSError as error:
                log.append(str(error))
        assert not pool.running

    assert tried(1, scenario) == ["no more threads"] * 3
