"""The framework of reproductions: named steps in one folder, each of which is run once.

To write one, make a module with a frozen dataclass of sizes and a subclass of `Reproduction`, and name both in
`damier.reproduce.REPRODUCTIONS`:

    @dataclass(frozen=True)
    class CoinSettings:
        games: int = 1000

    class Coin(Reproduction[CoinSettings]):
        name, game = "coin", "rennes"
        usual, quick = CoinSettings(), CoinSettings(games=20)

        def steps(self) -> list[Step]:
            return [Step("match", "engine against random", self._match)]

        def _match(self, work: Work) -> Result:
            return play_match(work, self.game, "engine:nodes=50", "random", games=self.settings.games)

        def report(self, results: Mapping[str, Result]) -> Report:
            row = ["random", "18 of 20", share_text(results["match"])]
            return Report("A coin", [table(("opponent", "theirs", "ours"), [row])])

A step gets a `Work`: a folder of its own for runs below this one (a match, a training, games: always with
`resume=True`, so that an interrupted step continues), a seed, the results of earlier steps, and `say` for its
progress. Its result must be plain JSON, and is saved in `steps/NAME.json` once the step is over. The report is made
from results alone, so that `--resume` after the last step writes it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar
from zlib import crc32

from damier._core import DataError
from damier.engine.bench import bench, positions
from damier.files import JsonObject, JsonView, naming_file, read_text, write_atomically
from damier.players.specs import check_nameable
from damier.reproduce.report import Conditions, Report, write_report
from damier.storage.run import RunFolder
from damier.version import __version__

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Progress", "Reproduction", "Result", "Step", "Work", "reproduce"]

STEPS, TIMES = "steps", "times.json"

Result = JsonObject
Settings = TypeVar("Settings", bound="DataclassInstance")


@dataclass(frozen=True)
class Work:
    """What a step works with; `folder` is not created before something is written there."""

    folder: Path
    seed: int  # another one for each step
    threads: int
    results: Mapping[str, Result]  # of the steps before
    say: Callable[[str], None] = field(repr=False)  # how far it is, in a few words

    def folder_of(self, step: str) -> Path:
        """Where an earlier step saved its files."""
        return self.folder.with_name(step)


@dataclass(frozen=True)
class Step:
    """Something to do once: its files are called `name`, and `what` describes it to people."""

    name: str
    what: str
    run: Callable[[Work], Result] = field(repr=False)


class Reproduction(ABC, Generic[Settings]):
    """A published experiment, repeated; `settings` are its sizes, the `usual` or the `quick` ones for commands."""

    name: ClassVar[str]
    game: ClassVar[str]
    usual: Settings
    quick: Settings

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = self.usual if settings is None else settings

    @abstractmethod
    def steps(self) -> list[Step]:
        """The steps, in order."""

    @abstractmethod
    def report(self, results: Mapping[str, Result]) -> Report:
        """The report, from the results of the steps by name."""


@dataclass
class Progress:
    """The progress of a reproduction: seconds of each finished step, and what the current one says."""

    steps: list[Step]
    seconds: dict[str, float] = field(default_factory=dict)
    now: str | None = None  # the step under way
    words: str = ""


def reproduce(
    asked: Reproduction[Settings],
    *,
    out: str | os.PathLike[str],
    seed: int = 0,
    threads: int = 1,
    resume: bool = False,
    command: str = "",
    on_progress: Callable[[Progress], None] | None = None,
) -> Path:
    """Run all steps that are left, write the report and return its path.

    The result of a step is saved when it is over; work before an interruption is saved by the runs inside the step.
    """
    check_nameable(out)
    settings = {"game": asked.game, "reproduction": asked.name, "seed": seed, **asdict(asked.settings)}
    with RunFolder(Path(out), "reproduction", settings, resume=resume) as run:
        kept = _Kept(run.folder)
        progress = Progress(asked.steps())
        results: dict[str, Result] = {}
        engines: dict[str, str] = {}  # by step
        tell = on_progress or (lambda _: None)

        def say(words: str) -> None:
            progress.words = words
            tell(progress)

        for step in progress.steps:
            if (found := kept.read(step.name)) is not None:
                results[step.name], progress.seconds[step.name], engines[step.name] = found
        left = [step for step in progress.steps if step.name not in results]
        engine = _engine(asked.game) if left else ""
        for step in left:
            progress.now = step.name
            say("")
            own_seed = (seed + crc32(step.name.encode())) % 2**31
            with kept.timed(step.name) as clock:
                result = step.run(Work(run.folder / step.name, own_seed, threads, dict(results), say))
            results[step.name] = kept.write(step.name, result, clock.seconds, engine)
            progress.seconds[step.name], engines[step.name] = clock.seconds, engine
        progress.now = None
        tell(progress)
        made_by = list(dict.fromkeys(engines.values()))
        conditions = Conditions(command or f"damier reproduce {asked.name}", made_by, seed, threads, progress.seconds)
        return write_report(asked.report(results), f"reproduce-{asked.name}", conditions, run.folder)


def _engine(game: str) -> str:
    """What plays and searches; the nodes change when the search does, or an evaluation that the game has."""
    nodes = [row.nodes for row in bench([game])] if game in positions() else []
    return f"damier {__version__}" + "".join(f" (`damier bench {game}`: {count} nodes)" for count in nodes)


class _Clock:
    """Seconds of a step, including those before an interruption; saved when it ends."""

    def __init__(self, path: Path, name: str) -> None:
        self._path, self._name, self._start = path, name, time.monotonic()
        self._before = _times(path)
        self.seconds = 0.0

    def __enter__(self) -> _Clock:
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = self._before.get(self._name, 0.0) + time.monotonic() - self._start
        write_atomically(self._path, json.dumps(self._before | {self._name: self.seconds}) + "\n")


class _Kept:
    """The results of steps in a folder, each with a hash, so that an edited one is refused."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def timed(self, name: str) -> _Clock:
        return _Clock(self._folder / TIMES, name)

    def write(self, name: str, result: Result, seconds: float, engine: str) -> Result:
        """Save a result, and return it as `read` will."""
        result = json.loads(json.dumps(result, allow_nan=False))
        with naming_file(self._folder / STEPS):
            (self._folder / STEPS).mkdir(exist_ok=True)
        held = {"step": name, "engine": engine, "seconds": round(seconds, 3), "result": result}
        write_atomically(self._path(name), json.dumps(held | {"hash": _hash(held)}, indent=1) + "\n")
        return result

    def read(self, name: str) -> tuple[Result, float, str] | None:
        """The result and the seconds of a step, and the engine it used; None if there is none."""
        path = self._path(name)
        if not path.exists():
            return None
        try:
            held = json.loads(read_text(path))
            found = held.pop("hash")
            if held["step"] == name and found == _hash(held):
                return held["result"], float(held["seconds"]), str(held.get("engine", "an earlier damier"))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            pass
        raise DataError(f"{path}: is damaged, expected the result of a step; remove it to repeat the step")

    def _path(self, name: str) -> Path:
        return self._folder / STEPS / f"{name}.json"


def _hash(held: JsonView) -> str:
    return hashlib.sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()[:16]


def _times(path: Path) -> dict[str, float]:
    """Seconds by step; they are informative only, so a damaged file is ignored."""
    try:
        held = json.loads(read_text(path))
        return {str(name): float(seconds) for name, seconds in held.items()}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return {}
