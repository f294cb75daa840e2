"""Sets of options: a dataclass that is one parameter of a command, and several options for users."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_type_hints

__all__ = ["with_option_sets"]

Command = Callable[..., None]


def with_option_sets(command: Command) -> Command:
    """The command with each dataclass among its parameters replaced by the fields of that dataclass.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     rows: int = 8
    ...     columns: int = 8
    >>> def area(game: str, size: Size) -> None:
    ...     print(game, size.rows * size.columns)
    >>> list(inspect.signature(with_option_sets(area)).parameters)
    ['game', 'rows', 'columns']
    >>> with_option_sets(area)(game="loa", rows=6, columns=8)
    loa 48
    """
    given = _parameters(command)
    sets = {name: _parameters(each.annotation) for name, each in given.items() if is_dataclass(each.annotation)}

    @functools.wraps(command)
    def spread(**values: object) -> None:
        for name, fields in sets.items():
            values[name] = given[name].annotation(**{field: values.pop(field) for field in fields})
        command(**values)

    shown = [option for name, each in given.items() for option in sets.get(name, {name: each}).values()]
    spread.__annotations__ = {option.name: option.annotation for option in shown}
    spread.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    del spread.__wrapped__  # its parameters are others
    return spread


def _parameters(of: Any) -> dict[str, inspect.Parameter]:
    """The parameters of a function or dataclass, all by name and with their types."""
    hints = get_type_hints(of, include_extras=True)
    return {
        name: each.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name])
        for name, each in inspect.signature(of).parameters.items()
    }
