"""The engine for other programs: UCI for chess and its kin, Hub for draughts, both as lines of text."""

from __future__ import annotations

__all__: list[str] = []
