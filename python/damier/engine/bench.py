"""Fixed positions of every game, searched to a fixed depth: how many nodes that takes, and how fast they come.

The nodes are a signature of the search: a change that is not meant to affect the search leaves them the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from time import perf_counter

from damier import games
from damier._core import DamierError, Limit
from damier.engine.engine import Engine

__all__ = ["Bench", "bench", "positions"]

HASH = 4  # MiB: part of the signature


@dataclass(frozen=True)
class Bench:
    """The bench of one game."""

    game: str
    positions: int
    nodes: int
    seconds: float

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return round(self.nodes / max(self.seconds, 1e-6))


def positions() -> dict[str, list[tuple[int, str]]]:
    """The positions of each game, as depth and FEN.

    >>> set(positions()) == set(games.GAMES)
    True
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for line in files("damier.engine").joinpath("bench.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            game, depth, fen = (field.strip() for field in line.split("|"))
            found.setdefault(game, []).append((int(depth), fen))
    return found


def bench(names: Sequence[str] = ()) -> Iterator[Bench]:
    """Search the positions of the games named, or of all, with one thread and an empty table each time.

    >>> first, again = next(bench(["loa5"])), next(bench(["loa5"]))
    >>> first.nodes == again.nodes > 0
    True
    """
    known = positions()
    for name in names:
        if name not in known:
            raise DamierError(f"{name!r} has no bench, expected one of {', '.join(known)}")
    for name in names or known:
        nodes, seconds = 0, 0.0
        with Engine(name, hash=HASH) as engine:
            for depth, fen in known[name]:
                engine.clear()
                start = perf_counter()
                nodes += engine.analyse(games.board(name, fen), Limit(depth=depth)).nodes
                seconds += perf_counter() - start
        yield Bench(name, len(known[name]), nodes, seconds)
