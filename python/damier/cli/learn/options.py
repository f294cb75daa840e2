"""Options that methods of learning share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from typer.models import OptionInfo

from damier.cli.arguments import EMPTY_NAME

__all__ = [
    "AlsoLearnFrom",
    "BothSides",
    "DataToLearnFrom",
    "Device",
    "Features",
    "Label",
    "LearnFrom",
    "MatchEvery",
    "MatchGames",
    "MayLearnFrom",
    "MoveDepth",
    "MoveNodes",
    "PlayThreads",
    "RandomPlies",
    "Split",
    "TestShare",
    "TorchThreads",
    "TrainingOut",
    "TrainingSeed",
]

TrainingOut = Annotated[Path, typer.Option(metavar="DIR", help="Folder for checkpoints, metrics and the evaluation.")]
Features = Annotated[str, typer.Option(metavar="NAME", help="Feature set; the first one by default.")]
MoveNodes = Annotated[int, typer.Option(min=1, metavar="N", help="Nodes per move.")]
MoveDepth = Annotated[
    int, typer.Option(min=0, max=20, metavar="PLIES", help="Search depth per move, instead of --nodes; 0 for none.")
]
RandomPlies = Annotated[int, typer.Option(min=0, max=200, metavar="N", help="Random opening plies of each game.")]
MatchEvery = Annotated[
    int, typer.Option(min=0, metavar="N", help="Play a match against the start every N steps; 0 for none.")
]
MatchGames = Annotated[int, typer.Option(min=2, metavar="N", help="Games per match, an even number.")]
PlayThreads = Annotated[
    int, typer.Option(min=1, max=1024, metavar="N", help="Games played at the same time; the result is the same.")
]
TorchThreads = Annotated[
    int, typer.Option(min=1, max=1024, metavar="N", help="Threads; with one, the same seed gives the same file.")
]
Device = Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda, or auto for cuda where there is one.")]


def _not_empty(names: list[str] | None) -> list[str] | None:
    if names and "" in names:
        raise typer.BadParameter(EMPTY_NAME)
    return names


def _games(help: str, *names: str) -> OptionInfo:
    """Text, since a path would lose a slash of sqlite:///games.db."""
    option: OptionInfo = typer.Option(*names, metavar="DIR|FILE", help=help, callback=_not_empty)
    return option


FROM = "A run folder, PGN, PDN, SGF or database to learn from; may be repeated."
LearnFrom = Annotated[list[str], _games(FROM)]
DataToLearnFrom = Annotated[list[str], _games(FROM, "--games", "--data")]  # the same, by either name
AlsoLearnFrom = Annotated[
    list[str] | None,
    _games("Learn from the games of this run folder, PGN, PDN, SGF or database as well; may be repeated."),
]
MayLearnFrom = Annotated[
    list[str] | None,
    _games("Learn from a run folder, PGN, PDN, SGF or database; may be repeated. Otherwise it plays itself."),
]
TrainingSeed = Annotated[int, typer.Option(min=0, max=2**63 - 1, metavar="N", help="Random seed.")]

Label = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="boards (captures to come, if won), moves (distance to the win or loss) or results."
    ),
]
BothSides = Annotated[bool, typer.Option("--both-sides", help="Learn from both sides, not only from who moves first.")]
Split = Annotated[
    str, typer.Option(metavar="NAME", help="What is held out for the test: games, or rows of any of the games.")
]
TestShare = Annotated[float, typer.Option(min=0.01, max=0.9, metavar="SHARE", help="Share that is held out.")]
