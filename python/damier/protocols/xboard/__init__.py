"""The xboard protocol (CECP), version 2."""

from __future__ import annotations

__all__: list[str] = []
