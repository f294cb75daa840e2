"""Many independent pieces of work, run side by side."""

from __future__ import annotations

from damier.jobs.runner import Workers, pool, run

__all__ = ["Workers", "pool", "run"]
