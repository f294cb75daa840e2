"""`damier suite`: a chess test suite in EPD, solved position by position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from damier import chess
from damier._core import DamierError
from damier.cli.options import Depth, Eval, Hash, Json, Nodes, Threads, Time, console, limit_from, print_json
from damier.engine import Engine, Limit, SearchResult
from damier.terminal.lines import report


@dataclass(frozen=True)
class Problem:
    """A position with the moves that solve it (bm), those that do not (am), or the moves to mate (dm)."""

    name: str
    board: chess.Board
    best: tuple[chess.Move, ...]
    avoid: tuple[chess.Move, ...]
    mate: int | None

    def is_solved(self, found: SearchResult) -> bool:
        move = found.pv[0]
        return (
            (not self.best or move in self.best)
            and move not in self.avoid
            and (self.mate is None or found.score.mate == self.mate)
        )

    def wanted(self) -> str:
        """What solves it, as EPD says it.

        >>> problem("4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8+; id x;", 1).wanted()
        'bm O-O Rh8+'
        """
        parts = []
        for word, moves in (("bm", self.best), ("am", self.avoid)):
            if moves:
                parts.append(f"{word} {' '.join(map(self.board.san, moves))}")
        return "; ".join([*parts, *([f"dm {self.mate}"] if self.mate else [])])


def suite(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="EPD file with bm, am or dm operations.")],
    *,
    time: Time = None,
    depth: Depth = None,
    nodes: Nodes = None,
    threads: Threads = 1,
    hash: Hash = 16,
    eval: Eval = None,
    json: Json = False,
) -> None:
    """Run a chess test suite (EPD) and count what is solved.

    Searches for 1 second per position unless a limit is given; the last line is solved/total.
    """
    problems = list(read(file))
    limit = limit_from(time, depth, nodes)
    results: list[dict[str, Any]] = []
    with Engine("chess", eval=eval, threads=threads, hash=hash) as engine:
        for number, problem in enumerate(problems, 1):
            found = solve(engine, problem, limit)
            solved = problem.is_solved(found)
            results.append({"id": problem.name, "fen": problem.board.fen(), "wanted": problem.wanted()})
            results[-1] |= {"solved": solved} | report(problem.board, found)
            if not json:
                line = f"{'solved' if solved else 'FAILED'}  {number:4}  {problem.name}: {results[-1]['move']}"
                console().print(f"{line} ({found.score}), wanted {problem.wanted()}", markup=False)
    count = sum(result["solved"] for result in results)
    if json:
        print_json({"solved": count, "total": len(results), "positions": results})
    else:
        console().print(f"{count}/{len(results)}")


def solve(engine: Engine, problem: Problem, limit: Limit) -> SearchResult:
    """Look for the move; where a mate is asked for, for the shortest one."""
    engine.clear()
    return engine.analyse(problem.board, limit.replace(mate=problem.mate))


def read(file: Path) -> Iterator[Problem]:
    """The problems of a file; `#` begins a comment."""
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeError as error:
        raise DamierError(f"{file}: {error}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                yield problem(line, number)
            except DamierError as error:
                raise DamierError(f"{file}, line {number}: {error}") from None


def problem(line: str, number: int) -> Problem:
    """Read one line.

    >>> problem('6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1; id "back rank";', 1).mate
    1
    """
    board, operations = chess.Board.from_epd(line)
    moves = {word: tuple(board.parse(text) for text in operations.get(word, ())) for word in ("bm", "am")}
    distance = " ".join(operations["dm"]) if "dm" in operations else None
    if distance is not None and not (distance.isdecimal() and 1 <= int(distance) <= 99):
        raise DamierError(f"dm is {distance!r}, expected a number of moves from 1 to 99")
    if distance is None and not any(moves.values()):
        raise DamierError("there is neither bm, am nor dm")
    if not board.legal_moves:
        raise DamierError("there is no legal move to choose from")
    name = " ".join(operations.get("id", [f"line {number}"]))
    return Problem(name, board, moves["bm"], moves["am"], int(distance) if distance else None)
