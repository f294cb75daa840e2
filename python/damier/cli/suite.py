"""`damier suite`: a chess test suite in EPD, solved position by position."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from damier.cli.options import Depth, Eval, Hash, Json, Nodes, Threads, Time, console, limit_from, print_json
from damier.engine import Engine
from damier.engine.suite import read, run
from damier.files import JsonObject
from damier.terminal.lines import report


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
    problems = read(file)
    results: list[JsonObject] = []
    with Engine("chess", eval=eval, threads=threads, hash=hash) as engine:
        for number, found in enumerate(run(problems, engine, limit_from(time, depth, nodes)), 1):
            problem, expected = found.problem, found.problem.expected()
            results.append({"id": problem.name, "fen": problem.board.fen(), "wanted": expected})
            results[-1] |= {"solved": found.is_solved} | report(problem.board, found.result)
            if not json:
                line = f"{'solved' if found.is_solved else 'FAILED'}  {number:4}  {problem.name}: {results[-1]['move']}"
                console().print(f"{line} ({found.result.score}), wanted {expected}", markup=False)
    count = sum(result["solved"] for result in results)
    if json:
        print_json({"solved": count, "total": len(results), "positions": results})
    else:
        console().print(f"{count}/{len(results)}")
