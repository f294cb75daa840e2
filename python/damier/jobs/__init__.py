"""Many independent pieces of work, run in parallel."""

from __future__ import annotations

from damier.jobs.runner import Workers, pool, run

__all__ = ["Workers", "pool", "run"]
