"""`damier eval`: a position evaluated term by term."""

from __future__ import annotations

from rich.table import Table

from damier._core import Side
from damier.cli import options

__all__ = ["evaluate"]


def evaluate(
    position: options.Position,
    *,
    eval: options.Eval = None,
    json: options.Json = False,
) -> None:
    """Evaluate a position, term by term.

    Values are in centipawns, or hundredths of a man.
    """
    board = position.board()
    evaluator = board.evaluator(eval or board.evaluations()[0])
    score, terms = board.evaluate(evaluator), board.explain(evaluator)
    for_white = score if board.turn == Side.WHITE else -score
    if json:
        options.print_json(
            {
                "game": position.game,
                "fen": board.fen(),
                "eval": evaluator.name,
                "evaluations": board.evaluations(),
                "score": score,
                "white": for_white,
                "terms": [dict(zip(("name", "white", "black", "total"), term, strict=True)) for term in terms],
            }
        )
        return
    table = Table(title=f"{evaluator.name}, for White", box=None, title_justify="left")
    table.add_column("term")
    for column in ("White", "Black", "total"):
        table.add_column(column, justify="right")
    for name, white, black, total in terms:  # a difference has no columns for the sides
        table.add_row(name, *("" if side is None else f"{side:z.1f}" for side in (white, black)), f"{total:+z.1f}")
    side = "White" if board.turn == Side.WHITE else "Black"
    options.console().print(table)
    options.console().print(f"{score:+d} for {side}, who is to move")
