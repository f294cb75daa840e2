"""`damier sprt`: Elo and SPRT from counts of pairs."""

from __future__ import annotations

import re
from typing import Annotated

import typer
from rich.table import Table

from damier._core import DamierError
from damier.arena import Pairs, Sprt
from damier.cli.options import Json, console, print_json

__all__ = ["sprt", "two_numbers"]


def sprt(
    *,
    counts: Annotated[
        str,
        typer.Option(
            metavar="LL,LD,DD,DW,WW",
            help="Number of game pairs in which the first player scored 0, ½, 1, 1½ and 2 points.",
        ),
    ],
    bounds: Annotated[str, typer.Option(metavar="E0,E1", help="The hypotheses H0 and H1, in Elo.")],
    alpha: Annotated[float, typer.Option(help="False-positive rate: H1 accepted though H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="False-negative rate: H0 accepted though H1 is true.")] = 0.05,
    json: Json = False,
) -> None:
    """Compute Elo and SPRT from the results of game pairs."""
    pairs = Pairs(*_whole_numbers(counts))
    elo0, elo1 = two_numbers("--bounds", bounds)
    logistic = Sprt(elo0, elo1, alpha, beta, "logistic")
    normalized = Sprt(elo0, elo1, alpha, beta, "normalized")
    elo, nelo = pairs.elo(), pairs.nelo()
    if json:
        print_json(
            {
                "pairs": len(pairs),
                "share": pairs.share,
                **elo.report("elo"),
                **nelo.report("nelo"),
                "los": pairs.los(),
                "llr_logistic": logistic.llr(pairs),
                "llr_normalized": normalized.llr(pairs),
                "lower": normalized.bounds[0],
                "upper": normalized.bounds[1],
                "verdict_logistic": logistic.verdict(pairs),
                "verdict_normalized": normalized.verdict(pairs),
            }
        )
        return
    table = Table(title=f"{len(pairs):,} pairs, {pairs.share:.1%} of the points", title_justify="left")
    for column in ("model", "Elo", "LLR", "SPRT"):
        table.add_column(column, justify="left" if column in ("model", "SPRT") else "right")
    for test, estimate in ((logistic, elo), (normalized, nelo)):
        low, high = test.bounds
        words = {"elo0": "H0 accepted", "elo1": "H1 accepted", None: "undecided"}
        verdict = f"{words[test.verdict(pairs)]} (bounds {low:.2f} and {high:.2f})"
        table.add_row(test.model, str(estimate), f"{test.llr(pairs):.3f}", verdict)
    console().print(table)
    console().print(f"likelihood of superiority of the first player: {pairs.los():.1%}")


def _whole_numbers(text: str) -> list[int]:
    words = text.split(",")
    if len(words) != 5 or not all(re.fullmatch(r"\s*[0-9]{1,20}\s*", word) for word in words):
        raise DamierError(f"--counts is {text!r}, expected five whole numbers such as 10,20,40,30,20")
    return [int(word) for word in words]


def two_numbers(option: str, text: str) -> tuple[float, float]:
    """Two Elo figures as people write them.

    >>> two_numbers("--sprt", "0,5")
    (0.0, 5.0)
    """
    try:
        if not text.isascii() or "_" in text:
            raise ValueError(text)
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise DamierError(f"{option} is {text!r}, expected two numbers such as 0,5") from None
    return low, high
