"""What matches, tournaments and tuning have in common: how games are played, where they are kept, how many at once."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from damier._core import DamierError
from damier.arena.play.book import Openings
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication
from damier.arena.play.seats import Seats
from damier.storage.keep import Rows

__all__ = ["Event"]


@dataclass(kw_only=True)
class Event:
    """The conditions of games. With `out` every pair is kept there as it ends, and `resume` goes on.

    With `database`, a `damier.storage.database.Database`, games become rows of it too, earlier ones in `out` included.

    >>> Event(seed=7).conditions()["openings"]
    'random:6'
    """

    control: Control = field(default_factory=Control)
    openings: str = "random:6"
    adjudication: Adjudication = field(default_factory=Adjudication)
    seed: int = 0
    concurrency: int | None = None  # games at once: one unless told, on a cluster as many as a machine has cores
    cluster: str | None = None  # "auto" or the address of a Ray cluster, whose machines play
    out: Path | None = None
    resume: bool = False
    database: Rows | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= 2**31:
            raise DamierError(f"seed is {self.seed}, expected 0 to {2**31}")
        if self.concurrency is not None and not 1 <= self.concurrency <= 1024:
            raise DamierError(f"concurrency is {self.concurrency}, expected 1 to 1024")

    def seats(self, game: str, book: Openings) -> Seats:
        """Where the games are played, to be entered."""
        return Seats(game, book, self.control, self.adjudication, threads=self.concurrency, cluster=self.cluster)

    def conditions(self) -> dict[str, Any]:
        """What of them the games depend on, as plain values."""
        return {
            "control": asdict(self.control),
            "openings": self.openings,
            "adjudication": asdict(self.adjudication),
            "seed": self.seed,
        }
