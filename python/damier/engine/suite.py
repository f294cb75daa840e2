"""Test suites: chess positions in EPD with the moves that solve them, and how many an engine solves.

>>> from damier.engine import Engine, Limit
>>> with Engine("chess") as engine:
...     (solution,) = run([problem("6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id x;")], engine, Limit(depth=3))
>>> solution.problem.name, solution.is_solved
('x', True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from damier import chess
from damier._core import DamierError, Limit, Move
from damier.engine.engine import Engine
from damier.engine.result import SearchResult
from damier.files import read_text

__all__ = ["Problem", "Solution", "problem", "read", "run"]


@dataclass(frozen=True)
class Problem:
    """A position with the moves that solve it (bm), those that do not (am), or the number of moves to mate (dm)."""

    name: str
    board: chess.Board
    best: tuple[Move, ...]
    avoid: tuple[Move, ...]
    mate: int | None

    def expected(self) -> str:
        """What solves it, as EPD says it.

        >>> problem("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id x;").expected()
        'bm O-O Rh8+'
        """
        parts = []
        for word, moves in (("bm", self.best), ("am", self.avoid)):
            if moves:
                parts.append(f"{word} {' '.join(map(self.board.san, moves))}")
        return "; ".join([*parts, *([f"dm {self.mate}"] if self.mate else [])])


@dataclass(frozen=True)
class Solution:
    """What an engine found for a problem."""

    problem: Problem
    result: SearchResult

    @property
    def is_solved(self) -> bool:
        problem, move = self.problem, self.result.pv[0]
        return (
            (not problem.best or move in problem.best)
            and move not in problem.avoid
            and (problem.mate is None or self.result.score.mate == problem.mate)
        )


def run(problems: Iterable[Problem], engine: Engine, limit: Limit) -> Iterator[Solution]:
    """Solve problems one after the other, each from an empty table; for dm, the shortest mate is searched for."""
    for problem in problems:
        engine.clear()
        yield Solution(problem, engine.analyse(problem.board, limit.replace(mate=problem.mate)))


def read(path: str | Path) -> list[Problem]:
    """The problems of an EPD file; `#` begins a comment."""
    try:
        text = read_text(Path(path), encoding="utf-8-sig")
    except UnicodeError as error:
        raise DamierError(f"{path}: {error}") from None
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                problems.append(problem(line, f"line {number}"))
            except DamierError as error:
                raise DamierError(f"{path}, line {number}: {error}") from None
    return problems


def problem(line: str, name: str = "") -> Problem:
    """Read a line of EPD; `name` is for one without `id`.

    >>> problem('6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id "back rank";').mate
    1
    """
    board, operations = chess.Board.from_epd(line)
    moves = {word: tuple(board.parse(text) for text in operations.get(word, ())) for word in ("bm", "am")}
    distance = " ".join(operations["dm"]) if "dm" in operations else None
    if distance is not None and not re.fullmatch(r"[1-9][0-9]?", distance):
        raise DamierError(f"dm is {distance!r}, expected a number of moves from 1 to 99")
    if distance is None and not any(moves.values()):
        raise DamierError("there is neither bm, am nor dm")
    if not board.legal_moves:
        raise DamierError("there is no legal move to choose from")
    return Problem(" ".join(operations.get("id", [name])), board, moves["bm"], moves["am"], int(distance or 0) or None)
