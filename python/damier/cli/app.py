"""The commands together, and what becomes of their errors."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from typing import Annotated, Any

import typer

from damier._core import DamierError
from damier.cli.analyse import analyse
from damier.cli.arguments import check_words, command_to_resume, with_text
from damier.cli.bench import bench_command
from damier.cli.compare import compare
from damier.cli.data import data
from damier.cli.database import database
from damier.cli.eval import evaluate
from damier.cli.games import games
from damier.cli.hub import hub
from damier.cli.ladder import ladder
from damier.cli.learn import learn
from damier.cli.match import match
from damier.cli.perft import perft
from damier.cli.play import play
from damier.cli.reproduce import reproduce
from damier.cli.selfplay import selfplay
from damier.cli.serve import serve
from damier.cli.show import show
from damier.cli.simulate import simulate
from damier.cli.sprt import sprt
from damier.cli.suite import suite
from damier.cli.tournament import tournament
from damier.cli.trace import trace
from damier.cli.tune import tune
from damier.cli.uci import uci
from damier.drawing.readable import readable

__all__ = ["GROUPS", "PANELS", "app", "run"]

Interrupted = 130
MOST_SHOWN = 100  # letters of a word that was given
LONG = re.compile(rf"\S{{{2 * MOST_SHOWN},}}")
PLAIN = {
    MemoryError: "not enough memory",
    RecursionError: "what was given is nested too deeply",
    RuntimeError: "the system has no threads left",
}  # errors whose own words say nothing; the first that fits, as a RecursionError is a RuntimeError

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # its public name moved between versions of Typer

# The panels of `damier --help`, by what people come for.
PANELS: dict[str, dict[str, Callable[..., None]]] = {
    "Play": {"play": play, "serve": serve, "games": games, "show": show},
    "Analyse": {"analyse": analyse, "eval": evaluate, "suite": suite},
    "Study": {"compare": compare, "trace": trace, "perft": perft},
    "Measure": {"match": match, "tournament": tournament, "ladder": ladder, "sprt": sprt, "bench": bench_command},
    "Learn": {"selfplay": selfplay, "tune": tune, "reproduce": reproduce},
    "Data": {"simulate": simulate, "database": database},
    "Protocols": {"uci": uci, "hub": hub},
}

ALL_OR_NOTHING = {("data", name) for name in ("import", "merge", "dedupe", "export")}  # too quick to be resumed

GROUPS = {"Learn": {"learn": learn}, "Data": {"data": data}}  # commands of commands

app = typer.Typer(no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode="rich")
for panel, commands in PANELS.items():
    for name, command in commands.items():
        context = {"ignore_unknown_options": command is perft}  # so that a depth of -1 is refused as a depth
        app.command(name, rich_help_panel=panel, context_settings=context)(with_text(command))
    for name, group in GROUPS.get(panel, {}).items():
        app.add_typer(group, name=name, rich_help_panel=panel)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"damier {version('damier')}")
        raise typer.Exit


@app.callback()
def damier(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Engines for Lines of Action, chess and draughts: play, analyse, study, measure, learn."""


@cache
def _root() -> Any:
    """All commands, ready to run; building them takes longer than most of them run."""
    return typer.main.get_command(app)


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: the one place where errors become words.

    >>> run(["--version"])  # doctest: +ELLIPSIS
    damier ...
    0
    """
    args = sys.argv[1:] if args is None else args
    try:
        root = _root()
        check_words(root, args)
        code = root(args, prog_name="damier", standalone_mode=False)
        if code == Interrupted and (again := command_to_resume(root, args)):
            print(f"interrupted; resume with `{readable(again)}`", file=sys.stderr)
        elif code == Interrupted and tuple(args[:2]) in ALL_OR_NOTHING:
            print("interrupted, and nothing was written; run the command again", file=sys.stderr)
        if sys.stdout:  # None when it was closed
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read us has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except UsageError as error:
        return _failed(error, 2)
    except (DamierError, OSError, UnicodeError, MemoryError, RecursionError) as error:
        return _failed(error, 1)
    except RuntimeError as error:
        if "thread" not in str(error) and "Resource temporarily unavailable" not in str(error):
            raise
        return _failed(error, 1)
    return code if isinstance(code, int) else 0


def _failed(error: Any, code: int) -> int:
    """Say in one line what went wrong, and where."""
    where = getattr(getattr(error, "ctx", None), "command_path", "damier")
    words = error.format_message() if hasattr(error, "format_message") else str(error)
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    words = next((plain for kind, plain in PLAIN.items() if isinstance(error, kind)), words)
    words = " ".join("; ".join([words, *getattr(error, "__notes__", ())]).split())
    if words:  # none when the help was printed instead
        print(f"{where}: {readable(LONG.sub(_shortened, words))}", file=sys.stderr)
    return code


def _shortened(word: re.Match[str]) -> str:
    return f"{word[0][:MOST_SHOWN]}..."
