"""Results for people: tables, Markdown and pictures."""

from __future__ import annotations

__all__: list[str] = []
