"""Efficiently updated networks (NNUE) as the engine runs them and files hold them, all in integers.

There is one input per own or enemy piece and square, as a side sees the board (`board.nnue_inputs()`); with king
buckets, one for each bucket that the side's king may be in. The sums of their rows, seen by the side to move and by the
other, are clipped to 0 to 1, squared, and weighted by an output row that depends on how many pieces are left.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import SURE_WIN, DamierError, Evaluator
from damier.board import Board
from damier.weights import Weights, evaluation_path, features_hash, read_weights

__all__ = [
    "FEATURES",
    "FEATURES_BY_KING",
    "INPUT_ONE",
    "LARGEST_EVALUATION",
    "OUTPUT_ONE",
    "WEIGHT_BOUND",
    "Nnue",
    "bucket_of",
    "divided",
    "rounded",
]

FEATURES, FEATURES_BY_KING, KIND = "nnue", "nnue:kings", "nnue"
# The integers that stand for 1, of the first layer and of the output, as in eval/nnue_kernels.h: the core does not
# export them. `scores` repeats its arithmetic, buckets included, and parity tests compare the two bit for bit.
INPUT_ONE, OUTPUT_ONE = 255, 64
WEIGHT_BOUND = 1.98  # of weights while they are learnt: 255 times the largest output weight has to fit in 16 bits
LARGEST_EVALUATION = SURE_WIN - 2  # as in eval/score.h: what lies above is a proof
CHUNK = 512  # positions that are summed up at a time
TENSORS = ("inputs.weights", "inputs.bias", "outputs.weights", "outputs.bias")

Int16 = npt.NDArray[np.int16]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Nnue:
    """A network `(inputs -> width) x 2 -> 1` with an output row per bucket, in integers.

    >>> from damier import loa
    >>> board = loa.Board()
    >>> net = Nnue.quantised(np.zeros((128, 16)), np.zeros(16), np.zeros((1, 32)), np.ones(1) / 2, scale=160)
    >>> board.evaluate(net.evaluator(board))
    80
    """

    input_weights: Int16  # [inputs, width]
    input_bias: Int16  # [width]
    output_weights: Int16  # [buckets, 2 * width]: what the side to move sees, then what the other sees
    output_bias: Int16  # [buckets]
    name: str = "nnue"
    scale: int = 150  # the score for an output of 1, in hundredths of a man
    calibration: tuple[float, float] = (0.0, 150.0)
    features: str = FEATURES  # what the inputs are

    @classmethod
    def quantised(
        cls,
        input_weights: npt.NDArray[np.generic],
        input_bias: npt.NDArray[np.generic],
        output_weights: npt.NDArray[np.generic],
        output_bias: npt.NDArray[np.generic],
        *,
        name: str = "nnue",
        scale: int = 150,
        features: str = FEATURES,
    ) -> Nnue:
        """The network nearest to one in real numbers, whose output is the logit of the expected result."""
        return cls(
            rounded(input_weights, INPUT_ONE, name),
            rounded(input_bias, INPUT_ONE, name),
            rounded(output_weights, OUTPUT_ONE, name),
            rounded(output_bias, INPUT_ONE * OUTPUT_ONE, name),
            name,
            scale,
            (0.0, float(scale)),
            features,
        )

    def evaluator(self, board: Board) -> Evaluator:
        """The evaluation for boards of this game."""
        return board.nnue_evaluator(self.name, self.features, *self._arrays(), self.scale, *self.calibration)

    def scores(self, board: Board, inputs: npt.NDArray[np.integer]) -> Int64:
        """The scores that the engine gives, bit for bit, for samples of a `Loader` with its features."""
        weights, bias, output_weights, output_bias = (array.astype(np.int64) for array in self._arrays())
        rows = np.concatenate([weights, np.zeros_like(weights[:1])]).astype(np.int32)  # the last for unused places
        parts = [rows[inputs[first : first + CHUNK]].sum(axis=2) for first in range(0, len(inputs), CHUNK)]
        sums = np.concatenate([np.zeros((0, 2, len(bias)), np.int64), *parts]) + bias
        sums = sums.astype(np.int16).astype(np.int64)  # which may overflow, as in the engine
        squares = np.clip(sums, 0, INPUT_ONE).reshape(len(inputs), -1) ** 2
        pieces = (inputs[:, 0] < len(weights)).sum(axis=1)
        buckets = bucket_of(pieces, len(output_bias), board.start_pieces)
        outputs = divided((squares * output_weights[buckets]).sum(axis=1), INPUT_ONE) + output_bias[buckets]
        scores = divided(outputs * self.scale, INPUT_ONE * OUTPUT_ONE)
        return np.clip(scores, -LARGEST_EVALUATION, LARGEST_EVALUATION)

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write the network as a file (.safetensors), for a game; provenance says how it was made."""
        board = games.board(game)
        self.evaluator(board)  # refuses what does not fit
        metadata = {
            **(provenance or {}),
            "name": self.name,
            "calibration": " ".join(repr(float(number)) for number in self.calibration),
            "scale": str(self.scale),
            "features_sha256": features_hash(board.nnue_inputs(self.features)),
        }
        Weights(game, KIND, self.features, dict(zip(TENSORS, self._arrays(), strict=True)), metadata).save(path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Nnue:
        """Read what `save` wrote.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     blank = Nnue.quantised(np.zeros((128, 16)), np.zeros(16), np.zeros((1, 32)), np.ones(1), scale=120)
        ...     blank.save(f"{folder}/blank.safetensors", "loa")
        ...     Nnue.load(f"{folder}/blank.safetensors").scale
        120
        """
        file = read_weights(path, KIND)
        evaluator = games.board(file.game).evaluator(evaluation_path(path))  # which checks all of it
        weights, bias, output_weights, output_bias = (file.tensors[name] for name in TENSORS)
        name, scale = file.metadata.get("name", KIND), int(float(file.metadata["scale"]))
        return cls(weights, bias, output_weights, output_bias, name, scale, evaluator.calibration, file.features)

    def _arrays(self) -> tuple[Int16, Int16, Int16, Int16]:
        given = (self.input_weights, self.input_bias, self.output_weights, self.output_bias)
        weights, bias, output_weights, output_bias = (np.ascontiguousarray(array, np.int16) for array in given)
        if (weights.ndim, bias.ndim, output_weights.ndim, output_bias.ndim) != (2, 1, 2, 1):
            shapes = ", ".join(str(list(np.shape(array))) for array in given)
            expected = "[inputs, width], [width], [buckets, 2 * width] and [buckets]"
            raise DamierError(f"network {self.name}: its layers have the shapes {shapes}, expected {expected}")
        return weights, bias, output_weights, output_bias


def bucket_of(pieces: Int64, buckets: int, start_pieces: int) -> Int64:
    """The output row for a number of pieces on the board, out of those at the start of a game.

    >>> bucket_of(np.array([1, 12, 13, 24]), 2, 24).tolist()
    [0, 0, 1, 1]
    """
    return np.clip((pieces - 1) * buckets // start_pieces, 0, buckets - 1)


def rounded(numbers: npt.NDArray[np.generic], one: int, name: str) -> Int16:
    """The nearest 16-bit integers, where `one` stands for 1."""
    found = np.rint(np.asarray(numbers, np.float64) * one)
    if not np.isfinite(found).all():
        raise DamierError(f"{name}: a weight is not a finite number")
    return np.clip(found, -32767, 32767).astype(np.int16)


def divided(numbers: Int64, by: int) -> Int64:
    """Division towards zero, as in the engine."""
    found: Int64 = np.sign(numbers) * (np.abs(numbers) // by)
    return found
