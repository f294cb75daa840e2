"""Options that methods of learning share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from typer.models import OptionInfo

from damier.cli.arguments import EMPTY_NAME
from damier.cli.options import Json, Resume

__all__ = [
    "AlsoLearnFrom",
    "DataToLearnFrom",
    "Device",
    "Epochs",
    "Features",
    "Label",
    "LearnFrom",
    "MatchOptions",
    "MayLearnFrom",
    "Mix",
    "Neurons",
    "PlayOptions",
    "PlayThreads",
    "PositionOptions",
    "RowOptions",
    "RunOptions",
    "TrainingOut",
    "TrainingSeed",
    "TrainingThreads",
]

TrainingOut = Annotated[Path, typer.Option(metavar="DIR", help="Folder for checkpoints, metrics and the evaluation.")]
Features = Annotated[str, typer.Option(metavar="NAME", help="Feature set; the first one by default.")]
PlayThreads = Annotated[
    int, typer.Option(min=1, max=1024, metavar="N", help="Games played at the same time; the result is the same.")
]
TrainingThreads = Annotated[
    int, typer.Option(min=1, max=1024, metavar="N", help="Threads; with one, the same seed gives the same file.")
]
Device = Annotated[str, typer.Option(metavar="NAME", help="cpu, cuda, or auto: cuda if available.")]


def _not_empty(names: list[str] | None) -> list[str] | None:
    if names and "" in names:
        raise typer.BadParameter(EMPTY_NAME)
    return names


def _games(help: str, *names: str) -> OptionInfo:
    """As text, since a path would lose a slash of sqlite:///games.db."""
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
Mix = Annotated[
    float,
    typer.Option(
        min=0, max=1, metavar="X", help="Weight of the search score in the target; the rest is the game result."
    ),
]
Neurons = Annotated[
    int,
    typer.Option(min=0, max=1024, metavar="N", help="Neurons, a multiple of 16; 0 chooses by the number of positions."),
]
Epochs = Annotated[int, typer.Option(min=1, metavar="N", help="How often to go through all positions.")]


@dataclass(frozen=True)
class RowOptions:
    """Which boards or moves of games are learnt from."""

    both_sides: Annotated[
        bool, typer.Option("--both-sides", help="Learn from both sides, not only from who moves first.")
    ] = False
    split: Annotated[
        str, typer.Option(metavar="NAME", help="What is held out for the test: games, or rows of any game.")
    ] = "games"
    test_share: Annotated[float, typer.Option(min=0.01, max=0.9, metavar="SHARE", help="Share that is held out.")] = 0.2


@dataclass(frozen=True)
class PositionOptions:
    """Which positions of games are learnt from, and with what target."""

    mix: Mix = 0.7
    scale: Annotated[
        int, typer.Option(min=0, max=10_000, metavar="CP", help="Score at which a win has odds of e to 1; 0 fits it.")
    ] = 0
    skip: Annotated[
        int, typer.Option(min=0, max=1000, metavar="N", help="Skip this many first plies if they have no score.")
    ] = 10
    max_score: Annotated[
        int, typer.Option(min=1, max=31_000, metavar="CP", help="Leave out positions with larger scores.")
    ] = 2000
    tactical: Annotated[
        bool, typer.Option("--tactical", help="Also use positions in which a capture or promotion was played.")
    ] = False


@dataclass(frozen=True)
class PlayOptions:
    """How the games of players that learn by playing each other are played."""

    nodes: Annotated[int, typer.Option(min=1, metavar="N", help="Nodes per move.")] = 50
    depth: Annotated[
        int, typer.Option(min=0, max=20, metavar="PLIES", help="Search depth per move, instead of --nodes; 0 for none.")
    ] = 0
    random_plies: Annotated[
        int, typer.Option(min=0, max=200, metavar="N", help="Random opening plies of each game.")
    ] = 6


@dataclass(frozen=True)
class MatchOptions:
    """Matches during a training."""

    match_every: Annotated[
        int, typer.Option(min=0, metavar="N", help="Play a match against the start every N steps; 0 for none.")
    ] = 0
    match_games: Annotated[int, typer.Option(min=2, metavar="N", help="Games per match, an even number.")] = 100


@dataclass(frozen=True)
class RunOptions:
    """How a training is run, whatever the method."""

    resume: Resume = False
    json: Json = False
