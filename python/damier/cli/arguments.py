"""Command-line arguments, checked before a command sees them: text, plain numbers, file names."""

from __future__ import annotations

import functools
import inspect
import math
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

import typer

from damier._core import DamierError
from damier.drawing.readable import readable

__all__ = ["EMPTY_NAME", "check_words", "command_to_resume", "with_text"]

EMPTY_NAME = "it is empty, expected the name of a file or folder"
HAVE_FOLDERS = ("reproduce",)  # commands that keep what they do without --out, too

Command = Callable[..., None]
Kinds = Mapping[str, set[object]]  # the types that an option or argument may have


def with_text(command: Command) -> Command:
    """The command, with a check that its text arguments are valid UTF-8, which is all the core accepts.

    A position or a move may hold anything, since their own errors are more precise.
    """

    @functools.wraps(command)
    def checked(**values: Any) -> None:
        for name, value in values.items():
            for text in value if isinstance(value, list) else [value]:
                if isinstance(text, str) and name not in ("fen", "moves") and not is_text(text):
                    raise DamierError(f"{name} is {text!a}, expected text in UTF-8")
        command(**values | {name: readable(values[name]) for name in ("fen", "moves") if values.get(name)})

    return checked


def is_text(text: str) -> bool:
    r"""Whether a text can be written as UTF-8 and given to other programs.

    >>> is_text("Élo"), is_text("\udcff"), is_text("\0")
    (True, False, False)
    """
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def check_words(command: Any, args: Sequence[str]) -> None:
    """Refuse numbers and paths that Python would take for something else; `command` is Typer's, or a group of them.

    >>> check_words(typer.main.get_command(typer.Typer(callback=lambda: None)), ["--games", "1_000"])
    """
    command, args = _innermost(command, args)
    hints = get_type_hints(inspect.unwrap(command.callback)) if command.callback else {}
    kinds = {name: {hint, *get_args(hint)} for name, hint in hints.items()}
    kind_of = {flag: kinds.get(option.name, set()) for option in command.params for flag in option.opts}
    _check_numbers(kind_of, args)
    _check_paths(kind_of, args)


def command_to_resume(command: Any, args: Sequence[str]) -> str | None:
    """The command that resumes after an interruption; None if nothing was saved.

    >>> from damier.cli.app import root
    >>> command_to_resume(root(), ["simulate", "loa", "--games", "9", "--out", "my games"])
    "damier simulate loa --games 9 --out 'my games' --resume"
    """
    innermost = _innermost(command, args)[0]
    flags = {flag for option in innermost.params for flag in option.opts}
    named = any(word == "--out" or word.startswith("--out=") for word in args)
    if "--resume" not in flags or not (named or innermost.name in HAVE_FOLDERS):
        return None
    return shlex.join(["damier", *args, *(() if "--resume" in args else ["--resume"])])


def _innermost(command: Any, args: Sequence[str]) -> tuple[Any, Sequence[str]]:
    """The command that words name within a group, and the words after its name."""
    subcommands = getattr(command, "commands", {})
    return _innermost(subcommands[args[0]], args[1:]) if args and args[0] in subcommands else (command, args)


def _check_numbers(kind_of: Kinds, args: Sequence[str]) -> None:
    """Refuse 1_000 and digits that are not ASCII."""
    counted = any(int in kinds for name, kinds in kind_of.items() if not name.startswith("-"))
    for word in args:
        if counted and not (word.isascii() and word.isdigit()) and word.replace("_", "").isdigit():
            raise typer.BadParameter(f"{word!r} is not a number in plain digits")
    for flag, value in _values(args):
        if {int, float} & kind_of.get(flag, set()) and (not value.isascii() or "_" in value):
            raise typer.BadParameter(f"{value!r} is not a number in plain digits", param_hint=f"'{flag}'")
        if float in kind_of.get(flag, set()) and not _is_finite(value):
            raise typer.BadParameter(f"{value!r} is not a finite number", param_hint=f"'{flag}'")


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:  # which is reported later
        return True


def _check_paths(kind_of: Kinds, args: Sequence[str]) -> None:
    """Refuse an empty name, which would be the current folder."""
    for flag, value in _values(args):
        if not value and Path in kind_of.get(flag, set()):
            raise typer.BadParameter(EMPTY_NAME, param_hint=f"'{flag}'")
    takes_path = any(Path in kinds for name, kinds in kind_of.items() if not name.startswith("-"))
    for before, word in pairwise(["", *args]):
        if takes_path and not word and not before.startswith("-"):
            raise typer.BadParameter("'' is empty, expected the name of a file or folder")


def _values(args: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word with the word after it, or with what follows its `=`, as if it were an option."""
    for number, word in enumerate(args):
        flag, equals, value = word.partition("=")
        if equals:
            yield flag, value
        elif number + 1 < len(args):
            yield flag, args[number + 1]
