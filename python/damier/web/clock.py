"""The server's time, and the clocks of a game. Tests use a clock that they can move."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

from damier.web.state import ClockSetting, ClockState, Side

__all__ = ["Clock", "GameClock", "SystemClock"]


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> float:
        """Monotonic seconds, which stand still while the machine sleeps."""

    def date(self) -> datetime:
        """The date and time, UTC."""

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own."""

    def now(self) -> float:
        return time.monotonic()

    def date(self) -> datetime:
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@dataclass
class GameClock:
    """The two clocks of a game: the time left when the current move began, and when that was.

    They start after the first move of each side, as on lichess, and stand still while the server is down.

    >>> clock = GameClock(ClockSetting(seconds=60, increment=2), {"white": 60.0, "black": 60.0})
    >>> clock.start("white", now=100.0)
    >>> clock.left("white", now=110.0), clock.left("black", now=110.0)
    (50.0, 60.0)
    >>> clock.press(now=110.0)
    10.0
    >>> clock.left("white", now=200.0)
    52.0
    """

    setting: ClockSetting
    seconds: dict[Side, float]
    running: Side | None = None
    since: float = 0.0
    before: float = 0.0  # what the present move took until then

    def start(self, side: Side, now: float) -> None:
        """Start the clock of a side; that of the other stands still."""
        self.running, self.since = side, now

    def left(self, side: Side, now: float) -> float:
        """The time a side has left, never negative."""
        gone = now - self.since if side == self.running else 0.0
        return max(0.0, self.seconds[side] - gone)

    def press(self, now: float) -> float:
        """The side whose clock runs has moved and gets its increment; return how long it took."""
        side = self.running
        if side is None:
            return 0.0
        taken = self.before + now - self.since
        self.seconds[side] = self.left(side, now) + self.setting.increment
        self.running, self.before = None, 0.0
        return taken

    def pause(self, now: float) -> None:
        """Stop the clocks, with the time left now."""
        if self.running:
            self.seconds[self.running] = self.left(self.running, now)
            self.running, self.before = None, self.before + now - self.since

    def rewind(self, times: dict[Side, list[float]]) -> None:
        """Stop the clocks, as they were after moves that took these times.

        >>> clock = GameClock(ClockSetting(seconds=60, increment=2), {"white": 3.0, "black": 0.0})
        >>> clock.rewind({"white": [10.0, 5.0], "black": []})
        >>> clock.seconds
        {'white': 49.0, 'black': 60.0}
        """
        self.running, self.before = None, 0.0
        for side, taken in times.items():
            gained = self.setting.increment * len(taken)
            self.seconds[side] = max(0.0, self.setting.seconds - sum(taken) + gained)

    def state(self, now: float) -> ClockState:
        return ClockState(
            seconds=self.setting.seconds,
            increment=self.setting.increment,
            white=self.left("white", now),
            black=self.left("black", now),
            running=self.running,
        )
