"""A tournament as a TOML file; errors name the file and the key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Unpack

from damier._core import DamierError
from damier.arena.event import Where
from damier.arena.schedule.schedule import distinct
from damier.arena.toml_file import KINDS, adjudication_in, control_in, naming, read_keys, table, text, texts, whole
from damier.arena.tournament import FORMATS, Tournament

__all__ = ["read_tournament"]


def players(value: object) -> bool:
    return texts(value) or (isinstance(value, dict) and all(map(text, value.values())))


KINDS[players] = "a table of NAME = SPEC or a list of specs"
KEYS = {"game": text, "format": text, "players": players, "games": whole, "rounds": whole, "replays": whole}
KEYS |= {"challengers": texts, "limit": table, "openings": text, "seed": whole, "adjudication": table}


def read_tournament(path: Path, **where: Unpack[Where]) -> Tournament:
    """Read a tournament, and try its players; what an event has besides, such as `out`, is not in the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "cup.toml"
    ...     _ = path.write_text('game = "loa"\\nformat = "swiss"\\nplayers = ["random", "oneply"]\\nlimit.nodes = 100')
    ...     read_tournament(path).format
    'swiss'
    """
    data = read_keys(path, KEYS, ("game", "players"))
    if data.get("format", FORMATS[0]) not in FORMATS:
        raise DamierError(f"{path}: format is {data['format']!r}, expected one of {', '.join(FORMATS)}")
    with naming(f"{path}: players"):
        data["players"] = _named(data["players"])
    data["control"] = control_in(path, data.pop("limit", {}))
    data["adjudication"] = adjudication_in(path, data.pop("adjudication", {}))
    with naming(str(path)):
        tournament = Tournament(**data, **where)
        with naming("openings"):
            tournament.book  # noqa: B018 - read now, so that what is wrong is said here
        tournament.try_players()
    return tournament


def _named(value: Mapping[str, str] | list[str]) -> dict[str, str]:
    """Players by name; a spec without a name is its own name."""
    specs = dict(value) if isinstance(value, Mapping) else dict(zip(value, value, strict=True))
    distinct(list(value))
    return specs
