"""A learner of each method for a few quick steps, and trainings that are killed; importing it is quick.

Run as a program it kills a training of each method, each in a process of its own that is forked from this one, where
all that is slow to load has been loaded once and no thread has been started.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType

import pytest
from common import flip_bit

from damier import DamierError, board
from damier.arena.match import Match
from damier.lab.alphazero import AlphaZeroLearner, AlphaZeroSettings
from damier.lab.classic import ClassicLearner, ClassicSettings
from damier.lab.genetic import GeneticLearner, GeneticSettings
from damier.lab.knn import KnnLearner
from damier.lab.knockout import KnockoutLearner, KnockoutSettings
from damier.lab.mlp import MlpLearner, MlpSettings, need_regressor
from damier.lab.nnue import NnueLearner, NnueSettings
from damier.lab.patterns import PatternsLearner, PatternsSettings
from damier.lab.td import TdLearner, TdSettings
from damier.lab.training import LEARNT, Learner, Training, train
from damier.puct.network import import_torch

GAME, STEPS = "loa5", 5
LEARNERS: dict[str, Callable[[Path], Learner]] = {
    "td": lambda base: TdLearner(
        GAME, [base], steps=STEPS, settings=TdSettings(features="bing", games_per_step=20, optimiser="backprop")
    ),
    "classic": lambda base: ClassicLearner(
        GAME, base, steps=STEPS, settings=ClassicSettings(features="quads", iterations=1, skip=4)
    ),
    "knockout": lambda _: KnockoutLearner(
        GAME, steps=STEPS, settings=KnockoutSettings(players=3, games=2, nodes=10, settle=0)
    ),
    "genetic": lambda _: GeneticLearner(
        GAME, steps=STEPS, settings=GeneticSettings(pool=6, games_per_step=12, nodes=10, trial=4)
    ),
    "knn": lambda base: KnnLearner(GAME, base, steps=STEPS),
    "mlp": lambda base: MlpLearner(GAME, base, steps=STEPS, settings=MlpSettings(label="results", hidden=(8,))),
    "alphazero": lambda _: AlphaZeroLearner(
        GAME,
        steps=STEPS,
        settings=AlphaZeroSettings(channels=4, blocks=1, games=4, simulations=4, batch=16, gate_games=2),
    ),
    "nnue": lambda base: NnueLearner(GAME, base, settings=NnueSettings(hidden=16, skip=4, epochs=STEPS)),
    "patterns": lambda base: PatternsLearner(GAME, base, settings=PatternsSettings(skip=4, least=2, epochs=STEPS)),
}


def check_cut_off(whole: Training, learner: Callable[[], Learner], folder: Path, steps: int) -> None:
    """A training that Ctrl-C ends after so many steps ends in the same file as a whole one, once it is resumed."""

    def stop(training: Training) -> None:
        if training.steps == steps:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(learner(), out=folder, on_step=stop)
    resumed = train(learner(), out=folder, resume=True)
    assert whole.path
    assert resumed.path
    assert resumed.path.read_bytes() == whole.path.read_bytes()


def share_against_start(training: Training, game: str, games: int) -> float:
    """The share of the points that what was learnt makes against what it began as."""
    assert training.path
    new, old = (f"engine:eval={training.path.with_name(name)},nodes=60" for name in (LEARNT, "first.safetensors"))
    return Match(game, new, old, games=games, seed=1).run().pairs.share


def check_refusals(game: str, training: Training, load: Callable[[Path], object], folder: Path) -> None:
    """What was learnt is refused by another game, and by `load` once it is damaged."""
    assert training.path
    with pytest.raises(DamierError, match=game):
        board("chess").evaluator(str(training.path))
    flip_bit(damaged := Path(shutil.copy(training.path, folder / "damaged.safetensors")))
    with pytest.raises(DamierError, match=r"damaged\.safetensors"):
        load(damaged)


def counted(method: str, base: Path, folder: Path, *, last: int = -1) -> int:
    """Train with a checkpoint at every step: the calls of our functions from the first of them on.

    At the last one that is asked for, this process is killed.
    """
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        is_ours = event == "call" and "damier" in frame.f_code.co_filename
        calls += is_ours and (calls > 0 or frame.f_code.co_name == "_save")
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)

    learner = LEARNERS[method](base)
    sys.setprofile(count)
    try:
        train(learner, out=folder, checkpoint_seconds=0)
    finally:
        sys.setprofile(None)
    return calls


def kill_each(base: Path, folder: Path, moments: Mapping[str, int]) -> dict[str, int]:
    """The exit statuses of trainings by each method, killed at these calls."""
    ended = {}
    for method, last in moments.items():
        child = os.fork()
        if child == 0:
            counted(method, base, folder / method, last=last)
            os._exit(0)
        ended[method] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return ended


if __name__ == "__main__":
    import_torch()
    need_regressor()
    print(json.dumps(kill_each(Path(sys.argv[1]), Path(sys.argv[2]), json.loads(sys.argv[3]))))
