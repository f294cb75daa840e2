"""The specs that name players: `kind[:key=value,...]`."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from damier._core import DamierError
from damier.files import JsonObject
from damier.players.base import Player
from damier.players.engine import EnginePlayer
from damier.players.learnt import learnt_player
from damier.players.remote import PROTOCOLS, RemotePlayer
from damier.players.simple import OnePlyPlayer, RandomPlayer
from damier.players.textbook import TextbookPlayer
from damier.textbook import ALGORITHMS

__all__ = ["KINDS", "Kind", "check_nameable", "player", "settings_of"]


def check_nameable(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder whose files no spec can name.

    >>> check_nameable("runs/a,b")
    Traceback (most recent call last):
    damier._core.DamierError: runs/a,b: has a comma, expected a folder that can be named in the spec of a player
    """
    if "," in os.fspath(folder):
        raise DamierError(f"{folder}: has a comma, expected a folder that can be named in the spec of a player")


@dataclass(frozen=True)
class Kind:
    """A kind of player: what creates it, the keys its spec may have, and the key of a value without one."""

    make: Callable[..., Player]
    keys: Mapping[str, Callable[[str], object]] = field(default_factory=dict)
    bare: str = ""
    takes_options: bool = False  # whether there may be `option.NAME=VALUE` besides


def on_or_off(text: str) -> bool:
    """Read a switch.

    >>> on_or_off("on"), on_or_off("0")
    (True, False)
    """
    if text not in ("on", "1", "off", "0"):
        raise ValueError(text)
    return text in ("on", "1")


def whole(text: str) -> int:
    """Read a whole number in plain digits that the core can hold.

    >>> whole("500")
    500
    """
    if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        raise ValueError(text)
    return int(text)


def decimal(text: str) -> float:
    """Read a number in plain digits.

    >>> decimal("0.5"), decimal("1e3")
    (0.5, 1000.0)
    """
    if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,2})?", text):
        raise ValueError(text)
    return float(text)


def _textbook_kind(algorithm: str) -> Kind:
    keys: dict[str, Callable[[str], object]]
    if algorithm == "mcts":
        keys = {"nodes": whole, "exploration": decimal, "leaves": str, "playout_plies": whole}
    else:
        keys = {
            "depth": whole,
            "time": decimal,
            "ordering": str,
            "hash": whole,
            "iterative": on_or_off,
            "aspiration": whole,
        }
        keys |= {"null_move": on_or_off, "quiescence": on_or_off}
    return Kind(partial(TextbookPlayer, algorithm), keys | {"eval": str, "seed": whole})


def _remote_kind(protocol: str) -> Kind:
    keys: dict[str, Callable[[str], object]] = {"command": str, "dir": str, "name": str}
    keys |= {"time": decimal, "depth": whole, "nodes": whole}
    keys |= {"patience": decimal, "move_patience": decimal, "assume_variant": on_or_off}
    return Kind(partial(RemotePlayer, protocol), keys, bare="command", takes_options=True)


EXPECTED: dict[Callable[[str], object], str] = {decimal: "a number", on_or_off: "on or off"}
_WHOLE = ("depth", "nodes", "level", "elo", "threads", "hash", "seed")

_ENGINE: dict[str, Callable[[str], object]] = {"time": decimal, "set": str, **dict.fromkeys(_WHOLE, whole)}

KINDS: dict[str, Kind] = {
    "engine": Kind(EnginePlayer, {**_ENGINE, "eval": str}),
    "learnt": Kind(
        learnt_player, {**_ENGINE, "path": str, "simulations": whole, "leaves": whole, "device": str}, bare="path"
    ),
    "random": Kind(RandomPlayer, {"seed": whole}),
    "oneply": Kind(OnePlyPlayer, {"seed": whole, "games": whole}),
    **{algorithm: _textbook_kind(algorithm) for algorithm in ALGORITHMS},
    **{protocol: _remote_kind(protocol) for protocol in PROTOCOLS},
}


def player(spec: str) -> Player:
    """Make the player a spec names.

    >>> player("random:seed=3").name
    'random'
    """
    name, settings = settings_of(spec)
    return KINDS[name].make(**settings)


def settings_of(spec: str) -> tuple[str, JsonObject]:
    """The kind of player a spec names, and its settings.

    >>> settings_of("engine:nodes=500,eval=classic")
    ('engine', {'nodes': 500, 'eval': 'classic'})
    """
    name, _, rest = spec.partition(":")
    if name not in KINDS:
        raise DamierError(f"player {spec!r}: {name!r} is not a kind of player, expected one of {', '.join(KINDS)}")
    kind = KINDS[name]
    settings: JsonObject = {}
    for word in filter(None, rest.split(",")):
        key, equals, value = word.partition("=")
        if not equals and kind.bare:
            key, value = kind.bare, word
        if kind.takes_options and key.startswith("option."):
            settings.setdefault("options", {})[key.removeprefix("option.")] = value
            continue
        if key not in kind.keys:
            raise DamierError(
                f"player {spec!r}: {key!r} is not a key of {name}, expected one of {', '.join(kind.keys) or 'none'}"
            )
        if key in settings:
            raise DamierError(f"player {spec!r}: {key} is given twice, expected once")
        try:
            settings[key] = kind.keys[key](value)
        except ValueError:
            expected = EXPECTED.get(kind.keys[key], "a whole number of at most 18 digits")
            raise DamierError(f"player {spec!r}: {key} is {value!r}, expected {expected}") from None
    if kind.bare and kind.bare not in settings:
        raise DamierError(f"player {spec!r}: {kind.bare} is missing, expected {name}:{kind.bare.upper()}")
    return name, settings
