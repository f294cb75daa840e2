"""A folder that holds one run: its settings, and a lock while a process works in it.

Everything that plays many games saves them in such a folder: matches, tournaments, ladders, tuning, self-play,
simulation.
"""

from __future__ import annotations

import json
import os
import sys
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from damier._core import DamierError, DataError
from damier.files import JsonObject, JsonView, read_text, remove_leftovers, replacing

if sys.platform != "win32":
    import fcntl

__all__ = ["MANIFESTS", "RunFolder", "RunInfo", "kind_of", "settings_in"]

# Where each kind of run keeps its settings.
MANIFESTS = {
    "match": "match.json",
    "tournament": "tournament.json",
    "ladder": "tournament.json",
    "tuning": "tune.json",
    "simulation": "run.json",
    "selfplay": "run.json",
    "training": "training.json",
    "data": "run.json",
    "reproduction": "reproduce.json",
}
GAMES = ("pairs.jsonl", "games-*.parquet", "part-*.parquet")
WORDS = {
    "tuning": "tuning run",
    "selfplay": "self-play run",
    "training": "training run",
    "data": "data set",
}  # in messages; the other kinds are words already
HASHES = {
    "data_sha256": "the games it learns from have changed",
    "parent_sha256": "the evaluation it starts from has changed",
}  # what a setting that nobody typed tells when it differs
PLANNED = {"training": {"steps": "this method plans all its steps from the first on; name another folder"}}


@dataclass(frozen=True)
class RunInfo:
    """The identity of a run: `run` stays the same when it is resumed, and no other run has it."""

    run: str
    kind: str
    game: str
    settings: JsonView = field(hash=False)
    started: datetime

    @classmethod
    def new(cls, kind: str, settings: JsonView) -> RunInfo:
        """A run that starts now.

        >>> RunInfo.new("match", {"game": "loa"}).game
        'loa'
        """
        return cls(uuid4().hex, kind, settings["game"], settings, datetime.now(UTC))


class RunFolder:
    """The folder of one run, created if need be; it is locked until it is closed or this process ends.

    Settings that are there already must be the same, or larger for those in `growing`, and `resume` must be set to
    continue.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, RunFolder(Path(folder) / "run", "match", {"game": "loa"}) as run:
    ...     run.manifest.name, run.info.kind
    ('match.json', 'match')
    """

    def __init__(
        self, folder: Path, kind: str, settings: JsonView, *, resume: bool = False, growing: Sequence[str] = ()
    ) -> None:
        self.folder, self.kind, self._word = folder, kind, WORDS.get(kind, kind)
        self.manifest = folder / MANIFESTS[kind]
        self._locks: list[int] = []
        self._unlock = weakref.finalize(self, _close_all, self._locks)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DataError(f"{folder}: cannot hold games ({error.strerror})") from None
        self._refuse_others()
        try:
            self._lock(self.manifest)
            if self.manifest.stat().st_size or self._has_games():
                self._check(settings, resume, growing)
            else:  # made by the lock
                self._write(settings, uuid4().hex, datetime.now(UTC))
            remove_leftovers(folder)
            self.info = self._read_info(settings)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> RunFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock of the folder."""
        self._unlock()

    def _has_games(self) -> bool:
        if self.kind == "data":  # whose settings are written last, in a new folder
            return False
        return any(next(self.folder.glob(pattern), None) for pattern in GAMES)

    def _refuse_others(self) -> None:
        """Refuse a folder that holds another kind of run."""
        held = kind_of(self.folder)
        if held is None and not self.manifest.exists():  # of before settings named the kind
            held = next((kind for kind, name in MANIFESTS.items() if (self.folder / name).exists()), None)
        if held not in (None, self.kind):
            raise DamierError(
                f"{self.folder}: holds a {WORDS.get(held, held)}, expected a {self._word} or another folder"
            )
        if self._has_games() and not self.manifest.exists():
            raise DamierError(f"{self.folder}: holds games without {self.manifest.name}, expected another folder")

    def _lock(self, path: Path) -> None:
        """Lock a file, created if need be, while we work: the system releases it whatever happens to us."""
        try:
            if sys.platform == "win32":
                path.touch()
                return
            self._locks.append(os.open(path, os.O_RDWR | os.O_CREAT, 0o666))
        except OSError as error:
            raise DataError(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(self._locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DamierError(f"{self.folder}: this {self._word} is being played by another process") from None
        except OSError:  # of file systems that know no locks
            pass

    def _write(self, settings: JsonView, run: str, started: datetime) -> None:
        held = {"kind": self.kind, **settings, "run": run, "started": started.isoformat(timespec="seconds")}
        with replacing(self.manifest) as unfinished:
            unfinished.write_text(json.dumps(held, indent=2) + "\n", encoding="utf-8")
            self._lock(unfinished)  # before it takes the place of the file that we hold

    def _check(self, settings: JsonView, resume: bool, growing: Sequence[str]) -> None:
        before = self._held()
        if before.get("kind", self.kind) != self.kind:
            raise DataError(f"{self.manifest}: kind is {before['kind']!r}, expected {self.kind!r}")
        if not resume:
            raise DamierError(
                f"{self.folder}: holds a {self._word} already; add --resume to continue, or name another folder"
            )
        for name, value in settings.items():
            if before.get(name) != value:
                if name in growing and type(before.get(name)) is int and before[name] < value:
                    continue
                if name in before and name in HASHES:
                    raise DataError(
                        f"{self.manifest}: {HASHES[name]} since this {self._word} began; name another folder"
                    )
                if name in growing and name in before:
                    raise DataError(
                        f"{self.manifest}: this {self._word} has {name} {before[name]!r} already, expected at least as "
                        f"many, not {value!r}"
                    )
                why = f"; {PLANNED[self.kind][name]}" if name in PLANNED.get(self.kind, ()) else ""
                raise DataError(
                    f"{self.manifest}: this {self._word} has {name} {before.get(name)!r}, not {value!r}{why}"
                )

    def _held(self) -> JsonObject:
        try:
            held = json.loads(read_text(self.manifest))
        except (ValueError, RecursionError):
            held = None
        if not isinstance(held, dict):
            raise DataError(f"{self.manifest}: these are not the settings of a {self._word}")
        return held

    def _read_info(self, settings: JsonView) -> RunInfo:
        """The id of this run, and when it started; a folder of an older damier, which has neither, gets both now."""
        held = self._held()
        if "run" not in held and "started" not in held:
            self._write(held, uuid4().hex, datetime.fromtimestamp(self.manifest.stat().st_mtime, UTC))
            held = self._held()
        run = held.get("run")
        if not isinstance(run, str) or not run:
            raise DataError(f"{self.manifest}: run is {run!r}, expected the id of this {self._word}")
        try:
            started = datetime.fromisoformat(held["started"])
        except (KeyError, TypeError, ValueError):
            raise DataError(
                f"{self.manifest}: started is {held.get('started')!r}, expected a date and a time"
            ) from None
        started = started if started.tzinfo else started.replace(tzinfo=UTC)
        if not settings.items() <= held.items():  # the run has grown
            self._write(settings, run, started)
        return RunInfo(run, self.kind, settings["game"], settings, started)


def kind_of(folder: Path) -> str | None:
    """The kind of run in a folder; None if there is none, or if its settings do not say.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, RunFolder(Path(folder), "selfplay", {"game": "loa"}):
    ...     kind_of(Path(folder))
    'selfplay'
    """
    kind = settings_in(folder).get("kind")
    return str(kind) if kind in tuple(MANIFESTS) else None


def settings_in(folder: Path) -> JsonObject:
    """The settings in a folder, whatever the kind of run; empty if there are none to read."""
    for name in dict.fromkeys(MANIFESTS.values()):
        with suppress(OSError, ValueError, RecursionError):
            held = json.loads(read_text(folder / name))
            if isinstance(held, dict):
                return held
    return {}


def _close_all(files: list[int]) -> None:
    while files:
        os.close(files.pop())
