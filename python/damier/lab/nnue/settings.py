"""The settings of a training, with defaults that suit the number of positions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from damier._core import DamierError
from damier.engine.arguments import check_range
from damier.lab.positions import PositionSettings
from damier.nnue import FEATURES, FEATURES_BY_KING

__all__ = ["NnueSettings"]

POSITIONS_PER_NEURON = 350_000
LEAST_HIDDEN, MOST_HIDDEN = 32, 256  # by default
BATCH, SMALL_BATCH, SMALL_DATA = 16_384, 4_096, 1_000_000
MULTIPLE, MOST_WIDTH, MOST_BUCKETS = 16, 1024, 16  # as eval/nnue.cpp requires


@dataclass(frozen=True)
class NnueSettings(PositionSettings):
    """The network, the data and the training; 0 for `hidden`, `batch_size` and `scale` leaves them to the data."""

    hidden: int = 0  # neurons for each side's view
    buckets: int = 8  # output rows, by the number of pieces
    king_buckets: bool = False  # whether each side's inputs depend on where its king stands, in games that have one
    images: int = 1  # of each position, turned or mirrored at random where the game has symmetries, an epoch each
    # Training
    start: str = ""  # the file of a network to go on from, which says `hidden`, `buckets` and `scale`
    epochs: int = 30
    batch_size: int = 0
    rate: float = 4e-3  # at the first update; it falls to almost nothing by a cosine
    power: float = 2.0  # of the error
    seeds: int = 1  # networks that are trained at once, of which the best is kept
    seed: int = 0

    def check(self) -> None:
        """Refuse settings that make no sense."""
        if self.hidden and (self.hidden % MULTIPLE or not MULTIPLE <= self.hidden <= MOST_WIDTH):
            raise DamierError(
                f"hidden is {self.hidden}, expected a multiple of {MULTIPLE} from {MULTIPLE} to {MOST_WIDTH}"
            )
        check_range("buckets", self.buckets, 1, MOST_BUCKETS)
        super().check()
        check_range("images", self.images, 1, 64)
        check_range("epochs", self.epochs, 1, 10**6)
        check_range("batch_size", self.batch_size, 0, 1 << 24)
        check_range("rate", self.rate, 1e-9, 10)
        check_range("power", self.power, 1, 10)
        check_range("seeds", self.seeds, 1, 64)
        if self.start and self.seeds > 1:
            raise DamierError(f"seeds is {self.seeds}, expected 1: from the same start all networks learn the same")

    @property
    def features(self) -> str:
        """The set of inputs."""
        return FEATURES_BY_KING if self.king_buckets else FEATURES

    def for_positions(self, positions: int, scale: int) -> NnueSettings:
        """The settings with defaults filled in, for this many positions whose scores have this scale.

        >>> chosen = NnueSettings().for_positions(20_000_000, 185)
        >>> chosen.hidden, chosen.batch_size, chosen.scale
        (64, 16384, 185)
        """
        hidden = round(positions / POSITIONS_PER_NEURON / MULTIPLE) * MULTIPLE
        batch = SMALL_BATCH if positions < SMALL_DATA else BATCH
        return replace(
            self,
            hidden=self.hidden or min(max(hidden, LEAST_HIDDEN), MOST_HIDDEN),
            batch_size=min(self.batch_size or batch, positions),
            scale=self.scale or scale,
        )
