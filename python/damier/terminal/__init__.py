"""Games played in the terminal, by people and by programs."""

from __future__ import annotations

from damier.terminal.session import Session

__all__ = ["Session"]
