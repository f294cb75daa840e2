"""Many independent pieces of work, run side by side."""

from __future__ import annotations

from damier.jobs.runner import pool, run

__all__ = ["pool", "run"]
