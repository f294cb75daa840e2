"""Search parameters tuned by games: step after step, two ways to set them all play each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import ceil, floor
from pathlib import Path
from typing import Protocol

from damier._core import DamierError
from damier.arena.event import Event
from damier.arena.match import Match
from damier.arena.play.runner import GameRunner, Work
from damier.arena.stats.sprt import Sprt
from damier.arena.stats.tally import points_of
from damier.arena.tuning.spsa import Parameter, Spsa, Step
from damier.arena.tuning.trials import SAMPLERS, Trials
from damier.engine.arguments import check_range
from damier.files import JsonObject
from damier.records import Entrant
from damier.storage.pairs import Pair
from damier.storage.writer import Encounter

__all__ = ["METHODS", "Tune", "Tuner"]

METHODS = ("spsa", "optuna")
Slot = tuple[int, int]  # step and pair


class Tuner(Protocol):
    """A method: it says which values play next, and learns from the points."""

    @property
    def done(self) -> int: ...
    @property
    def values(self) -> Mapping[str, float]: ...
    def step(self) -> Step: ...
    def learn(self, step: Step, points: float, games: int) -> None: ...
    def best(self) -> dict[str, int]: ...


@dataclass
class Tune(Event[Slot]):
    """Parameters of a player to be tuned by SPSA, or by Optuna: `steps` steps or trials of `pairs` pairs each.

    Games are saved in `out`, and the values follow from them alone: an interrupted run resumes as if nothing had
    happened, and one by Optuna may be given more trials. `test` tells whether the tuned player is the stronger one;
    games of the test are also saved to `database`, if given.

    >>> space = [Parameter("lmr_base", 70, 0, 200, c_end=20)]
    >>> Tune("rennes", "engine:nodes=50", space, steps=2).run().done
    2
    """

    game: str
    player: str
    parameters: Sequence[Parameter]
    steps: int = 1000
    pairs: int = 1
    kind = "tuning"
    writes_records = False
    method: str = METHODS[0]
    sampler: str = SAMPLERS[0]  # of Optuna

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.method not in METHODS:
            raise DamierError(f"method is {self.method!r}, expected one of {', '.join(METHODS)}")
        self.tuner = self._tuner(None)
        self.forget()
        check_range("pairs", self.pairs, 1)
        if "set=" in self.player:
            raise DamierError(f"player is {self.player!r}, expected one without set=: that is what is tuned")

    def _tuner(self, folder: Path | None) -> Tuner:
        if self.method == "spsa":
            return Spsa(self.parameters, steps=self.steps, seed=self.seed)
        return Trials(self.parameters, trials=self.steps, seed=self.seed, sampler=self.sampler, folder=folder)

    def settings(self) -> JsonObject:
        """What the games depend on, as plain values."""
        method = {"steps": self.steps} if self.method == "spsa" else {"sampler": self.sampler}
        return {
            "game": self.game,
            "player": self.player,
            "method": self.method,
            **method,
            "parameters": [asdict(parameter) for parameter in self.parameters],
            "pairs": self.pairs,
        } | self.conditions()

    def with_values(self, values: Mapping[str, int]) -> str:
        """The spec of the player with these values.

        >>> Tune("loa", "engine", [Parameter("lmr_base", 70, 0, 200, 20)]).with_values({"lmr_base": 60})
        'engine:set=lmr_base:60'
        """
        text = "+".join(f"{name}:{value}" for name, value in values.items())
        return f"{self.player}{',' if ':' in self.player else ':'}set={text}"

    def run(self, on_progress: Callable[[Tuner], None] | None = None) -> Tuner:
        """Play the steps that are left; `on_progress` is called after each."""
        self._on_step = on_progress or (lambda _: None)
        self.play(lambda: None)
        return self.tuner

    def begin(self) -> None:
        self.tuner = self._tuner(self.out)

    def next_works(self) -> tuple[Iterator[Work[Slot]], int | None] | None:
        while self.tuner.done < self.steps:
            step = self.tuner.step()
            if works := self._works(step):
                return iter(works), len(works)
            self.tuner.learn(step, sum(self._points.pop(step.number).values()), 2 * self.pairs)
            self._on_step(self.tuner)
        return None

    def _works(self, step: Step) -> list[Work[Slot]]:
        """The pairs of a step not played yet."""
        specs = self.with_values(step.up), self.with_values(step.down)
        done = self._points.get(step.number, {})
        keys = ((step.number, pair) for pair in range(self.pairs) if pair not in done)
        return [Work(key, specs, *self.place_of(key)) for key in keys]

    def place_of(self, key: Slot) -> tuple[int, int]:
        number = (key[0] - 1) * self.pairs + key[1]
        return number, (self.seed << 32) + 2 * number

    def count(self, key: Slot, pair: Pair) -> None:
        self._points.setdefault(key[0], {})[key[1]] = sum(points_of(pair))

    def forget(self) -> None:
        self._points: dict[int, dict[int, float]] = {}  # of steps that are not learnt from yet, by pair

    def read_key(self, value: object) -> Slot:
        step, pair = value if isinstance(value, list) else (None, None)
        if type(step) is not int or type(pair) is not int:
            raise ValueError(f"pair is {value!r}, expected the numbers of a step and of a pair")
        return step, pair

    def meets(self, key: Slot) -> Encounter:
        return Encounter(f"{key[0]}.{key[1] + 1}", Entrant("up", self.player), Entrant("down", self.player))

    def try_players(self, runner: GameRunner) -> None:
        """Raise what is wrong with the player, or with how far its parameters may go, before any game."""
        for values in (
            self._start(),
            {each.name: floor(each.least) for each in self.parameters},
            {each.name: ceil(each.most) for each in self.parameters},
        ):
            runner.try_player(self.with_values(values))

    def _start(self) -> dict[str, int]:
        return {each.name: round(each.start) for each in self.parameters}

    def test(self, sprt: Sprt) -> Match:
        """The match of the tuned player against the one it was; other values than before have a test of their own."""
        tuned = self.with_values(self.tuner.best())
        return Match(
            self.game,
            tuned,
            self.with_values(self._start()),
            sprt=sprt,
            control=self.control,
            openings=self.openings,
            adjudication=self.adjudication,
            seed=(self.seed + 1) % 2**31,  # other random openings than were tuned on; a book in another order
            concurrency=self.concurrency,
            cluster=self.cluster,
            out=self.out / f"sprt-{sha256(tuned.encode()).hexdigest()[:8]}" if self.out else None,
            resume=self.resume,
            database=self.database,
        )
