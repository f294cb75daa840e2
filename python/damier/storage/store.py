"""A match or tournament on disk: its settings, and its pairs as they arrive, one line of JSON each. Nothing that was
written is lost, and a line cut off by a crash is played again.
"""

from __future__ import annotations

import json
import os
import sys
import weakref
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import Any, Generic, TypeVar, cast
from uuid import uuid4

from damier._core import DamierError
from damier.arena.play.book import Opening
from damier.arena.play.referee import PlayedGame, Turn

if sys.platform != "win32":
    import fcntl

__all__ = ["Pair", "Store", "drop_what_was_cut_off", "writing_to"]

Pair = tuple[PlayedGame, PlayedGame]
Number = TypeVar("Number", bound=Hashable)


class Store(Generic[Number]):
    """A folder that holds one match, or another kind of event; `number` reads from JSON what its pairs are known by.

    It is ours alone until it is closed, or until we are gone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store(Path(folder) / "match", {"game": "loa"}, int)
    ...     list(store.pairs())
    ...     store.close()
    []
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        number: Callable[[Any], Number],
        *,
        resume: bool = False,
        kind: str = "match",
    ) -> None:
        self.folder, self._number, self._kind = folder, number, kind
        self._about, self._games = folder / f"{kind}.json", folder / "pairs.jsonl"
        self._next_sync = 0.0
        self._locks: list[int] = []
        self._unlock = weakref.finalize(self, _close_all, self._locks)
        folder.mkdir(parents=True, exist_ok=True)
        if self._games.exists() and not self._about.exists():
            raise DamierError(f"{folder}: holds pairs of something else than a {kind}, expected another folder")
        try:
            self._lock(self._about)
            if self._about.stat().st_size or self._games.exists():
                self._check(settings, resume)
            else:  # made by the lock
                self._write_about(settings, datetime.now(UTC))
            drop_what_was_cut_off(self._games)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let others play in this folder."""
        self._unlock()

    def _lock(self, path: Path) -> None:
        """Hold a file, made if need be, as long as we play: the system lets go of it whatever becomes of us."""
        if sys.platform == "win32":
            path.touch()
        else:
            self._locks.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o666))
            try:
                fcntl.flock(self._locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise DamierError(f"{self.folder}: this {self._kind} is being played by another process") from None
            except OSError:  # of file systems that know no locks
                pass

    def _write_about(self, settings: Mapping[str, Any], started: datetime) -> None:
        about = {**settings, "run": uuid4().hex, "started": started.isoformat(timespec="seconds")}
        unfinished = self._about.with_suffix(".writing")
        with writing_to(self._about):
            unfinished.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
            self._lock(unfinished)  # before it takes the place of the file that we hold
            unfinished.replace(self._about)

    @property
    def run(self) -> tuple[str, datetime]:
        """What tells this run from any other, and when it started; a folder of before they were kept gets them now."""
        about = json.loads(self._about.read_text(encoding="utf-8"))
        try:
            return str(about["run"]), datetime.fromisoformat(about["started"])
        except (KeyError, TypeError, ValueError):
            self._write_about(about, datetime.fromtimestamp(self._about.stat().st_mtime, UTC))
            return self.run

    def _check(self, settings: Mapping[str, Any], resume: bool) -> None:
        try:
            before = json.loads(self._about.read_text(encoding="utf-8"))
        except ValueError:
            before = None
        if not isinstance(before, dict):
            raise DamierError(f"{self._about}: these are no settings of a {self._kind}")
        if not resume:
            raise DamierError(
                f"{self.folder}: holds a {self._kind} already; go on with it by --resume, or name another folder"
            )
        for name, value in settings.items():
            if before.get(name) != value:
                raise DamierError(f"{self._about}: the {self._kind} has {name} {before.get(name)!r}, not {value!r}")

    def append(self, number: Number, pair: Pair) -> None:
        """Keep a pair: it outlives us when this returns, and a power cut within a second."""
        line = json.dumps({"pair": number, "games": [_as_json(game) for game in pair]}, separators=(",", ":"))
        with writing_to(self._games), self._games.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
            file.flush()
            if monotonic() >= self._next_sync:  # which takes as long as several quick games
                os.fsync(file.fileno())
                self._next_sync = monotonic() + 1

    def pairs(self) -> Iterator[tuple[Number, Pair]]:
        """What was kept, with the number of each pair, each number once."""
        if not self._games.exists():
            return
        seen: set[Number] = set()
        with self._games.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):  # cut off, by a full disk for one
                    return
                try:
                    held = json.loads(line)
                    first, second = (_from_json(game) for game in held["games"])
                    pair = self._number(held["pair"])
                except (ValueError, KeyError, TypeError) as error:
                    raise DamierError(f"{self._games}, line {number}: no pair of games ({error!r})") from None
                if pair not in seen:
                    seen.add(pair)
                    yield pair, (first, second)


def _close_all(files: list[int]) -> None:
    while files:
        os.close(files.pop())


@contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Say which file it was that could not be written: a full disk does not."""
    try:
        yield
    except OSError as error:
        raise DamierError(f"{path}: {error.strerror or error}") from None


def drop_what_was_cut_off(path: Path) -> None:
    """End a file of lines, if there is one, where its last whole line ends."""
    if not path.exists():
        return
    with path.open("rb+") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)


def _as_json(game: PlayedGame) -> dict[str, Any]:
    return {
        "first_is_white": game.first_is_white,
        "fen": game.opening.fen,
        "opening": game.opening.name,
        "opening_plies": len(game.opening.codes),
        "codes": game.codes,
        "turns": [[turn.score, turn.depth, turn.nodes, round(turn.seconds, 6)] for turn in game.turns],
        "result": game.result,
        "ending": game.ending,
        "note": game.note,
    }


def _from_json(held: dict[str, Any]) -> PlayedGame:
    codes = tuple(cast(list[int], held["codes"]))
    opening = Opening(held["fen"], codes[: held["opening_plies"]], held["opening"])
    turns = tuple(Turn(*turn) for turn in held["turns"])
    return PlayedGame(held["first_is_white"], opening, codes, turns, held["result"], held["ending"], held["note"])
