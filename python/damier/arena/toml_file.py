"""What the TOML files of the arena share: keys and their kinds, limits and adjudication, and errors that name both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from damier import games
from damier._core import DamierError
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication
from damier.files import JsonObject, JsonView, read_toml

__all__ = ["adjudication_in", "check", "control_in", "naming", "number", "read_keys", "table", "text", "texts", "whole"]


def whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object) -> bool:
    return whole(value) or isinstance(value, float)


def text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def texts(value: object) -> bool:
    return isinstance(value, list) and all(map(text, value))


def table(value: object) -> bool:
    return isinstance(value, dict)


KINDS: dict[Callable[[object], bool], str] = {
    whole: "a whole number",
    number: "a number",
    text: "a text",
    texts: "a list of texts",
    table: "a table",
}
LIMIT = {"tc": text, "movetime": number, "nodes": whole, "depth": whole}
ADJUDICATION = {key.name: whole for key in fields(Adjudication)}


def read_keys(path: Path, keys: Mapping[str, Callable[[object], bool]], required: Sequence[str]) -> JsonObject:
    """What a TOML file of an event holds: keys of their kinds, all that are required, and a game there is."""
    data = read_toml(path)
    check(path, data, keys)
    for key in required:
        if key not in data:
            raise DamierError(f"{path}: {key} is missing, expected {key} = {KINDS[keys[key]]}")
    with naming(f"{path}: game"):
        games.info(data["game"])
    return data


def check(path: Path, data: JsonView, keys: Mapping[str, Callable[[object], bool]], under: str = "") -> None:
    """Refuse an unknown key and a value of the wrong type."""
    for key, value in data.items():
        if key not in keys:
            raise DamierError(f"{path}: there is no key {under}{key}, expected one of {', '.join(keys)}")
        if not keys[key](value):
            raise DamierError(f"{path}: {under}{key} is {value!r}, expected {KINDS[keys[key]]}")


def control_in(path: Path, limit: JsonView) -> Control:
    """The limit of a file: tc or movetime, nodes, depth."""
    check(path, limit, LIMIT, "limit.")
    with naming(f"{path}: limit"):
        return Control.of(**limit)


def adjudication_in(path: Path, rules: JsonView) -> Adjudication:
    """When games are ended before their end."""
    check(path, rules, ADJUDICATION, "adjudication.")
    with naming(f"{path}: adjudication"):
        return Adjudication(**rules)


@contextmanager
def naming(where: str) -> Iterator[None]:
    """Add to an error where it occurred."""
    try:
        yield
    except DamierError as error:
        raise DamierError(f"{where}: {error}") from None
