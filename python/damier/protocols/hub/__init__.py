"""The Hub protocol, version 2, for draughts."""

from __future__ import annotations

__all__: list[str] = []
