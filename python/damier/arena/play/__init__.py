"""One game and many: clocks, openings, referees and the workers that play."""

from __future__ import annotations

__all__: list[str] = []
