"""NNUE as a method of learning. A step is some batches; an epoch goes once through all positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import ClassVar

import numpy as np

from damier import games
from damier._core import DamierError
from damier.lab.blocks import Blocks, Where
from damier.lab.fit import calibrate, r2
from damier.lab.nnue.net import NetShape
from damier.lab.nnue.samples import NnueSamples, collect, joined
from damier.lab.nnue.settings import NnueSettings
from damier.lab.nnue.trainer import CpuTrainer, Examples, Rows, Trainer, learning_rate, training_device
from damier.lab.training import Learner, Metrics, parent_of
from damier.nnue import FEATURES_BY_KING, Nnue
from damier.weights import Array, evaluation_path

__all__ = ["NnueLearner"]

STEP_POSITIONS = 1 << 20  # that are learnt from in a step, at most
MEASURED = 200_000  # positions held out that the loss is measured on
CALIBRATED = 5_000  # and those by which scores become chances


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
        settings = settings or NnueSettings()
        settings.check()
        self.game = games.info(game).name
        device = training_device(device)
        start = _start(self.game, settings) if settings.start else None
        self._parent = parent_of(settings.start)
        if start:
            buckets, width = start.output_weights.shape
            by_king = settings.king_buckets or start.features == FEATURES_BY_KING
            settings = replace(settings, hidden=width // 2, buckets=buckets, king_buckets=by_king, scale=start.scale)
        board, blocks = games.board(game), Blocks.of(self.game, sources)
        if settings.king_buckets and board.king_buckets == 1:
            raise DamierError(f"{self.game} has no king buckets")
        test = collect(self.game, blocks, settings, held_out=True)
        images = [collect(self.game, blocks, settings, held_out=False, image=image) for image in range(settings.images)]
        self._settings = settings = settings.for_positions(len(images[0]), images[0].spread)
        self.settings = {**asdict(settings), "sources": blocks.names}
        self._digest, self._held_out = blocks.digest(), len(test)
        self._shape = NetShape(
            len(board.nnue_inputs(settings.features)),
            settings.hidden,
            settings.buckets,
            settings.seeds,
            board.king_buckets if settings.king_buckets else 1,
        )
        self._images = _placed(images)
        self._batches = min(len(image) for image in images) // settings.batch_size  # of an epoch
        self._updates = settings.epochs * self._batches
        self._per_step = min(self._batches, max(1, STEP_POSITIONS // settings.batch_size))
        self.steps = -(-self._updates // self._per_step)
        held_out = self._examples([test.some(MEASURED)])
        self._calibrating = test.some(CALIBRATED)
        self._spread = float(held_out.results.astype(np.float64).var())
        seeds = [[settings.seed, 2**35, number] for number in range(settings.seeds)]
        vector = self._shape.vector_of(start) if start else self._shape.random(seeds)
        examples = self._examples(images)
        self._trainer: Trainer
        if device == "cpu":
            self._trainer = CpuTrainer(self._shape, vector, examples, held_out, power=settings.power, threads=threads)
        else:
            from damier.lab.nnue.gpu import GpuTrainer  # noqa: PLC0415  (loads torch)

            self._trainer = GpuTrainer(
                self._shape,
                vector,
                examples,
                held_out,
                batch=settings.batch_size,
                most_updates=self._per_step,
                power=settings.power,
                device=device,
                record=record,
            )
        self._orders: dict[int, Rows] = {}  # of the epoch under way

    @property
    def positions(self) -> int:
        """The number of positions it learns from."""
        return self._images[0].size

    def step(self, number: int) -> Metrics:
        first = number * self._per_step
        last = min(first + self._per_step, self._updates)
        batches = [self._batch(update) for update in range(first, last)]
        losses = self._trainer.train(batches, first, self._updates, self._settings.rate)
        measured = self.measure()
        rate = learning_rate(last - 1, self._updates, self._settings.rate)
        return {**measured, "training_loss": losses[self._best(measured)], "rate": rate}

    def measure(self) -> Metrics:
        losses, misses = self._trainer.measure()
        best = int(np.argmin(losses))
        each = {f"losses/{number}": loss for number, loss in enumerate(losses)} if len(losses) > 1 else {}
        return {
            "loss": losses[best],
            "r2": r2(misses[best], self._spread),
            **each,
            "positions": float(self.positions),
        }

    def state(self) -> dict[str, Array]:
        return {**self._trainer.state()}

    def restore(self, state: Mapping[str, Array]) -> None:
        self._trainer.restore(state)

    def learnt(self) -> Nnue:
        return self._net(self._best(self.measure()) if self._settings.seeds > 1 else 0)

    def others(self) -> dict[str, Nnue]:
        if self._settings.seeds == 1:
            return {}
        best = self._best(self.measure())
        return {f"seed-{number}": self._net(number) for number in range(self._settings.seeds) if number != best}

    def provenance(self) -> dict[str, str]:
        return {
            **self._parent,
            "data_sha256": self._digest,
            "held_out": repr(self._held_out),
            "positions": repr(self.positions),
        }

    def _net(self, number: int) -> Nnue:
        net = self._shape.quantised(self._trainer.state()["weights"], number, scale=self._settings.scale)
        scores = net.scores(games.board(self.game), self._calibrating.inputs)
        return replace(
            net,
            features=self._settings.features,
            calibration=calibrate(scores.astype(np.float64), self._calibrating.results.astype(np.float64)),
        )

    def _best(self, measured: Metrics) -> int:
        """The network with the lowest loss."""
        losses = [measured.get(f"losses/{number}", 0.0) for number in range(self._settings.seeds)]
        return int(np.argmin(losses))

    def _batch(self, update: int) -> Rows:
        """The numbers of the examples of an update: an epoch takes all of an image, in an order of its own."""
        epoch, place = divmod(update, self._batches)
        if epoch not in self._orders:
            image = self._images[epoch % len(self._images)]
            (seed,) = np.random.SeedSequence([self._settings.seed, 2**36, epoch]).generate_state(1, np.uint64)
            order = self._trainer.order(image.size, int(seed))
            self._orders = {epoch: order + image.start}
        size = self._settings.batch_size
        return self._orders[epoch][place * size : (place + 1) * size]

    def _examples(self, parts: list[NnueSamples]) -> Examples:
        settings = self._settings
        columns: tuple[list[Array], ...] = (
            [part.inputs for part in parts],
            [part.buckets(self.game, settings.buckets, settings.features) for part in parts],
            [part.targets(settings.mix, settings.scale) for part in parts],
            [part.results for part in parts],
        )
        return Examples(*map(joined, columns))


def _start(game: str, settings: NnueSettings) -> Nnue:
    """The network to continue from; refused if it is for another game, or not as `settings`."""
    games.board(game).evaluator(evaluation_path(settings.start))
    net, default = Nnue.load(settings.start), NnueSettings()
    buckets, width = net.output_weights.shape
    for name, chosen, fallback, found in (
        ("hidden", settings.hidden, default.hidden, width // 2),
        ("buckets", settings.buckets, default.buckets, buckets),
        ("scale", settings.scale, default.scale, net.scale),
    ):
        if chosen not in (fallback, found):
            raise DamierError(f"{name} is {chosen}, expected {found} as in {settings.start}")
    return net


def _placed(images: list[NnueSamples]) -> list[_Image]:
    ends = np.cumsum([len(image) for image in images]).tolist()
    return [_Image(end - len(image), len(image)) for image, end in zip(images, ends, strict=True)]
