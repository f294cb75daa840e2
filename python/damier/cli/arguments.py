"""What is typed on the command line, checked before a command sees it: text that is text, numbers in plain digits."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, get_args, get_type_hints

import typer

from damier._core import DamierError
from damier.drawing.readable import readable

__all__ = ["check_numbers", "with_text"]

Command = Callable[..., None]


def with_text(command: Command) -> Command:
    """The command, which is not called with text that holds bytes of no character: the core takes UTF-8 only.

    A position or a move may hold anything, since those who read them say which one is wrong.
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


def check_numbers(command: Any, args: Sequence[str]) -> None:
    """Refuse 1_000 and digits that are not ASCII, which Python would take for numbers; `command` is Typer's.

    >>> check_numbers(typer.main.get_command(typer.Typer(callback=lambda: None)), ["--games", "1_000"])
    """
    hints = get_type_hints(inspect.unwrap(command.callback)) if command.callback else {}
    kinds = {name: {hint, *get_args(hint)} for name, hint in hints.items()}
    flags = {flag for option in command.params if {int, float} & kinds.get(option.name, set()) for flag in option.opts}
    counted = any(not option.opts[0].startswith("-") and int in kinds.get(option.name, ()) for option in command.params)
    for number, word in enumerate(args):
        if counted and not (word.isascii() and word.isdigit()) and word.replace("_", "").isdigit():
            raise typer.BadParameter(f"{word!r} is not a number in plain digits")
        flag, equals, value = word.partition("=")
        value = value if equals else (args[number + 1] if number + 1 < len(args) else "")
        if flag in flags and (not value.isascii() or "_" in value):
            raise typer.BadParameter(f"{value!r} is not a number in plain digits", param_hint=f"'{flag}'")
