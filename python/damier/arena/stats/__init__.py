"""What results prove: error bars, sequential tests, ratings and standings."""

from __future__ import annotations

__all__: list[str] = []
