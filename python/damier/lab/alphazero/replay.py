"""The positions of self-play, small enough to keep a million: planes as bits, moves as searched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from damier.weights import Array

__all__ = ["LAST_PLANES", "ReplayBuffer", "Symmetries"]

LAST_PLANES = 3  # of one value each: Black to move, repetitions, quiet plies
QUIET_PLIES_SCALE = 100.0  # a network is given quiet plies divided by this, as `BoardBatch.planes` gives them
FULL = 65535  # a share of 1

KINDS = {
    "bits": np.uint8,
    "levels": np.uint8,
    "actions": np.uint16,
    "shares": np.uint16,
    "ends": np.int64,
    "results": np.int8,
    "values": np.float32,
}


@dataclass(frozen=True)
class Symmetries:
    """Boards turned and mirrored: where each square of a plane comes from, and what each action becomes."""

    sources: Array
    actions: Array

    @classmethod
    def of(cls, cells: Array, actions: Array) -> Symmetries:
        return cls(np.argsort(cells, axis=1), actions)


@dataclass(frozen=True)
class ReplayBuffer:
    """Searched positions: what the network sees, the shares of visits, the result and the value of the root.

    The moves of sample i are those from `ends[i - 1]` to `ends[i]`; results and values are for the side to move.
    """

    bits: Array  # planes of 0 and 1, packed
    levels: Array  # the values of the last planes
    actions: Array
    shares: Array
    ends: Array
    results: Array
    values: Array

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def packed(
        cls, planes: Array, *, actions: Array, shares: Array, lengths: Array, results: Array, values: Array
    ) -> ReplayBuffer:
        """Pack planes of bytes (sample, plane, rank, file) and the rest."""
        pieces = planes[:, :-LAST_PLANES]
        flat = pieces.reshape(len(planes), math.prod(pieces.shape[1:]))
        return cls(
            bits=np.packbits(flat, axis=1),
            levels=planes[:, -LAST_PLANES:, 0, 0].copy(),
            actions=actions.astype(np.uint16),
            shares=np.round(shares * FULL).astype(np.uint16),
            ends=np.cumsum(lengths),
            results=results.astype(np.int8),
            values=values.astype(np.float32),
        )

    @classmethod
    def joined(cls, parts: Sequence[ReplayBuffer]) -> ReplayBuffer:
        """All samples of the parts, in order."""
        starts = np.cumsum([0, *(len(part.actions) for part in parts)])
        columns = {f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)}
        columns["ends"] = np.concatenate([part.ends + start for part, start in zip(parts, starts, strict=False)])
        return cls(**columns)

    def newest(self, count: int) -> ReplayBuffer:
        """The newest samples, `count` of them."""
        first = max(0, len(self) - count)
        start = int(self.ends[first - 1]) if first else 0
        columns = {f.name: getattr(self, f.name)[first:] for f in fields(self)}
        columns |= {"actions": self.actions[start:], "shares": self.shares[start:], "ends": self.ends[first:] - start}
        return ReplayBuffer(**columns)

    def batch(
        self, rows: Array, shape: tuple[int, int, int], symmetries: Symmetries | None, rng: np.random.Generator
    ) -> dict[str, Array]:
        """The samples of some rows as a network takes them, each turned or mirrored at random.

        `actions` and `shares` have a row per sample, padded with actions without a share where `is_move` is false.
        """
        planes, height, width = shape
        area, pieces = height * width, planes - LAST_PLANES
        seen = np.empty((len(rows), planes, area), np.float32)
        seen[:, :pieces] = np.unpackbits(self.bits[rows], axis=1, count=pieces * area).reshape(-1, pieces, area)
        seen[:, pieces:] = self.levels[rows][:, :, None]
        seen[:, -1] /= QUIET_PLIES_SCALE
        starts = np.where(rows > 0, self.ends[rows - 1], 0)
        lengths = self.ends[rows] - starts
        places = starts[:, None] + np.arange(int(lengths.max()))
        is_move = places < self.ends[rows][:, None]
        places = np.where(is_move, places, 0)
        actions = np.where(is_move, self.actions[places], 0).astype(np.int64)
        if symmetries is not None and len(symmetries.actions) > 1:
            turns = rng.integers(len(symmetries.actions), size=len(rows))
            seen = np.take_along_axis(seen, symmetries.sources[turns][:, None, :], axis=2)
            actions = symmetries.actions[turns[:, None], actions]
        return {
            "planes": seen.reshape(-1, *shape),
            "actions": actions,
            "shares": np.where(is_move, self.shares[places], 0).astype(np.float32) / FULL,
            "is_move": is_move,
            "results": self.results[rows].astype(np.float32),
            "values": self.values[rows],
        }

    # As a checkpoint keeps them.

    def arrays(self) -> dict[str, Array]:
        """All of it as arrays that a file of weights can hold."""
        lengths = np.diff(self.ends, prepend=0)
        columns = {f.name: getattr(self, f.name) for f in fields(self)} | {"ends": lengths}
        return {name: array if name == "values" else array.astype(np.int16) for name, array in columns.items()}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, Array]) -> ReplayBuffer:
        """The samples of what `arrays` gave."""
        columns = {name: arrays[name].astype(kind) for name, kind in KINDS.items()}
        return cls(**columns | {"ends": np.cumsum(columns["ends"])})
