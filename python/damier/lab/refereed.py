"""Games of any two players under the arena's referee, as the columns that shards keep."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from hashlib import blake2b

from damier._core import DamierError, StopFlag
from damier.arena.play.book import RandomOpenings
from damier.arena.play.control import Control
from damier.arena.play.referee import Adjudication
from damier.arena.play.runner import GameRunner
from damier.arena.toml_file import naming
from damier.engine.result import FaultKind
from damier.records import Entrant
from damier.storage.batches import Packer
from damier.storage.shards import Columns

__all__ = ["RefereedPlay"]

FAULTS = FaultKind.__args__  # type: ignore[attr-defined]


@dataclass
class RefereedPlay:
    """Plays games of two players, with separate players on each thread. Two different players play each opening
    twice, with colours reversed.

    >>> play = RefereedPlay("loa5", None, ("mtdf:depth=2", "random"), seed=1, random_plies=4, control=Control())
    >>> columns = play(0, 2, StopFlag())
    >>> columns["whites"].tolist()
    ['mtdf:depth=2', 'random']
    """

    game: str
    fen: str | None
    specs: tuple[str, str]
    seed: int
    random_plies: int
    control: Control
    adjudication: Adjudication | None = None

    def __post_init__(self) -> None:
        book = RandomOpenings(self.game, self.random_plies, self.seed, self.fen)
        self._runner = GameRunner(self.game, book, self.control, self.adjudication or Adjudication())
        book[1]  # too many plies are said before the run begins

    def __reduce__(self) -> tuple[object, ...]:
        return RefereedPlay, tuple(getattr(self, field.name) for field in fields(self))

    def try_players(self) -> None:
        """Raise what is wrong with a player, before any game."""
        for spec in dict.fromkeys(self.specs):
            with naming(spec):
                self._runner.try_player(spec)

    def close(self) -> None:
        """Release all players."""
        self._runner.close()

    def __call__(self, first: int, count: int, stop: StopFlag) -> Columns:
        packer = Packer()
        for number in range(first, first + count):
            if not self._play(number, packer, stop):
                break
        columns = packer.columns()
        if self.game != "chess960" or self.fen is not None:  # all start where the run says
            del columns["fens"]
        return columns

    def _play(self, number: int, packer: Packer, stop: StopFlag) -> bool:
        """Play one game; False if it was stopped halfway."""
        is_self_play = self.specs[0] == self.specs[1]
        opening = self._runner.book[number if is_self_play else number // 2]
        seed = int.from_bytes(blake2b(f"{self.seed} {number}".encode(), digest_size=6).digest(), "little")
        first_is_white = number % 2 == 0
        played = self._runner.play_one(self.specs, opening, seed, stop, first_is_white=first_is_white)
        if played is None:
            return False
        if played.reason in FAULTS and (played.reason != "resignation" or played.note):  # adjudication has no note
            raise DamierError(f"game {number}: {played.reason} ({played.note})")
        white, black = self.specs if first_is_white else self.specs[::-1]
        packer.add(replace(played, white=Entrant(white, white), black=Entrant(black, black)))
        return True
