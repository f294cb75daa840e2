"""Learnt ways to compare the moves of one position: the nearest boards or moves, and networks over either.

A board is the feature set `squares` packed in words, seen by the side to move; a move is the board before it and the
board after it. The higher the score, the better for whoever makes the move.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError, nearest
from damier.board import Board, Move
from damier.eval import Layer
from damier.weights import Weights, features_hash, read_weights

__all__ = ["LABELS", "Neighbours", "Scorer", "ScoringNetwork", "is_scorer", "load_scorer", "score_moves", "unpacked"]

FEATURES = "squares"
LABELS = ("moves", "boards", "results")  # see damier.lab.labels
CHUNK = 512  # queries between two looks at the keyboard

Rows = npt.NDArray[np.uint64]
Scores = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Boards or moves with known values; the value of another one is the mean of the `k` nearest, by bits that differ.

    >>> rows = np.array([[0b0000], [0b0111], [0b1111]], np.uint64)
    >>> near = Neighbours("boards", rows, np.array([1, 2, 4], np.float32), k=2)
    >>> near.scores(np.array([[0b1110]], np.uint64)).tolist()
    [3.0]
    """

    label: str
    rows: Rows
    values: Scores
    k: int = 4

    def __post_init__(self) -> None:
        if self.rows.ndim != 2 or self.values.shape != self.rows.shape[:1]:
            raise DamierError(f"{len(self.rows)} rows have {self.values.size} values, expected one each")
        if not 1 <= self.k <= len(self.rows):
            raise DamierError(f"k is {self.k}, expected 1 to {len(self.rows)}, the number of {self.label}")

    def scores(self, rows: Rows, *, threads: int = 1) -> Scores:
        """The mean value of the nearest of each row."""
        found = [
            self.values[nearest(self.rows, rows[first : first + CHUNK], self.k, threads=threads)[0]].mean(axis=1)
            for first in range(0, len(rows), CHUNK)
        ]
        return np.concatenate(found) if found else np.zeros(0, np.float32)

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write rows and values as one file (.safetensors), for a game; provenance says how they were made."""
        metadata = {**(provenance or {}), **_metadata(self.label, game), "k": str(self.k)}
        tensors: dict[str, npt.NDArray[np.generic]] = {"rows": self.rows, "values": self.values}
        Weights(game, "neighbours", FEATURES, tensors, metadata).save(path)


@dataclass(frozen=True, eq=False)
class ScoringNetwork:
    """A dense network whose inputs are the squares after a move, or before and after it, seen by the side to move.

    One over boards is saved as an evaluation (`damier.eval.Network`).

    >>> layer = Layer(np.ones((1, 128)))
    >>> moves, scores = score_moves(ScoringNetwork("moves", [layer]), games.board("rennes"))
    >>> len(moves), scores.tolist()[0]  # 24 men before, 24 after
    (7, 48.0)
    """

    label: str
    layers: Sequence[Layer]

    def scores(self, rows: Rows, *, threads: int = 1) -> Scores:
        """The output for each row."""
        arrays = [layer.arrays("moves") for layer in self.layers]
        values = unpacked(rows, arrays[0][0].shape[1] // (2 if self.label == "moves" else 1))
        for weights, bias, activation in arrays:
            values = ACTIVATIONS[activation](values @ weights.T + bias)
        return values[:, 0]

    def save(self, path: str | os.PathLike[str], game: str, *, provenance: Mapping[str, str] | None = None) -> None:
        """Write a network over moves as a file (.safetensors), for a game; provenance says how it was made."""
        tensors: dict[str, npt.NDArray[np.generic]] = {}
        for number, layer in enumerate(self.layers):
            weights, bias, _ = layer.arrays("moves")
            tensors |= {f"layers.{number}.weights": weights, f"layers.{number}.bias": bias}
        activations = " ".join(layer.activation for layer in self.layers)
        metadata = {**(provenance or {}), **_metadata(self.label, game), "activations": activations}
        Weights(game, "moves", FEATURES, tensors, metadata).save(path)


Array: TypeAlias = npt.NDArray[np.float32]
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "tanh": np.tanh,
}
Scorer: TypeAlias = Neighbours | ScoringNetwork


def is_scorer(file: Weights) -> bool:
    """Whether a file compares the moves of one position, as Deep Checker plays; others are evaluations for a search."""
    is_evaluation = file.kind == "network" and file.metadata.get("label", "results") == "results"
    return file.kind in ("neighbours", "moves", "network") and not is_evaluation


def load_scorer(path: str | os.PathLike[str], game: str) -> Scorer:
    """Read what `save` of a scorer wrote, for a game; DamierError says what does not fit."""
    file = read_weights(path)
    if not is_scorer(file):
        raise DamierError(f"{path}: holds an evaluation of kind {file.kind}, expected scores of moves or boards")
    if file.game != game:
        raise DamierError(f"{path}: was learnt for {file.game}, expected {game}")
    names = games.board(game).feature_names(FEATURES)
    if file.metadata.get("features_sha256") != features_hash(names):
        raise DamierError(f"{path}: was made for other squares of {game}")
    try:
        return _scorer(file, len(names))
    except (KeyError, ValueError) as error:
        raise DamierError(f"{path}: does not hold what its kind {file.kind} needs ({error})") from None


def _scorer(file: Weights, inputs: int) -> Scorer:
    label = file.metadata["label"]
    expected = {"moves": ("moves",), "network": ("boards",)}.get(file.kind, LABELS)
    if label not in expected:
        raise ValueError(f"label is {label!r}, expected {' or '.join(expected)}")
    if file.kind == "neighbours":
        rows = file.tensors["rows"]
        words = -(-inputs // 64) * (2 if label == "moves" else 1)
        if rows.dtype != np.uint64 or rows.shape[1:] != (words,):
            raise ValueError(f"rows of {label} have the shape {list(rows.shape)}, expected [rows, {words}]")
        values = np.asarray(file.tensors["values"], np.float32)
        if not np.isfinite(values).all():
            raise ValueError("a value is not a finite number")
        return Neighbours(label, rows, values, int(file.metadata["k"]))
    layers, width = [], inputs * (2 if label == "moves" else 1)
    largest: Array = np.ones(width, np.float32)  # that the inputs of a layer can be
    for number, activation in enumerate(file.metadata["activations"].split()):
        weights, bias = file.tensors[f"layers.{number}.weights"], file.tensors[f"layers.{number}.bias"]
        if activation not in ACTIVATIONS or weights.shape != (len(bias), width):
            raise ValueError(f"layer {number + 1} has the shape {list(weights.shape)}, expected [outputs, {width}]")
        with np.errstate(over="ignore", invalid="ignore"):
            largest = np.abs(weights) @ largest + np.abs(bias)
        if not np.isfinite(largest).all():
            raise ValueError(f"layer {number + 1} has weights that are not finite numbers, or whose sums overflow")
        layers.append(Layer(weights, bias, activation))
        width = len(bias)
    if not layers or width != 1:
        raise ValueError("the last layer has no single output")
    return ScoringNetwork(label, layers)


def score_moves(scorer: Scorer, board: Board) -> tuple[list[Move], Scores]:
    """The legal moves of a board, and the score of each for the side to move."""
    board = board.copy()
    before, moves, after = _packed(board), list(board.legal_moves), []
    for move in moves:
        board.push(move)
        after.append(_packed(board))
        board.pop()
    if scorer.label == "moves":
        after = [np.concatenate([before, row]) for row in after]
    return moves, scorer.scores(np.array(after, np.uint64))


def unpacked(rows: Rows, bits: int) -> npt.NDArray[np.float32]:
    """Packed boards, one or several per row, as a 0 or 1 for each of their `bits` squares.

    >>> unpacked(np.array([[5, 1]], np.uint64), 3).tolist()
    [[1.0, 0.0, 1.0, 1.0, 0.0, 0.0]]
    """
    words = -(-bits // 64)
    boards = np.ascontiguousarray(rows, "<u8").view(np.uint8).reshape(len(rows), -1, 8 * words)
    found = np.unpackbits(boards, axis=2, count=bits, bitorder="little").astype(np.float32)
    return found.reshape(len(rows), -1)


def _packed(board: Board) -> Rows:
    bits = np.packbits(board.features(FEATURES) > 0, bitorder="little")
    return np.pad(bits, (0, -len(bits) % 8)).view("<u8").astype(np.uint64)


def _metadata(label: str, game: str) -> dict[str, str]:
    return {"label": label, "features_sha256": features_hash(games.board(game).feature_names(FEATURES))}
