"""`damier learn`: evaluations and players learnt from games or by playing, a command per method."""

from __future__ import annotations

import typer

from damier.cli.arguments import with_text
from damier.cli.learn.alphazero import alphazero
from damier.cli.learn.classic import classic
from damier.cli.learn.generation import generation
from damier.cli.learn.genetic import genetic
from damier.cli.learn.knn import knn
from damier.cli.learn.knockout import knockout
from damier.cli.learn.mlp import mlp
from damier.cli.learn.nnue import nnue
from damier.cli.learn.patterns import patterns
from damier.cli.learn.td import td
from damier.cli.option_sets import with_option_sets

__all__ = ["learn"]

learn = typer.Typer(no_args_is_help=True, help="Learn an evaluation or a player.")


@learn.callback()
def _learn() -> None:
    """Learn an evaluation or a player, from stored games or by playing."""


for command in (classic, td, nnue, patterns, generation, knn, mlp, knockout, genetic, alphazero):
    learn.command()(with_text(with_option_sets(command)))
