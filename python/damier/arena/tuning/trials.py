"""Parameters tuned by Optuna: each trial plays the values that its sampler proposes against the start values.

The study is a journal in the folder of a run (Optuna's SQLite storage fails under several writers). Each trial has a
sampler of its own, seeded by the run and the trial, and an interrupted trial is repeated: a resumed run tries the same
values.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import ceil, floor
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import TYPE_CHECKING

from damier._core import DamierError
from damier.arena.tuning.spsa import Parameter, Step, check_parameters
from damier.engine.arguments import check_range
from damier.storage.pairs import drop_what_was_cut_off

if TYPE_CHECKING:
    from optuna import Study, Trial
    from optuna.distributions import BaseDistribution
    from optuna.samplers import BaseSampler
    from optuna.storages import BaseStorage
    from optuna.trial import FrozenTrial

__all__ = ["SAMPLERS", "Trials"]

SAMPLERS = ("tpe", "random")
STUDY = "tune"
ELITE = 0.1  # of the trials, whose mean is the answer: simulated, it gains up to half more Elo than the luckiest one


class Trials:
    """The trials so far, and what they teach; with a folder they are kept there.

    >>> tuner = Trials([Parameter("x", 50, 0, 100)], trials=60, seed=1)
    >>> for _ in range(60):
    ...     step = tuner.step()
    ...     tuner.learn(step, 1.0 - abs(step.up["x"] - 80) / 100, 1)
    >>> 75 < tuner.values["x"] < 85
    True
    """

    def __init__(
        self,
        parameters: Sequence[Parameter],
        *,
        trials: int,
        seed: int = 0,
        sampler: str = SAMPLERS[0],
        folder: Path | None = None,
    ) -> None:
        check_range("trials", trials, 1)
        if sampler not in SAMPLERS:
            raise DamierError(f"sampler is {sampler!r}, expected one of {', '.join(SAMPLERS)}")
        check_parameters(parameters)
        self.parameters, self.steps, self.seed = tuple(parameters), trials, seed
        self._optuna, self._sampler = _optuna(), sampler
        self._space = {each.name: self._range(each) for each in parameters}
        self.start = {each.name: round(each.start) for each in parameters}
        with _quiet(self._optuna), _reading(folder and folder / "optuna.journal"):
            self._study = self._opened(folder)
            self._restore()
            self._check(folder)
        self._trial: tuple[int, Trial] | None = None

    def _range(self, parameter: Parameter) -> BaseDistribution:
        least, most = ceil(parameter.least), floor(parameter.most)
        if not least <= round(parameter.start) <= most or least == most:
            raise DamierError(
                f"{parameter.name}: no whole numbers to try from {parameter.least:g} to {parameter.most:g}"
            )
        found: BaseDistribution = self._optuna.distributions.IntDistribution(least, most)
        return found

    def _opened(self, folder: Path | None) -> Study:
        storages = self._optuna.storages
        storage: BaseStorage = storages.InMemoryStorage()
        if folder:
            file = folder / "optuna.journal"
            folder.mkdir(parents=True, exist_ok=True)
            if file.exists() and not file.is_file():
                raise DamierError(f"{file}: is a device, expected a journal of Optuna")
            drop_what_was_cut_off(file)
            lock = file.with_name(file.name + ".lock")
            lock.unlink(missing_ok=True)  # of a run that was killed: a folder holds one run
            backend = storages.journal.JournalFileBackend(str(file), storages.journal.JournalFileOpenLock(str(file)))
            with _reading(file):
                storage = storages.JournalStorage(backend)
        with _reading(folder and folder / "optuna.journal"):
            study: Study = self._optuna.create_study(
                storage=storage, study_name=STUDY, direction="maximize", load_if_exists=True, sampler=self._fresh(0)
            )
            return study

    def _check(self, folder: Path | None) -> None:
        """Refuse trials of other parameters."""
        finished = self._study.get_trials(deepcopy=False, states=(self._optuna.trial.TrialState.COMPLETE,))
        for trial in finished if folder else ():
            if set(trial.params) != set(self._space) or trial.value is None:
                raise DamierError(f"{folder}/optuna.journal: trial {trial.number} is of other parameters")

    def _restore(self) -> None:
        """Queue interrupted trials again; a new study begins with the start values, whose score needs no games."""
        state = self._optuna.trial.TrialState
        if not self._study.trials:
            known = self._optuna.trial.create_trial(params=self.start, distributions=self._space, value=0.5)
            self._study.add_trial(known)
        for trial in self._study.get_trials(deepcopy=False, states=(state.RUNNING,)):
            self._study.tell(trial.number, state=state.FAIL)
            if set(trial.params) == set(self._space):
                self._study.enqueue_trial(trial.params)

    def _fresh(self, number: int) -> BaseSampler:
        seed = random.Random(f"{self.seed} {number}").getrandbits(32)
        samplers = self._optuna.samplers
        tpe: BaseSampler = samplers.TPESampler(seed=seed, multivariate=True)
        return tpe if self._sampler == "tpe" else samplers.RandomSampler(seed)

    def _finished(self) -> list[FrozenTrial]:
        """The trials that were played, the start left out."""
        return self._study.get_trials(deepcopy=False, states=(self._optuna.trial.TrialState.COMPLETE,))[1:]

    @property
    def done(self) -> int:
        return len(self._finished())

    def step(self) -> Step:
        """The next trial: `up` are its values, `down` those of the start."""
        number = self.done + 1
        if self._trial is None or self._trial[0] != number:
            with _quiet(self._optuna):
                self._study.sampler = self._fresh(number)
                self._trial = number, self._study.ask(self._space)
        return Step(number, {name: int(self._trial[1].params[name]) for name in self._space}, self.start)

    def learn(self, step: Step, points: float, games: int) -> None:
        """Record the points that a trial scored in a number of games."""
        assert self._trial is not None
        assert self._trial[0] == step.number
        with _quiet(self._optuna):
            self._study.tell(self._trial[1], points / games)

    @property
    def values(self) -> dict[str, float]:
        """The mean of the best tenth: one trial that scored most may owe that to luck."""
        trials = sorted(self._study.get_trials(deepcopy=False), key=_score, reverse=True)
        best = trials[: max(1, int(ELITE * (self.done + 1)))]
        return {name: fmean(trial.params[name] for trial in best) for name in self._space}

    def best(self) -> dict[str, int]:
        """The values as used in play."""
        return {name: round(value) for name, value in self.values.items()}


def _score(trial: FrozenTrial) -> float:
    return -1.0 if trial.value is None else trial.value


def _optuna() -> ModuleType:
    """Optuna, which is slow to load and not always there."""
    try:
        import optuna  # noqa: PLC0415
        import optuna.storages.journal  # noqa: PLC0415
    except ImportError:
        raise DamierError('method "optuna" needs Optuna: pip install "damier[tune]"') from None
    return optuna


@contextmanager
def _reading(journal: Path | None) -> Iterator[None]:
    """Report in one line any exception of Optuna about a changed journal."""
    try:
        yield
    except DamierError:
        raise
    except Exception as error:
        if journal is None:
            raise
        deep = ": it is nested too deeply" if isinstance(error, RecursionError) else ""
        raise DamierError(f"{journal}: this is not a journal of Optuna{deep}") from None


@contextmanager
def _quiet(optuna: ModuleType) -> Iterator[None]:
    """Keep Optuna's logs and warnings out of our output."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        optuna.logging.set_verbosity(before)
