"""Arguments that several commands share, and how they become boards."""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from damier._core import MAX_THREADS, DamierError, FenError, MoveError
from damier.engine import Limit
from damier.games import Board, board

if TYPE_CHECKING:  # slow to load
    from damier.lab import Simulation
    from damier.storage.writer import Rows

__all__ = [
    "Cluster",
    "DatabaseAt",
    "Depth",
    "Eval",
    "Fen",
    "FolderOptions",
    "Game",
    "GameThreads",
    "Games",
    "Hash",
    "Json",
    "Machines",
    "Nodes",
    "Position",
    "Resume",
    "RunSeed",
    "Seed",
    "Threads",
    "Time",
    "check_resume",
    "collected",
    "console",
    "counting",
    "database_at",
    "ending",
    "limit_from",
    "print_json",
    "set_up",
]

Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A name from `damier games`; LOA sizes and rules combine: loa6:olympiad.")
]
Fen = Annotated[str | None, typer.Option("--fen", metavar="FEN", help="Start from this position.")]
Moves = Annotated[str, typer.Option(metavar="MOVES", help='Moves to play first, such as "1. e4 e5".')]
Time = Annotated[float | None, typer.Option(min=0.001, metavar="SECONDS", help="Time limit per position.")]
Depth = Annotated[int | None, typer.Option(min=1, metavar="PLIES", help="Depth limit.")]
Nodes = Annotated[int | None, typer.Option(min=1, metavar="N", help="Node limit.")]
Threads = Annotated[int, typer.Option(min=1, max=MAX_THREADS, metavar="N", help="Search threads, at most 8 per core.")]
Hash = Annotated[int, typer.Option(min=1, metavar="MIB", help="Transposition table size.")]
Eval = Annotated[str | None, typer.Option(metavar="NAME|FILE", help="Evaluation to use instead of the game's default.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]

Out = Annotated[Path | None, typer.Option(metavar="DIR", help="Save games and results in this folder as they finish.")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume the run in --out.")]
DatabaseAt = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="FILE|URL", envvar="DAMIER_DATABASE", help="Also save the games in this database."
    ),
]
AT_ONCE = "Games played at the same time: 1 by default; with --cluster, on each machine, 1 per core by default."
Concurrency = Annotated[int | None, typer.Option(min=1, max=1024, metavar="C", help=AT_ONCE)]
GameThreads = Annotated[
    int | None, typer.Option("--threads", "--concurrency", min=1, max=1024, metavar="N", help=AT_ONCE)
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="auto|HOST:PORT", help="Play on the machines of a Ray cluster; see docs/cluster.md."),
]
Games = Annotated[int, typer.Option(min=0, metavar="N", help="Number of games.")]
RunSeed = Annotated[int, typer.Option(min=0, metavar="N", help="Random seed: the same seed plays the same games.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31, metavar="N", help="Random seed for openings and players.")]


def console() -> Console:
    """Where commands print: colours on a terminal, plain text in a pipe."""
    return Console(highlight=False, soft_wrap=True)


def print_json(report: object) -> None:
    """Print a report as one line of JSON, with null for values that are not finite."""
    typer.echo(json.dumps(_finite(report), allow_nan=False))


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def limit_from(time: float | None, depth: int | None, nodes: int | None, mate: int | None = None) -> Limit:
    """The limit that options name; one second if they name none.

    >>> limit_from(None, None, None).time
    1.0
    >>> limit_from(None, 8, None).time is None
    True
    """
    free = time is None and depth is None and nodes is None and mate is None
    return Limit(time=1.0 if free else time, depth=depth, nodes=nodes, mate=mate)


def set_up(game: str, fen: str | None = None, moves: str = "") -> Board:
    """Set up a game and play moves, such as `1. e4 e5 2. Nf3`, saying which move cannot be played.

    >>> set_up("chess", moves="1.e4 e5 2. Nf3").ply
    3
    """
    try:
        start = board(game, fen)
    except FenError as error:
        raise FenError(f"--fen: {error}") from None
    for number, word in enumerate(re.sub(r"(?<!\S)\d+\.+", " ", moves).split(), 1):
        try:
            start.play(word)
        except MoveError as error:
            raise MoveError(f"--moves, move {number}: {error}") from None
    result: Board = start
    return result


@dataclass(frozen=True)
class Position:
    """A position of a game, after any moves."""

    game: Game
    fen: Fen = None
    moves: Moves = ""

    def board(self) -> Board:
        """The board with that position."""
        return set_up(self.game, self.fen, self.moves)


@dataclass(frozen=True)
class FolderOptions:
    """Where the games of a run are saved."""

    out: Out = None
    resume: Resume = False

    def __post_init__(self) -> None:
        check_resume(self.resume, self.out)


@dataclass(frozen=True)
class AdjudicationOptions:
    """When a game ends because both players agree on its result."""

    resign: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="CP", help="Adjudicate a loss when both scores show one side at least CP behind for 4 moves."
        ),
    ] = None
    draw: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="CP", help="Adjudicate a draw when both scores stay within CP for 8 moves, from move 40."
        ),
    ] = None


@dataclass(frozen=True)
class Machines:
    """How many games are played at the same time, and where."""

    concurrency: Concurrency = None
    cluster: Cluster = None


def check_resume(resume: bool, out: Path | None) -> None:
    """Refuse --resume without --out."""
    if resume and out is None:
        raise typer.BadParameter("--resume needs --out DIR, the folder of the run to resume")


@contextmanager
def database_at(where: str | None) -> Iterator[Rows | None]:
    """The database that --database names, if any."""
    if where is None:
        yield None
        return
    from damier.storage.database import Database  # noqa: PLC0415  (SQLAlchemy is slow to load)

    with Database(where) as database:
        yield database


@dataclass
class Ending:
    """How a run ended; its results are printed before this is reported."""

    interrupted: bool = False
    unwritten: DamierError | None = None
    notes: Sequence[str] = ()  # to an interruption

    def leave(self) -> None:
        """Fail if it was interrupted, or if games are missing in the database."""
        if self.interrupted:
            for note in self.notes:
                print(note, file=sys.stderr)
            raise KeyboardInterrupt
        if self.unwritten:
            raise self.unwritten


@contextmanager
def ending() -> Iterator[Ending]:
    """Hold back an interruption, and the report of games that could not be written, until the results are printed."""
    known = Ending()
    try:
        yield known
    except KeyboardInterrupt as stop:
        known.interrupted = True
        known.notes = getattr(stop, "__notes__", ())
    except DamierError as error:
        from damier.storage.writer import UnwrittenError  # noqa: PLC0415

        if not isinstance(error, UnwrittenError):
            raise
        known.unwritten = error


def collected(
    play: Callable[..., Simulation],
    game: str,
    *,
    games: int,
    out: Path | None,
    resume: bool,
    database: str | None = None,
    **settings: Any,
) -> Simulation:
    """Play games by `damier.simulate` or the like, with a progress bar; fail as `Ending.leave` does."""
    check_resume(resume, out)
    done: Simulation | None = None
    with ending() as end, database_at(database) as rows, counting(f"playing {game}", games) as progress:
        done = play(game, games=games, out=out, resume=resume, database=rows, on_progress=progress, **settings)
    end.leave()
    assert done
    return done


@contextmanager
def counting(what: str, total: int | None) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal; call what it yields with how much is done, and with a new text if any."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    screen = Console(stderr=True)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, words=what: bar.update(task, completed=done, description=words)
