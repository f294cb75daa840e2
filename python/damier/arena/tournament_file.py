"""A tournament as a TOML file; whatever is wrong in it is said with the name of the file and of the key."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

from damier import games
from damier._core import DamierError
from damier.arena.control import Control
from damier.arena.referee import Adjudication
from damier.arena.schedule import distinct
from damier.arena.tournament import FORMATS, Tournament

__all__ = ["read_tournament"]


def whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: Any) -> bool:
    return whole(value) or isinstance(value, float)


def text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(text, value))


def table(value: Any) -> bool:
    return isinstance(value, dict)


def players(value: Any) -> bool:
    return texts(value) or (table(value) and all(map(text, value.values())))


KINDS: dict[Callable[[Any], bool], str] = {
    whole: "a whole number",
    number: "a number",
    text: "a text",
    texts: "a list of texts",
    table: "a table",
    players: "a table of NAME = SPEC or a list of specs",
}
KEYS = {"game": text, "format": text, "players": players, "games": whole, "rounds": whole, "replays": whole}
KEYS |= {"challengers": texts, "limit": table, "openings": text, "seed": whole, "adjudication": table}
LIMIT = {"tc": text, "movetime": number, "nodes": whole, "depth": whole}
ADJUDICATION = {key.name: whole for key in fields(Adjudication)}


def read_tournament(path: Path, *, out: Path | None = None, resume: bool = False, concurrency: int = 1) -> Tournament:
    """Read a tournament, and try its players.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "cup.toml"
    ...     _ = path.write_text('game = "loa"\\nformat = "swiss"\\nplayers = ["random", "oneply"]\\nlimit.nodes = 100')
    ...     read_tournament(path).format
    'swiss'
    """
    try:
        held = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DamierError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # what is no TOML, or no UTF-8
        raise DamierError(f"{path}: {error}") from None
    _check(path, held, KEYS)
    for key in ("game", "players"):
        if key not in held:
            raise DamierError(f"{path}: there is no {key}, expected {key} = {KINDS[KEYS[key]]}")
    with _naming(f"{path}: game"):
        games.info(held["game"])
    if held.get("format", FORMATS[0]) not in FORMATS:
        raise DamierError(f"{path}: format is {held['format']!r}, expected one of {', '.join(FORMATS)}")
    with _naming(f"{path}: players"):
        held["players"] = _named(held["players"])
    held["control"] = _control(path, held.pop("limit", {}))
    held["adjudication"] = _adjudication(path, held.pop("adjudication", {}))
    with _naming(str(path)):
        asked = Tournament(**held, out=out, resume=resume, concurrency=concurrency)
        with _naming("openings"):
            asked.book  # noqa: B018 - read now, so that what is wrong is said here
        asked.try_players()
    return asked


def _check(path: Path, held: Mapping[str, Any], keys: Mapping[str, Callable[[Any], bool]], under: str = "") -> None:
    for key, value in held.items():
        if key not in keys:
            raise DamierError(f"{path}: there is no key {under}{key}, expected one of {', '.join(keys)}")
        if not keys[key](value):
            raise DamierError(f"{path}: {under}{key} is {value!r}, expected {KINDS[keys[key]]}")


def _named(value: Mapping[str, str] | list[str]) -> dict[str, str]:
    """Players by name; a spec alone is its own name."""
    specs = dict(value) if isinstance(value, Mapping) else dict(zip(value, value, strict=True))
    distinct(list(value))
    return specs


def _control(path: Path, limit: Mapping[str, Any]) -> Control:
    _check(path, limit, LIMIT, "limit.")
    if "tc" in limit and "movetime" in limit:
        raise DamierError(f"{path}: limit has tc and movetime, expected one of them")
    with _naming(f"{path}: limit"):
        clock = Control.read(limit["tc"]) if "tc" in limit else Control()
        time, nodes, depth = (limit.get(key) for key in ("movetime", "nodes", "depth"))
        return Control(clock.base, clock.increment, clock.moves, time, nodes, depth)


def _adjudication(path: Path, rules: Mapping[str, Any]) -> Adjudication:
    _check(path, rules, ADJUDICATION, "adjudication.")
    for key, value in rules.items():
        if value < (0 if key in ("draw", "draw_from") else 1):
            raise DamierError(f"{path}: adjudication.{key} is {value}, expected more")
    return Adjudication(**rules)


@contextmanager
def _naming(where: str) -> Iterator[None]:
    try:
        yield
    except DamierError as error:
        raise DamierError(f"{where}: {error}") from None
