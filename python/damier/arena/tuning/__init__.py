"""Search parameters tuned by games."""

from __future__ import annotations

__all__: list[str] = []
