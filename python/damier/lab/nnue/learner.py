"""NNUE as a method of learning. A step is some batches; an epoch goes once through all positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import calibrate, r2
from damier.lab.nnue.net import NetShape
from damier.lab.nnue.samples import NnueSamples, collect
from damier.lab.nnue.settings import NnueSettings
from damier.lab.nnue.trainer import Examples, Trainer, learning_rate
from damier.lab.training import Learner, Metrics, parent_of
from damier.nnue import Nnue
from damier.puct.network import chosen_device, import_torch
from damier.weights import evaluation_path

__all__ = ["NnueLearner"]

STEP_POSITIONS = 1 << 20  # that are learnt from in a step, at most
MEASURED = 200_000  # positions held out that the loss is measured on
CALIBRATED = 5_000  # and those by which scores become chances

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class _Image:
    """Where the positions of one image are, and how many."""

    start: int
    size: int


class NnueLearner(Learner):
    """An efficiently updated network learns from the search scores and results of the positions of games.

    One game in ten is held out; loss and R2 are measured on its positions. Of several networks (`settings.seeds`) the
    one with the lowest loss is kept. `threads` and `device` are for speed, but sums on several threads or on another
    device differ in their last bits: the same seed gives the same file with one thread on one device.

    >>> import tempfile
    >>> from damier.lab import self_play
    >>> with tempfile.TemporaryDirectory() as run:
    ...     _ = self_play("rennes", games=40, nodes=50, out=run)
    ...     learner = NnueLearner("rennes", run, settings=NnueSettings(epochs=2))
    >>> sorted(learner.step(0))
    ['loss', 'positions', 'r2', 'rate', 'training_loss']
    """

    method: ClassVar[str] = "nnue"
    advice: ClassVar[str] = "try a smaller --rate"

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where] | Blocks,
        *,
        settings: NnueSettings | None = None,
        threads: int = 1,
        device: str = "cpu",
        record: bool = True,
    ) -> None:
        asked = settings or NnueSettings()
        asked.check()
        self.game, self._threads = games.info(game).name, threads
        start = _start(self.game, asked) if asked.start else None
        self._parent = parent_of(asked.start)
        if start:
            buckets, width = start.output_weights.shape
            asked = replace(asked, hidden=width // 2, buckets=buckets, scale=start.scale)
        self._torch, self._device = import_torch(), chosen_device(device)
        blocks = Blocks.of(self.game, sources)
        test = collect(self.game, blocks, asked, held_out=True)
        images = [collect(self.game, blocks, asked, held_out=False, image=image) for image in range(asked.images)]
        self._held = held = asked.for_positions(len(images[0]), images[0].spread)
        self.settings = {**asdict(held), "sources": blocks.names}
        self._digest, self._held_out = blocks.digest(), len(test)
        self._shape = NetShape(len(games.board(game).nnue_inputs()), held.hidden, held.buckets, held.seeds)
        self._images = _placed(images)
        self._batches = min(len(image) for image in images) // held.batch_size  # of an epoch
        self._updates = held.epochs * self._batches
        self._per_step = min(self._batches, max(1, STEP_POSITIONS // held.batch_size))
        self.steps = -(-self._updates // self._per_step)
        self._test = self._examples([test.some(MEASURED)])
        self._judged = test.some(CALIBRATED)
        self._spread = float(self._test.results.double().var(correction=0))
        self._trainer = Trainer(
            self._shape,
            self._shape.vector_of(start)
            if start
            else self._shape.random([[held.seed, 2**35, number] for number in range(held.seeds)]),
            self._examples(images),
            batch=held.batch_size,
            most_updates=self._per_step,
            power=held.power,
            device=self._device,
            record=record,
        )
        self._orders: dict[int, Any] = {}  # of the epoch under way

    @property
    def positions(self) -> int:
        """The number of positions it learns from."""
        return self._images[0].size

    def step(self, number: int) -> Metrics:
        first = number * self._per_step
        last = min(first + self._per_step, self._updates)
        rows = self._torch.stack([self._batch(update) for update in range(first, last)])
        with _Threads(self._torch, self._threads):
            losses = self._trainer.train(rows, first, self._updates, self._held.rate)
            measured = self.measure()
        rate = learning_rate(last - 1, self._updates, self._held.rate)
        return {**measured, "training_loss": losses[self._best(measured)], "rate": rate}

    def measure(self) -> Metrics:
        with _Threads(self._torch, self._threads):
            losses, misses = self._trainer.measure(self._test)
        best = int(np.argmin(losses))
        each = {f"losses/{number}": loss for number, loss in enumerate(losses)} if len(losses) > 1 else {}
        return {
            "loss": losses[best],
            "r2": r2(misses[best], self._spread),
            **each,
            "positions": float(self.positions),
        }

    def state(self) -> dict[str, Array]:
        return dict(self._trainer.state())

    def restore(self, state: Mapping[str, Array]) -> None:
        self._trainer.restore(state)

    def learnt(self) -> Nnue:
        return self._net(self._best(self.measure()) if self._held.seeds > 1 else 0)

    def others(self) -> dict[str, Nnue]:
        if self._held.seeds == 1:
            return {}
        best = self._best(self.measure())
        return {f"seed-{number}": self._net(number) for number in range(self._held.seeds) if number != best}

    def provenance(self) -> dict[str, str]:
        return {
            **self._parent,
            "data_sha256": self._digest,
            "held_out": repr(self._held_out),
            "positions": repr(self.positions),
        }

    def _net(self, number: int) -> Nnue:
        net = self._shape.quantised(self._trainer.state()["weights"], number, scale=self._held.scale)
        scores = net.scores(games.board(self.game), self._judged.inputs)
        return replace(net, calibration=calibrate(scores.astype(np.float64), self._judged.results.astype(np.float64)))

    def _best(self, measured: Metrics) -> int:
        """The network with the lowest loss."""
        losses = [measured.get(f"losses/{number}", 0.0) for number in range(self._held.seeds)]
        return int(np.argmin(losses))

    def _batch(self, update: int) -> Any:
        """The numbers of the examples of an update: an epoch takes all of an image, in an order of its own."""
        epoch, place = divmod(update, self._batches)
        if epoch not in self._orders:
            image = self._images[epoch % len(self._images)]
            (seed,) = np.random.SeedSequence([self._held.seed, 2**36, epoch]).generate_state(1, np.uint64)
            chooser = self._torch.Generator(self._device).manual_seed(int(seed) >> 1)
            order = self._torch.randperm(image.size, generator=chooser, device=self._device)
            self._orders = {epoch: order + image.start}
        size = self._held.batch_size
        return self._orders[epoch][place * size : (place + 1) * size]

    def _examples(self, parts: list[NnueSamples]) -> Examples:
        held = self._held
        columns = [
            (
                part.inputs,
                part.buckets(self.game, held.buckets),
                part.targets(held.mix, held.scale),
                part.results,
            )
            for part in parts
        ]
        return Examples.on(self._device, *(np.concatenate(column) for column in zip(*columns, strict=True)))


def _start(game: str, asked: NnueSettings) -> Nnue:
    """The network to continue from; refused if it is for another game, or not as `asked`."""
    games.board(game).evaluator(evaluation_path(asked.start))
    net, default = Nnue.load(asked.start), NnueSettings()
    buckets, width = net.output_weights.shape
    for name, chosen, fallback, found in (
        ("hidden", asked.hidden, default.hidden, width // 2),
        ("buckets", asked.buckets, default.buckets, buckets),
        ("scale", asked.scale, default.scale, net.scale),
    ):
        if chosen not in (fallback, found):
            raise DamierError(f"{name} is {chosen}, expected {found} as in {asked.start}")
    return net


class _Threads:
    """Sets the number of torch's threads for a while: games played meanwhile have threads of their own."""

    def __init__(self, torch: Any, count: int) -> None:
        self._torch, self._count = torch, count

    def __enter__(self) -> None:
        self._before = self._torch.get_num_threads()
        self._torch.set_num_threads(self._count)

    def __exit__(self, *_: object) -> None:
        self._torch.set_num_threads(self._before)


def _placed(images: list[NnueSamples]) -> list[_Image]:
    ends = np.cumsum([len(image) for image in images]).tolist()
    return [_Image(end - len(image), len(image)) for image, end in zip(images, ends, strict=True)]
