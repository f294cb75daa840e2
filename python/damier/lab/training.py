"""Running a training: steps, their metrics, checkpoints, and the file at the end.

A method is a `Learner`. Whatever a step draws at random depends only on the seed and the number of the step, so that an
interrupted run continues as if nothing had happened.
"""

from __future__ import annotations

import json
import math
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from damier._core import DamierError, DataError
from damier.arena.match import Match
from damier.files import JsonView, read_text, write_atomically
from damier.lab.plot import training_svg
from damier.lab.tensorboard import EventFile
from damier.players.specs import check_nameable
from damier.storage.run import RunFolder
from damier.weights import TYPES, Array, Weights, read_weights

__all__ = [
    "CHECKPOINT",
    "LEARNT",
    "METRICS",
    "PLOT",
    "Learner",
    "Learnt",
    "Matches",
    "Training",
    "is_finished",
    "parent_of",
    "train",
]

CHECKPOINT, METRICS, LEARNT, PLOT = "checkpoint.safetensors", "metrics.jsonl", "learnt.safetensors", "plot.svg"
TENSORBOARD = "tensorboard"
UNFINISHED = "unfinished"  # in the metadata of what was learnt before the end
FIRST, NOW = "first.safetensors", "now.safetensors"  # what matches are played between
CHECKPOINT_SECONDS = 30.0

Metrics = dict[str, float]


@dataclass(frozen=True)
class Matches:
    """Matches against the evaluation it started from, played while it learns: `games` games every `every` steps."""

    every: int = 100
    games: int = 100
    nodes: int = 200  # per move


class Learnt(Protocol):
    """What was learnt: something that can be saved as one file, such as an evaluation."""

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the file (.safetensors), for a game; provenance says how it was made."""


class Learner(ABC):
    """A method of learning at work on one game."""

    method: ClassVar[str]
    advice: ClassVar[str] = ""  # what to try when a measurement is not a number
    extendable: ClassVar[bool] = False  # whether no step depends on how many there are, so that more may follow
    game: str
    settings: JsonView  # all that decides what is learnt, as the folder of a run keeps it
    steps: int  # it ends after as many, unless it is done before
    status: str = ""  # what it is at within a step, for people

    @abstractmethod
    def step(self, number: int) -> Metrics:
        """Run the step of this number, and return its metrics by name."""

    @abstractmethod
    def state(self) -> dict[str, Array]:
        """Everything the next step needs."""

    @abstractmethod
    def restore(self, state: Mapping[str, Array]) -> None:
        """Continue from what `state` gave."""

    @abstractmethod
    def learnt(self) -> Learnt:
        """The evaluation learnt so far, or another player."""

    def first(self) -> Learnt | None:
        """What it starts from, if that can be kept for matches."""
        return self.learnt()

    def others(self) -> Mapping[str, Learnt]:
        """Other results worth keeping, by file name."""
        return {}

    def measure(self) -> Metrics:
        """Metrics before the first step, under the names that steps use."""
        return {}

    def spec(self, path: str, nodes: int) -> str:
        """The spec of a player with what was learnt, for matches and for people."""
        return f"engine:eval={path},nodes={nodes}"

    def is_done(self) -> bool:
        """Whether more steps would change nothing."""
        return False

    def provenance(self) -> dict[str, str]:
        """What the file of the evaluation says about the data it was learnt from, above all `data_sha256`."""
        return {}


@dataclass
class Training:
    """The state of a training: the steps taken, their metrics, and where the learnt evaluation is."""

    method: str
    steps: int
    metrics: list[Metrics] = field(default_factory=list)
    path: Path | None = None  # of the evaluation, once there is one

    @property
    def last(self) -> Metrics:
        return self.metrics[-1] if self.metrics else {}


def train(
    learner: Learner,
    *,
    out: str | os.PathLike[str],
    resume: bool = False,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    matches: Matches | None = None,
    on_step: Callable[[Training], None] | None = None,
) -> Training:
    """Run the steps of a learner; its run folder then holds their metrics, also as a plot and for TensorBoard, and the
    evaluation.

    An interruption, a kill or a full disk loses at most the steps since the last checkpoint; `resume` continues there.
    With each checkpoint there is a file that plays, whose metadata say that it is `unfinished`.
    """
    check_nameable(out)
    about = learner.provenance()
    # What it learns from comes first: the other settings may depend on it.
    data: dict[str, str] = {name: about[name] for name in ("data_sha256", "parent_sha256") if name in about}
    settings = {"game": learner.game, "method": learner.method, **data, "steps": learner.steps, **learner.settings}
    # More threads of numpy would mostly wait for each other, six times as long on a busy machine, and add in an order
    # that depends on how many there are.
    growing = ("steps",) if learner.extendable else ()
    with (
        threadpool_limits(1, user_api="blas"),
        RunFolder(Path(out), "training", settings, resume=resume, growing=growing) as run,
    ):
        first = run.folder / FIRST
        if not first.exists() and (start := learner.first()):
            start.save(first, learner.game)
        training = _restored(learner, run.folder)
        if not training.metrics and (measured := learner.measure()):
            training.metrics.append({"step": 0, **measured})
        state = _state(learner)  # as of the last whole step: one that is cut off in its middle leaves no trace
        saved, events = time.monotonic(), EventFile(run.folder / TENSORBOARD, training.steps)
        try:
            while not _is_over(learner, training):
                measured = learner.step(training.steps)
                _check(measured, learner, training.steps)
                if matches and (training.steps + 1) % matches.every == 0:
                    measured |= _match(learner, matches, first, training.steps + 1)
                training.steps += 1
                training.metrics.append({"step": training.steps, **measured})
                state = _state(learner)
                events.add(measured, training.steps)
                if time.monotonic() - saved >= checkpoint_seconds:
                    _save(learner, training, state, settings, run.folder)
                    saved = time.monotonic()
                if on_step:
                    on_step(training)
        except BaseException:
            learner.restore(state)
            raise
        finally:
            _save(learner, training, state, settings, run.folder)
            events.close()
        training.path = run.folder / LEARNT
    return training


def is_finished(path: Path) -> bool:
    """Whether a learnt file is there and its training came to its end."""
    return path.exists() and UNFINISHED not in read_weights(path).metadata


def parent_of(path: str | os.PathLike[str] | None) -> dict[str, str]:
    """What `provenance` says about the file a training starts from, if any: its content counts, not its name.

    >>> parent_of("")
    {}
    """
    return {"parent_sha256": read_weights(path).metadata["sha256"]} if path else {}


def _texts(settings: JsonView) -> dict[str, str]:
    kept = {key: value for key, value in settings.items() if key not in ("game", "method", "data_sha256")}
    is_text = {key: isinstance(value, str) and value.isprintable() for key, value in kept.items()}
    return {key: value if is_text[key] else repr(value) for key, value in kept.items()}


def _found(training: Training) -> dict[str, str]:
    """Metrics of the first and the last row, such as losses; no times, so that equal trainings give equal files."""
    rows = {"first": training.metrics[0], "final": training.last} if training.metrics else {}
    named = ((f"{when}_{name}", value) for when, row in rows.items() for name, value in row.items())
    return {name: repr(value) for name, value in named if "seconds" not in name}


def _match(learner: Learner, matches: Matches, first: Path, seed: int) -> Metrics:
    """The Elo over the evaluation it started from, and half of its 95 % interval."""
    now = first.with_name(NOW)
    learner.learnt().save(now, learner.game)
    new, old = (learner.spec(str(path), matches.nodes) for path in (now, first))
    elo = Match(learner.game, new, old, games=matches.games, seed=seed).run().pairs.elo()
    now.unlink()
    return {name: value for name, value in elo.report("elo").items() if value is not None}


def _check(measured: Metrics, learner: Learner, step: int) -> None:
    for name, value in measured.items():
        if not math.isfinite(value):
            advice = f"; {learner.advice}" if learner.advice else ""
            raise DamierError(f"{learner.method}: {name} is {value} after step {step + 1}, expected a number{advice}")


def _state(learner: Learner) -> dict[str, Array]:
    return {name: _storable(np.array(array)) for name, array in learner.state().items()}


def _is_over(learner: Learner, training: Training) -> bool:
    return training.steps >= learner.steps or learner.is_done()


def _save(learner: Learner, training: Training, state: Mapping[str, Array], settings: JsonView, folder: Path) -> None:
    """Save metrics first: a checkpoint must not be ahead of its metrics. Then what plays, and the plot."""
    lines = "".join(json.dumps(row) + "\n" for row in training.metrics)
    write_atomically(folder / METRICS, lines.encode())
    metadata = {"method": learner.method, "steps": str(training.steps)}
    Weights(learner.game, "checkpoint", learner.method, state, metadata).save(folder / CHECKPOINT)
    is_over = _is_over(learner, training)
    if not (training.steps or is_over):
        return
    provenance = {"method": learner.method, **_texts(settings), **_found(training), **learner.provenance()}
    provenance |= {} if is_over else {UNFINISHED: "True"}
    learner.learnt().save(folder / LEARNT, learner.game, provenance=provenance)
    for name, other in learner.others().items():
        other.save(folder / f"{name}.safetensors", learner.game, provenance=provenance)
    write_atomically(folder / PLOT, training_svg(training.metrics, f"{learner.method}, {learner.game}"))


def _storable(array: Array) -> Array:
    return array if array.dtype.name in TYPES else array.astype(np.float64)


def _restored(learner: Learner, folder: Path) -> Training:
    path = folder / CHECKPOINT
    if not path.exists():
        return Training(learner.method, 0)
    held = read_weights(path)
    try:
        if (held.game, held.features) != (learner.game, learner.method):
            raise DataError(
                f"{path}: is of {held.features} on {held.game}, expected {learner.method} on {learner.game}"
            )
        learner.restore({name: array.copy() for name, array in held.tensors.items()})
        steps = int(held.metadata["steps"])
        rows = [json.loads(line) for line in read_text(folder / METRICS).splitlines()]
    except (KeyError, ValueError) as error:
        raise DataError(f"{path}: cannot be resumed ({error})") from None
    return Training(learner.method, steps, [row for row in rows if row["step"] <= steps])
