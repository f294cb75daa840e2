"""The commands together, and what becomes of their errors."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated, Any

import typer

from damier._core import DamierError
from damier.cli.analyse import analyse
from damier.cli.bench import bench_command
from damier.cli.compare import compare
from damier.cli.database import database
from damier.cli.eval import evaluate
from damier.cli.games import games
from damier.cli.hub import hub
from damier.cli.ladder import ladder
from damier.cli.learn import learn
from damier.cli.match import match
from damier.cli.perft import perft
from damier.cli.play import play
from damier.cli.selfplay import selfplay
from damier.cli.show import show
from damier.cli.simulate import simulate
from damier.cli.sprt import sprt
from damier.cli.suite import suite
from damier.cli.tournament import tournament
from damier.cli.trace import trace
from damier.cli.tune import tune
from damier.cli.uci import uci

__all__ = ["app", "run"]

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # its public name moved between versions of Typer

app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode="rich")
app.command()(games)
app.command()(show)
app.command()(analyse)
app.command()(simulate)
app.command(context_settings={"ignore_unknown_options": True})(perft)  # so that a depth of -1 is told its range
app.command("bench")(bench_command)
app.command()(suite)
app.command()(play)
app.command("eval")(evaluate)
app.command()(uci)
app.command()(hub)
app.command()(selfplay)
app.add_typer(learn, name="learn")
app.command()(compare)
app.command()(trace)
app.command()(match)
app.command()(tournament)
app.command()(ladder)
app.command()(database)
app.command()(sprt)
app.command()(tune)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"damier {version('damier')}")
        raise typer.Exit


@app.callback()
def damier(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Lines of Action, chess and draughts: show, count, analyse, play."""


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: the one place where errors become words.

    >>> run(["--version"])  # doctest: +ELLIPSIS
    damier ...
    0
    """
    try:
        code = app(args, prog_name="damier", standalone_mode=False)
        if sys.stdout:  # None when it was closed
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UsageError as error:
        return _failed(error, 2)
    except (DamierError, OSError, UnicodeError, MemoryError) as error:
        return _failed(error, 1)
    return code if isinstance(code, int) else 0


def _failed(error: Any, code: int) -> int:
    """Say in one line what went wrong, and where."""
    where = getattr(getattr(error, "ctx", None), "command_path", "damier")
    words = error.format_message() if hasattr(error, "format_message") else str(error)
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, MemoryError):
        words = "not enough memory"
    words = "; ".join([words, *getattr(error, "__notes__", ())])
    if words:  # none when the help was printed instead
        print(f"{where}: {' '.join(words.split())}", file=sys.stderr)
    return code
