"""Samples for learning from any number of runs: shuffled across games, filtered, in batches, a few blocks of games in
memory at a time. Games are replayed, positions filtered, shuffled and described in C++, without the GIL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, DataError, SampleBuffer
from damier.engine.arguments import check_range
from damier.lab.blocks import Block, BlockGames, Blocks, Where
from damier.puct.network import import_torch
from damier.weights import Array

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["Batch", "Filters", "Loader"]

OPEN_BLOCKS = 8  # that games are taken from in turn
PIECE_GAMES = 64  # taken from one of them at a time
MAX_SAMPLES = 1 << 24  # of a batch or a buffer

Numbers = npt.NDArray[np.int32]


class Filters(TypedDict, total=False):
    """Which positions become samples: of those in which a move was played, all except what is filtered here."""

    skip: int  # the first plies of a game are left out
    every: int  # take one position in this many, at random, others in each epoch
    in_check: bool  # False leaves out positions that are not quiet: in check, or with a capture that is compulsory
    tactical: bool  # False leaves out positions in which the move played is a capture or a promotion
    unscored: bool  # False leaves out positions without a score
    max_score: int | None  # positions whose score is further from 0 are left out


@dataclass(frozen=True)
class Batch:
    """Samples, a row each, from the view of the side to move.

    `features` are planes, uint8 [samples, kinds of piece, rows, columns], own pieces first and the board turned so that
    they stand where White's stand at the start; or a feature set, float32 [samples, features]; or, for "nnue", the
    numbers of the active inputs of a network, int16 [samples, 2, pieces], as the side to move sees them and as the
    other does, with the number of all inputs in unused places; or, for "patterns", the numbers of the states of
    tables over regions, int32 [samples, 2, states], likewise. `score` is NaN for positions without one, `result` is 1,
    0.5 or 0; `ply` is how many moves were played before, `plies_left` how many came after.
    """

    features: Array
    score: npt.NDArray[np.float32]
    result: npt.NDArray[np.float32]
    ply: npt.NDArray[np.int32]
    plies_left: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.result)

    def to_torch(self) -> dict[str, Tensor]:
        """The columns by name as torch tensors that share their memory."""
        torch = import_torch()
        return {field.name: torch.from_numpy(getattr(self, field.name)) for field in fields(self)}


class Loader:
    """An iterable of batches over the games of any number of sources: folders or files of shards, folders of matches
    and tournaments, PGN, PDN and SGF files, databases.

    Every sample is given once per epoch, in an order that depends only on the seed; each pass over the loader begins
    at the first epoch. `features` is "planes", "nnue", "patterns" ("patterns:4x6/2x2": other windows) or the name of a
    feature set. With `symmetries` each sample is turned or mirrored at random, if the game has such
    symmetries. `shuffle_buffer` is how many positions wait to be drawn: the more, the better the positions of a game
    are spread. `epochs` is how often to go through the games, None for no end. One game in ten can be held out:
    `held_out=True` gives only the positions of those games, and False those of the others.

    >>> import tempfile
    >>> from damier.lab import simulate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     plies = simulate("loa", games=20, seed=1, out=folder).plies
    ...     batches = list(Loader("loa", folder, batch_size=256, epochs=1))
    >>> sum(map(len, batches)) == plies
    True
    >>> batches[0].features.shape, batches[0].result.shape
    ((256, 2, 8, 8), (256,))
    """

    def __init__(
        self,
        game: str,
        sources: Where | Iterable[Where] | Blocks,
        *,
        features: str = "planes",
        batch_size: int = 16384,
        seed: int = 0,
        symmetries: bool = False,
        shuffle_buffer: int = 1 << 20,
        epochs: int | None = None,
        held_out: bool | None = None,
        **filters: Unpack[Filters],
    ) -> None:
        for name, value in (("batch_size", batch_size), ("shuffle_buffer", shuffle_buffer)):
            check_range(name, value, 1, MAX_SAMPLES)
        check_range("epochs", 1 if epochs is None else epochs, 1)
        check_range("seed", seed, 0)
        self.game, self.batch_size, self.seed, self.epochs = game, batch_size, seed, epochs
        self._features, self._symmetries = None if features == "planes" else features, symmetries
        self._shuffle_buffer, self._filters = shuffle_buffer, filters
        self._buffer(0)  # refuses what is wrong with the options
        self._blocks = Blocks.of(game, sources)
        self._numbers = {block: self._blocks.numbers(block, held_out) for block in self._blocks}
        if not self.games:
            raise DataError(f"{self._blocks}: there are too few games to learn from some and hold some out")

    @property
    def games(self) -> int:
        """The number of games that samples are taken from."""
        return sum(map(len, self._numbers.values()))

    def digest(self) -> str:
        """A hash of the games of all sources, held out or not, for the file learnt from them."""
        return self._blocks.digest()

    def __iter__(self) -> Iterator[Batch]:
        epoch = 0
        while self.epochs is None or epoch < self.epochs:
            yield from self._epoch(epoch)
            epoch += 1

    def _buffer(self, seed: int) -> SampleBuffer:
        return games.board(self.game).sample_buffer(
            self._features,
            symmetries=self._symmetries,
            seed=seed,
            expected=self._shuffle_buffer + self.batch_size,
            **self._filters,
        )

    def _epoch(self, epoch: int) -> Iterator[Batch]:
        random = np.random.default_rng([self.seed, epoch])
        buffer = self._buffer(int(random.integers(1 << 63)))
        given = 0
        with _Mixer(self._numbers, random) as mixer:
            while len(buffer) or mixer:
                while mixer and len(buffer) < self._shuffle_buffer + self.batch_size:
                    mixer.feed(buffer)
                if len(buffer):
                    batch = Batch(**buffer.draw(self.batch_size))
                    given += len(batch)
                    yield batch
        if given == 0:
            raise DataError(f"{self._blocks}: the filters leave no position of {self.games} games")


class _Mixer:
    """Takes games from some blocks at a time, in random order; the next block is read while the others are used.

    `numbers` says which games of each block there are.
    """

    def __init__(self, numbers: Mapping[Block, Numbers], random: np.random.Generator) -> None:
        self._random, self._numbers, blocks = random, numbers, list(numbers)
        self._waiting = [blocks[place] for place in random.permutation(len(blocks)) if len(numbers[blocks[place]])]
        self._open: list[_Opened] = []
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="damier-loader")
        self._next: tuple[Block, Future[BlockGames]] | None = None
        self._read_ahead()

    def __enter__(self) -> _Mixer:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.shutdown()

    def __bool__(self) -> bool:
        return self._next is not None or bool(self._open)

    def _read_ahead(self) -> None:
        block = self._waiting.pop() if self._waiting else None
        self._next = (block, self._reader.submit(block.read)) if block else None

    def feed(self, buffer: SampleBuffer) -> None:
        """Add some games to a buffer; blocks with many left are more likely to be taken from."""
        while self._next is not None and len(self._open) < OPEN_BLOCKS:
            block, future = self._next
            self._open.append(_Opened(block, future.result(), self._random.permutation(self._numbers[block])))
            self._read_ahead()
        left = np.cumsum([len(opened.order) for opened in self._open])
        place = int(np.searchsorted(left, self._random.integers(left[-1]), side="right"))
        self._open[place].feed(buffer)
        if not len(self._open[place].order):
            del self._open[place]


class _Opened:
    """A block that is in memory, and which of its games are left, in the order they will be taken."""

    def __init__(self, block: Block, held: BlockGames, order: Numbers) -> None:
        self._name, self._held, self.order = block.name, held, order

    def feed(self, buffer: SampleBuffer) -> None:
        numbers, self.order = self.order[:PIECE_GAMES], self.order[PIECE_GAMES:]
        fens, starts, columns = self._held
        try:
            buffer.add_games(
                fens,
                starts,
                columns["codes"],
                columns["ends"],
                columns["results"],
                columns["scores"],
                columns["score_ends"],
                numbers,
            )
        except DamierError as error:
            raise DataError(f"{self._name}: {error}") from None
