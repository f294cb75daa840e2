"""How strong the levels are: a table for each game, measured by `damier ladder` and kept as data.

The package has tables beside this file, in `ladder/GAME.json`; one in the user's directory, or in DAMIER_LADDERS if
that is set, takes precedence. A game without a table uses that of the first of its family that has one, and a family
without any uses the general one, which is an estimate.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path

from damier import games
from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.files import JsonView, naming_file, read_text, write_atomically

__all__ = [
    "EloTable",
    "Rung",
    "default_elo",
    "elo_range",
    "elo_table",
    "general_table",
    "own_table_file",
    "read_table",
    "write_table",
]

OURS = Path(__file__).with_name("ladder")
GENERAL = "general"
NumberOfLevels = 10


@dataclass(frozen=True)
class Rung:
    """A row of a table: a level or an anchor (level None), its Elo, half the 95 % interval, and its games."""

    name: str
    level: int | None
    elo: float
    error: float
    games: int


@dataclass(frozen=True)
class EloTable:
    """The levels of a game and some anchors on one scale, the strongest first; each level is above the one below it.

    >>> rungs = [Rung(f"level {level}", level, 100.0 * level, 20.0, 40) for level in range(10, 0, -1)]
    >>> table = EloTable("loa", tuple(rungs))
    >>> table.elos[:3], table.below(340), table.below(1000), table.nearest(5000)
    ((100, 200, 300), (3, 0.4), (10, 0.0), 1000)
    """

    game: str
    rungs: tuple[Rung, ...]

    def __post_init__(self) -> None:
        known = {rung.level for rung in self.rungs}
        if missing := [level for level in range(1, NumberOfLevels + 1) if level not in known]:
            raise DamierError(f"level {missing[0]} is missing, expected levels 1 to {NumberOfLevels}")
        for level, (lower, upper) in enumerate(pairwise(self.elos), 1):
            if upper <= lower:
                raise DamierError(
                    f"level {level + 1} has {upper} Elo and level {level} {lower}, expected each above the one below: "
                    "more games may settle it"
                )

    @property
    def elos(self) -> tuple[int, ...]:
        """The Elo of the levels, from the first on."""
        return tuple(round(elo) for _, elo in sorted((rung.level, rung.elo) for rung in self.rungs if rung.level))

    @property
    def range(self) -> tuple[int, int]:
        return self.elos[0], self.elos[-1]

    def below(self, elo: int) -> tuple[int, float]:
        """The highest level not above an Elo, and how far towards the next level the Elo lies, 0 to 1."""
        check_range("elo", elo, *self.range)
        level = sum(known <= elo for known in self.elos)
        if level == NumberOfLevels:
            return level, 0.0
        lower, upper = self.elos[level - 1 : level + 1]
        return level, (elo - lower) / (upper - lower)

    def nearest(self, elo: int) -> int:
        """The nearest Elo within the table."""
        least, most = self.range
        return max(least, min(elo, most))


def elo_table(game: str) -> EloTable:
    """The table of a game.

    >>> elo_table("chess960") == elo_table("chess")
    True
    """
    family = games.info(game).family
    for known in (game, *(other.name for other in games.GAMES.values() if other.family == family)):
        for folder in (_theirs(), OURS):
            if (file := _file(folder, known)).exists():
                return read_table(file)
    return general_table()


def general_table() -> EloTable:
    """The estimated table, for games that were not measured.

    >>> general_table().elos[0]
    600
    """
    return read_table(_file(OURS, GENERAL))


def elo_range(game: str | None = None) -> tuple[int, int]:
    """The lowest and the highest Elo of a game, or of any game.

    >>> least, most = elo_range()
    >>> least <= elo_range("loa")[0] < elo_range("loa")[1] <= most
    True
    """
    found = [_sound_table(name).range for name in ([game] if game else games.GAMES)]
    return min(least for least, _ in found), max(most for _, most in found)


def default_elo(game: str) -> int:
    """The Elo of the middle level of a game.

    >>> default_elo("loa") == elo_table("loa").elos[4]
    True
    """
    return _sound_table(game).elos[4]


def _sound_table(game: str) -> EloTable:
    """The table of a game; a damaged one is reported when it is used, and must not keep an engine from starting."""
    try:
        return elo_table(game)
    except DamierError:
        return general_table()


def own_table_file(game: str) -> Path:
    """Where the user's own table is looked for, which takes precedence over the package's."""
    return _file(_theirs(), games.info(game).name)


def read_table(file: Path) -> EloTable:
    """A table from a file; DamierError names the file and what is wrong with it.

    >>> read_table(OURS / "chess.json").game
    'chess'
    """
    try:
        data = json.loads(read_text(file))
        rungs = tuple(_rung(row) for row in data["ladder"])
        return EloTable(str(data["game"]), rungs)
    except OSError as error:
        raise DamierError(f"{file}: {error.strerror}") from None
    except DamierError as error:
        raise DamierError(f"{file}: {error}") from None
    except (ValueError, KeyError, TypeError, OverflowError):
        raise DamierError(f"{file}: not a table of levels, as `damier ladder` writes it") from None


def write_table(file: Path, table: EloTable, circumstances: Mapping[str, object]) -> None:
    """Write a table, and how it was measured, completely or not at all."""
    data = {"game": table.game, **circumstances, "ladder": [asdict(rung) for rung in table.rungs]}
    with naming_file(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(file, _readable(data))


def _rung(row: JsonView) -> Rung:
    level = row["level"]
    if level is not None and not isinstance(level, int):
        raise ValueError(level)
    return Rung(str(row["name"]), level, float(row["elo"]), float(row["error"]), int(row["games"]))


def _readable(data: Mapping[str, object]) -> str:
    """JSON with a line for each key and each rung."""

    def shown(value: object) -> str:
        if isinstance(value, list):
            return "[\n" + ",\n".join(f"    {json.dumps(row)}" for row in value) + "\n  ]"
        return json.dumps(value)

    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {shown(value)}" for key, value in data.items()) + "\n}\n"


def _file(folder: Path, game: str) -> Path:
    return folder / f"{game.replace(':', '-')}.json"


def _theirs() -> Path:
    if folder := os.environ.get("DAMIER_LADDERS"):
        return Path(folder)
    import platformdirs  # noqa: PLC0415  (an engine must start at once)

    return platformdirs.user_data_path("damier") / "ladders"
