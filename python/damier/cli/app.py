"""All commands, and how their errors are reported."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer

from damier._core import DamierError
from damier.cli.arguments import check_words, command_to_resume, with_text
from damier.cli.option_sets import with_option_sets
from damier.drawing.readable import readable
from damier.version import __version__

__all__ = ["GROUPS", "PANELS", "root", "run"]

Interrupted = 130
MOST_SHOWN = 100  # letters of a word that was given
LONG = re.compile(rf"\S{{{2 * MOST_SHOWN},}}")
PLAIN = {
    MemoryError: "not enough memory",
    RecursionError: "the input is nested too deeply",
    RuntimeError: "the system has no threads left",
}  # errors whose own words say nothing; the first that fits, as a RecursionError is a RuntimeError

UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # its public name moved between versions of Typer

# The panels of `damier --help`, by what people come for; `damier.cli.match` holds `match`, and so on.
PANELS = {
    "Play": ("play", "serve", "games", "show"),
    "Analyse": ("analyse", "eval", "suite"),
    "Study": ("compare", "trace", "perft"),
    "Measure": ("match", "tournament", "ladder", "sprt", "bench"),
    "Learn": ("selfplay", "learn", "tune", "reproduce"),
    "Data": ("simulate", "database", "data"),
    "Protocols": ("uci", "hub"),
}
GROUPS = ("learn", "data")  # commands of commands
FUNCTIONS = {"eval": "evaluate", "bench": "bench_command"}  # of those that are not called like their command
FULL_DISK = [os.strerror(number) for number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)]  # or a quota reached
ALL_OR_NOTHING = {("data", name) for name in ("import", "merge", "dedupe", "export")}  # too quick to be resumed


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"damier {__version__}")
        raise typer.Exit


def damier(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Engines for Lines of Action, chess and draughts: play, analyse, study, measure, learn."""


@cache
def root(only: str | None = None) -> Any:
    """All commands, or only one, ready to run: loading them all takes longer than running most of them.

    >>> sorted(root("data").commands)
    ['data']
    """
    app = typer.Typer(
        no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode="rich"
    )
    app.callback()(damier)
    for panel, names in PANELS.items():
        for name in names if only is None else {only} & {*names}:
            command = getattr(import_module(f"damier.cli.{name}"), FUNCTIONS.get(name, name))
            if name in GROUPS:
                app.add_typer(command, name=name, rich_help_panel=panel)
            else:
                context = {"ignore_unknown_options": name == "perft"}  # so that a depth of -1 is refused as a depth
                app.command(name, rich_help_panel=panel, context_settings=context)(with_text(with_option_sets(command)))
    return typer.main.get_command(app)


def run(args: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code: the one place where errors become messages.

    >>> run(["--version"])  # doctest: +ELLIPSIS
    damier ...
    0
    """
    args = sys.argv[1:] if args is None else args
    try:
        known = {"--version", *(name for names in PANELS.values() for name in names)}
        commands = root(args[0] if args and args[0] in known else None)
        check_words(commands, args)
        code = commands(args, prog_name="damier", standalone_mode=False)
        if code == Interrupted and (again := command_to_resume(commands, args)):
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
        if any(words in str(error) for words in FULL_DISK) and (advice := _full_disk_advice(args)):
            error.add_note(advice)
        return _failed(error, 1)
    except RuntimeError as error:
        if "thread" not in str(error) and "Resource temporarily unavailable" not in str(error):
            raise
        return _failed(error, 1)
    return code if isinstance(code, int) else 0


def _full_disk_advice(args: Sequence[str]) -> str | None:
    """What to do once there is room again; None for commands that leave nothing half done."""
    if again := command_to_resume(root(args[0]), args):
        return f"make room there and resume with `{again}`"
    return "make room there and run the command again" if tuple(args[:2]) in ALL_OR_NOTHING else None


def _failed(error: BaseException, code: int) -> int:
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
