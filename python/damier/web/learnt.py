"""Learnt players: files of weights in the user's folder, known to pages by an id and never by a path."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from damier import games
from damier._core import DamierError
from damier.web.errors import RefusedError
from damier.web.state import LearntPlayer
from damier.weights import read_weights

__all__ = ["Learnt"]

SUFFIX = ".safetensors"
MOST = 500  # files that are looked at


@dataclass
class Learnt:
    """The players of a folder; files that do not hold weights are left out.

    >>> Learnt(Path("/nowhere")).players()
    []
    """

    folder: Path
    _known: dict[Path, tuple[float, LearntPlayer | None]] = field(default_factory=dict)

    def players(self) -> list[LearntPlayer]:
        """The players that are there now."""
        files = sorted(self.folder.glob(f"*{SUFFIX}"))[:MOST] if self.folder.is_dir() else []
        return [player for file in files if (player := self._read(file))]

    def path(self, id: str, variant: str, *, analyses: bool = False) -> Path:
        """The file of a player that plays a variant, or can also analyse it."""
        file = self.folder / f"{id}{SUFFIX}"
        player = next((player for player in self.players() if player.id == id), None)
        if player is not None and (_analyses(file, variant) or (player.variant == variant and not analyses)):
            return file
        what = "evaluation" if analyses else "player"
        raise RefusedError("unknown_player", f"there is no learnt {what} {id!r} of {variant}")

    def _read(self, file: Path) -> LearntPlayer | None:
        try:
            changed = file.stat().st_mtime
            if file not in self._known or self._known[file][0] != changed:
                self._known[file] = changed, self._player(file)
            return self._known[file][1]
        except OSError:
            return None  # it went away

    @staticmethod
    def _player(file: Path) -> LearntPlayer | None:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}", file.stem):
            return None
        try:
            weights = read_weights(file)
            games.info(weights.game)
        except (DamierError, OSError):
            return None
        name = weights.metadata.get("name", file.stem)
        return LearntPlayer(id=file.stem, name=name, variant=weights.game, analyses=_analyses(file, weights.game))


def _analyses(file: Path, variant: str) -> bool:
    """Whether a file holds an evaluation with which the engine can play a variant."""
    try:
        games.board(variant).evaluator(str(file))
    except DamierError:
        return False
    return True
