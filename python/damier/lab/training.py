"""Learning under way: steps, what they measured, checkpoints, and the file at the end.

A method is a `Learner`. Whatever one of its steps draws at random depends on the seed and the number of the step alone,
so that a run which was cut off goes on as if nothing had happened.
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
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from damier._core import DamierError, DataError
from damier.arena.match import Match
from damier.eval import Linear, Network
from damier.files import read_text, write_atomically
from damier.storage.run import RunFolder
from damier.weights import Weights, read_weights

__all__ = ["CHECKPOINT", "LEARNT", "METRICS", "Learner", "Matches", "Training", "train"]

CHECKPOINT, METRICS, LEARNT = "checkpoint.safetensors", "metrics.jsonl", "learnt.safetensors"
FIRST, NOW = "first.safetensors", "now.safetensors"  # what matches are played between
CHECKPOINT_SECONDS = 30.0

Array = npt.NDArray[np.float64]
Metrics = dict[str, float]


@dataclass(frozen=True)
class Matches:
    """Matches against the evaluation it began with, played while it learns: `games` after `every` so many steps."""

    every: int = 100
    games: int = 100
    nodes: int = 200  # per move


class Learner(ABC):
    """A method of learning at work on one game."""

    method: ClassVar[str]
    game: str
    settings: Mapping[str, Any]  # all that decides what is learnt, as the folder of a run keeps it
    steps: int  # it ends after as many, unless it is done before

    @abstractmethod
    def step(self, number: int) -> Metrics:
        """Take the step of this number, and tell what it measured, by name."""

    @abstractmethod
    def state(self) -> dict[str, Array]:
        """All that the next step needs to know."""

    @abstractmethod
    def restore(self, state: Mapping[str, Array]) -> None:
        """Go on from what `state` gave."""

    @abstractmethod
    def learnt(self) -> Linear | Network:
        """The evaluation learnt so far."""

    def is_done(self) -> bool:
        """Whether more steps would change nothing."""
        return False

    def provenance(self) -> dict[str, str]:
        """What the file of the evaluation says of the data it was learnt from."""
        return {}


@dataclass
class Training:
    """How far a training is: the steps taken, what each of them measured, and where the learnt evaluation is."""

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
    """Let a learner take its steps; its run folder then holds what they measured and the evaluation.

    With the package tensorboardX the measurements are written for TensorBoard, too.

    An interruption, a kill or a full disk loses the steps since the last checkpoint at most; `resume` goes on there.
    """
    settings = {"game": learner.game, "method": learner.method, "steps": learner.steps, **learner.settings}
    with RunFolder(Path(out), "training", settings, resume=resume) as run:
        first = run.folder / FIRST
        if not first.exists():
            learner.learnt().save(first, learner.game)
        training = _restored(learner, run.folder)
        saved, board = time.monotonic(), _tensorboard(run.folder)
        try:
            while training.steps < learner.steps and not learner.is_done():
                measured = learner.step(training.steps)
                _check(measured, learner.method, training.steps)
                training.steps += 1
                if matches and training.steps % matches.every == 0:
                    measured |= _match(learner, matches, first, training.steps)
                training.metrics.append({"step": training.steps, **measured})
                for name, value in measured.items() if board else ():
                    board.add_scalar(name, value, training.steps)
                if time.monotonic() - saved >= checkpoint_seconds:
                    _save(learner, training, run.folder)
                    saved = time.monotonic()
                if on_step:
                    on_step(training)
        finally:
            _save(learner, training, run.folder)
            if board:
                board.close()
        training.path = run.folder / LEARNT
        about = {key: repr(value) for key, value in settings.items() if key not in ("game", "method")}
        found = {f"final_{name}": repr(value) for name, value in training.last.items()}
        learner.learnt().save(
            training.path, learner.game, provenance={"method": learner.method, **about, **found, **learner.provenance()}
        )
    return training


def _match(learner: Learner, matches: Matches, first: Path, seed: int) -> Metrics:
    """The Elo over the evaluation it began with, and half of its 95 % interval."""
    now = first.with_name(NOW)
    learner.learnt().save(now, learner.game)
    new, old = (f"engine:eval={path},nodes={matches.nodes}" for path in (now, first))
    elo = Match(learner.game, new, old, games=matches.games, seed=seed).run().pairs.elo()
    now.unlink()
    return {name: value for name, value in elo.report("elo").items() if value is not None}


def _check(measured: Metrics, method: str, step: int) -> None:
    for name, value in measured.items():
        if not math.isfinite(value):
            raise DamierError(
                f"{method}: {name} is {value} after step {step + 1}, expected a number; try a smaller --rate"
            )


def _tensorboard(folder: Path) -> Any:
    """Where TensorBoard looks for curves; None where no package can write them."""
    try:
        from tensorboardX import SummaryWriter  # noqa: PLC0415  (optional)
    except ImportError:
        return None
    return SummaryWriter(str(folder / "tensorboard"))


def _save(learner: Learner, training: Training, folder: Path) -> None:
    """Metrics first: a checkpoint never knows of steps whose metrics are lost."""
    lines = "".join(json.dumps(row) + "\n" for row in training.metrics)
    write_atomically(folder / METRICS, lines.encode())
    state = {name: np.asarray(array, np.float64) for name, array in learner.state().items()}
    metadata = {"method": learner.method, "steps": str(training.steps)}
    Weights(learner.game, "checkpoint", learner.method, state, metadata).save(folder / CHECKPOINT)


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
        learner.restore({name: array.astype(np.float64) for name, array in held.tensors.items()})
        steps = int(held.metadata["steps"])
        rows = [json.loads(line) for line in read_text(folder / METRICS).splitlines()]
    except (KeyError, ValueError) as error:
        raise DataError(f"{path}: cannot be resumed ({error})") from None
    return Training(learner.method, steps, [row for row in rows if row["step"] <= steps])
