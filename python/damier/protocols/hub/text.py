"""A line of Hub: a command and its arguments `name=value`; a value may be quoted, a flag has none."""

from __future__ import annotations

import re

from damier._core import DamierError

__all__ = ["read_line", "written"]

PAIR = re.compile(r'\s*(?P<name>[^\s="]+)(?:\s*=\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^\s="]+)))?')


def read_line(line: str) -> tuple[str, dict[str, str]]:
    """The command of a line, "" for an empty one, and its arguments; DamierError if it cannot be read.

    >>> read_line('pos pos=Wbe moves="32-28 19-23"')
    ('pos', {'pos': 'Wbe', 'moves': '32-28 19-23'})
    >>> read_line("level infinite")
    ('level', {'infinite': ''})
    """
    line = line.strip()
    pairs: list[tuple[str, str]] = []
    at = 0
    while at < len(line):
        pair = PAIR.match(line, at)
        if not pair:
            raise DamierError(f"expected name=value, with quotes that close, at {line[at : at + 40]!r}")
        pairs.append((pair["name"], pair["quoted"] or pair["plain"] or ""))
        at = pair.end()
    if pairs and pairs[0][1]:
        raise DamierError(f"expected a command, not {line[:40]!r}")
    return (pairs[0][0], dict(pairs[1:])) if pairs else ("", {})


def written(command: str, **args: object) -> str:
    """A line of Hub; a name with an underscore gets a hyphen, None leaves an argument out.

    >>> written("done", move="32-28", ponder=None)
    'done move=32-28'
    >>> written("error", message='no square "51"')
    'error message="no square \\'51\\'"'
    """
    return " ".join([command, *(f"{name.replace('_', '-')}={_value(v)}" for name, v in args.items() if v is not None)])


def _value(value: object) -> str:
    text = " ".join(str(value).replace('"', "'").split())
    return text if re.fullmatch(r'[^\s="]+', text) else f'"{text}"'
