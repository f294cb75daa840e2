"""Learnt players: files of weights in the user's folder, or named when the server starts.

Pages know them by an id and never by a path.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import count
from pathlib import Path

from damier import games
from damier._core import DamierError
from damier.web.errors import RefusedError
from damier.web.state import LearntPlayer
from damier.weights import read_weights

__all__ = ["Learnt", "ids_of"]

SUFFIX = ".safetensors"
USUAL = "learnt"  # the name of a file that `damier learn` writes: its folder says more
ID = r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}"
MOST = 500  # files that are looked at


@dataclass
class Learnt:
    """The players of a folder; files that do not hold weights are left out.

    >>> Learnt(Path("/nowhere")).players()
    []
    """

    folder: Path
    named: Mapping[str, Path] = field(default_factory=dict)  # more files, by their ids
    _known: dict[Path, tuple[float, LearntPlayer | None]] = field(default_factory=dict)

    def players(self) -> list[LearntPlayer]:
        """The players that are there now."""
        return [player for id, file in self._files().items() if (player := self._read(id, file))]

    def path(self, id: str, variant: str, *, analyses: bool = False) -> Path:
        """The file of a player that plays a variant, or can also analyse it."""
        file = self._files().get(id)
        player = self._read(id, file) if file else None
        if file and player and (_analyses(file, variant) or (player.variant == variant and not analyses)):
            return file
        what = "evaluation" if analyses else "player"
        raise RefusedError("unknown_player", f"there is no learnt {what} {id!r} of {variant}")

    def words(self, error: Exception) -> str:
        """An error without the paths of players."""
        folders = (self.folder, *(file.parent for file in self.named.values()))
        return reduce(lambda said, folder: said.replace(f"{folder}{os.sep}", ""), folders, str(error))

    def _files(self) -> dict[str, Path]:
        files = sorted(self.folder.glob(f"*{SUFFIX}"))[:MOST] if self.folder.is_dir() else []
        return {file.stem: file for file in files if re.fullmatch(ID, file.stem)} | dict(self.named)

    def _read(self, id: str, file: Path) -> LearntPlayer | None:
        try:
            changed = file.stat().st_mtime
            if file not in self._known or self._known[file][0] != changed:
                self._known[file] = changed, self._player(id, file)
            return self._known[file][1]
        except OSError:
            return None  # it went away

    @staticmethod
    def _player(id: str, file: Path) -> LearntPlayer | None:
        try:
            weights = read_weights(file)
            games.info(weights.game)
        except (DamierError, OSError):
            return None
        name = weights.metadata.get("name", id)
        shown = id if name == id else f"{id} ({name})"
        return LearntPlayer(id=id, name=shown, variant=weights.game, analyses=_analyses(file, weights.game))


def ids_of(files: Iterable[Path]) -> dict[str, Path]:
    """Files by the ids that they get: the name of the file, or that of the folder of a training.

    >>> list(ids_of(map(Path, ["new/own.safetensors", "my td/learnt.safetensors", "old/own.safetensors"])))
    ['own', 'my-td', 'own-2']
    """
    found: dict[str, Path] = {}
    for file in map(Path.absolute, files):
        name = file.parent.name if file.stem == USUAL else file.stem
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).lstrip("._-")[:50] or "player"
        numbered = (f"{plain}-{number}" for number in count(2))
        found[plain if plain not in found else next(id for id in numbered if id not in found)] = file
    return found


def _analyses(file: Path, variant: str) -> bool:
    """Whether a file holds an evaluation with which the engine can play a variant."""
    try:
        games.board(variant).evaluator(str(file))
    except DamierError:
        return False
    return True
