"""Tables over regions of squares, as the engine uses them and files hold them, all in integers.

A side sees the state of every region (which squares are empty, hold an own piece of the first kind, or an enemy's),
how many pieces of each other kind there are, and where each of its own pieces stands (`board.pattern_tables()`). The
weights of all that, minus those of what the other side sees, and one for the turn make the score. Weights change with
the number of pieces left, from phase to phase.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, Evaluator
from damier.board import Board
from damier.nnue import LARGEST_EVALUATION, divided, rounded
from damier.weights import Array, Weights, evaluation_path, features_hash, read_weights

__all__ = ["FEATURES", "ONE", "Patterns", "phase_shares", "pieces_of", "state_count"]

FEATURES, KIND = "patterns", "patterns"
ONE = 1024  # the whole number that stands for 1
LARGEST_STEP = 32767  # between the numbers of states in a file
CHUNK = 8192  # positions that are summed up at a time
TENSORS = ("states", "weights", "turn")

Int16 = npt.NDArray[np.int16]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Patterns:
    """A row of weights for each state, one per phase from few pieces to many, and one row for the turn.

    >>> from damier import draughts
    >>> board = draughts.Board(variant="english")
    >>> states = np.zeros((state_count(board), 2))
    >>> Patterns.quantised(states, np.array([0.0, 0.2]), scale=100).evaluator(board).name
    'patterns'
    >>> board.evaluate(Patterns.quantised(states, np.array([0.0, 0.2]), scale=100).evaluator(board))
    20
    """

    states: Int16  # [states, phases]
    turn: Int16  # [phases]
    name: str = "patterns"
    scale: int = 150  # the score for a sum of 1, in hundredths of a man
    calibration: tuple[float, float] = (0.0, 150.0)
    windows: str = ""  # the regions, such as 4x6/2x2 (`board.pattern_windows()`); those of the game if empty

    @classmethod
    def quantised(
        cls,
        states: Array,
        turn: Array,
        *,
        name: str = "patterns",
        scale: int = 150,
        windows: str = "",
    ) -> Patterns:
        """The tables nearest to those in real numbers, whose sum is the logit of the expected result."""
        held = rounded(states, ONE, name), rounded(turn, ONE, name)
        return cls(*held, name, scale, (0.0, float(scale)), windows)

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        return board.patterns_evaluator(self.name, self.windows, *self._arrays(), self.scale, *self.calibration)

    def scores(self, board: Board, states: Array) -> Int64:
        """The scores that the engine gives, bit for bit, for samples of a `Loader` with the features "patterns"."""
        weights, turn = self._arrays()
        rows = np.concatenate([weights, np.zeros_like(weights[:1])]).astype(np.int32)  # the last for unused places
        parts = [
            np.subtract(*rows[states[first : first + CHUNK]].sum(axis=2).swapaxes(0, 1))
            for first in range(0, len(states), CHUNK)
        ]
        sums = np.concatenate([np.zeros((0, len(turn)), np.int64), *parts]).astype(np.int64) + turn
        shares = phase_shares(pieces_of(board, states, self.windows), len(turn), board.start_pieces)
        scaled = divided((sums * shares).sum(axis=1) * self.scale, board.start_pieces * ONE)
        return np.clip(scaled, -LARGEST_EVALUATION, LARGEST_EVALUATION)

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the tables as a file (.safetensors), for a game, without the states whose weights are all 0;
        provenance says how they were made."""
        board = games.board(game)
        self.evaluator(board)  # refuses what does not fit
        weights, turn = self._arrays()
        kept = _with_bridges(np.flatnonzero(weights.any(axis=1)))
        metadata = {
            **(provenance or {}),
            "name": self.name,
            "calibration": " ".join(repr(float(number)) for number in self.calibration),
            "scale": str(self.scale),
            "windows": board.pattern_windows(self.windows),
            "features_sha256": features_hash(board.pattern_names(self.windows)),
        }
        steps = np.diff(kept, prepend=-1).astype(np.int16)
        tensors = dict(zip(TENSORS, (steps, weights[kept], turn), strict=True))
        Weights(game, KIND, FEATURES, tensors, metadata).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Patterns:
        """Read what `save` wrote.

        >>> import tempfile
        >>> from damier import loa
        >>> blank = Patterns.quantised(np.zeros((state_count(loa.Board()), 1)), np.ones(1), scale=120)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     blank.save(f"{folder}/blank.safetensors", "loa")
        ...     Patterns.load(f"{folder}/blank.safetensors").scale
        120
        """
        file = read_weights(path, KIND)
        board = games.board(file.game)
        evaluator = board.evaluator(evaluation_path(path))  # which checks all of it
        steps, weights, turn = (file.tensors[name] for name in TENSORS)
        windows = file.metadata["windows"]
        states = np.zeros((state_count(board, windows), len(turn)), np.int16)
        states[np.cumsum(steps, dtype=np.int64) - 1] = weights
        name, scale = file.metadata.get("name", KIND), int(float(file.metadata["scale"]))
        return cls(states, turn, name, scale, evaluator.calibration, windows)

    def _arrays(self) -> tuple[Int16, Int16]:
        states, turn = (np.ascontiguousarray(array, np.int16) for array in (self.states, self.turn))
        if (states.ndim, turn.ndim) != (2, 1):
            shapes = f"{list(states.shape)} and {list(turn.shape)}"
            raise DamierError(f"patterns {self.name}: its tables have the shapes {shapes}, expected [states, phases] "
                              "and [phases]")  # fmt: skip
        return states, turn


def state_count(board: Board, windows: str = "") -> int:
    """How many states all tables of a game have."""
    return sum(states for _, states in board.pattern_tables(windows))


def pieces_of(board: Board, states: Array, windows: str = "") -> Int64:
    """The number of pieces in the positions of samples: the places in use after those of regions and counts."""
    tables = len(board.pattern_tables(windows)) - 1
    found: Int64 = (states[:, :, tables:] < state_count(board, windows)).sum(axis=(1, 2))
    return found


def phase_shares(pieces: Int64, phases: int, start_pieces: int) -> Int64:
    """How much each phase counts with a number of pieces on the board, in parts of those at the start of a game.

    >>> phase_shares(np.array([0, 6, 18, 24]), 3, 24).tolist()
    [[24, 0, 0], [12, 12, 0], [0, 12, 12], [0, 0, 24]]
    """
    along = np.minimum(pieces, start_pieces)[:, None] * (phases - 1)
    shares: Int64 = np.maximum(0, start_pieces - np.abs(along - start_pieces * np.arange(phases)))
    return shares


def _with_bridges(kept: Int64) -> Int64:
    """Numbers of states in order, with others between them wherever a step would not fit in 16 bits.

    >>> _with_bridges(np.array([40_000])).tolist()
    [32766, 40000]
    """
    bridges = [
        np.arange(before + LARGEST_STEP, after, LARGEST_STEP)
        for before, after in zip([-1, *kept[:-1].tolist()], kept.tolist(), strict=False)
        if after - before > LARGEST_STEP
    ]
    return np.sort(np.concatenate([kept, *bridges])).astype(np.int64)
