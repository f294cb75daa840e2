"""What a long command shows on a terminal while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console, RenderableType
from rich.live import Live

__all__ = ["GameRate", "live"]

Progress = TypeVar("Progress")


@contextmanager
def live(
    draw: Callable[[Progress], RenderableType], first: RenderableType = "", *, every: float = 0.0
) -> Iterator[Callable[[Progress], None]]:
    """Yields what to call with the progress: it is drawn on a terminal, at most once in `every` seconds, and nowhere
    else.
    """
    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield lambda _: None
        return
    drawn = float("-inf")  # when
    with Live(first, console=screen, transient=True, refresh_per_second=4) as picture:

        def show(progress: Progress) -> None:
            nonlocal drawn
            if time.monotonic() - drawn >= every:
                picture.update(draw(progress))
                drawn = time.monotonic()

        yield show


class GameRate:
    """Games per second since it was made; those of the first call were played before."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._before: int | None = None

    def __call__(self, games: int) -> float:
        if self._before is None:
            self._before = games
        return (games - self._before) / max(time.monotonic() - self._start, 1e-3)
