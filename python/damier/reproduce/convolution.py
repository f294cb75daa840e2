"""A small convolutional network (torch) on labelled boards, exported as the dense network it is.

Every square looks at its surroundings through the same weights. To the core that is a dense layer in which many weights
are equal and most are zero, so that it plays in any search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from damier import games
from damier._core import DamierError
from damier.eval import Layer, Network
from damier.lab.fit import r2
from damier.lab.labels import Labelled
from damier.puct.network import import_torch
from damier.scorers import unpacked

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

__all__ = ["train_convolution"]

CHANNELS, DENSE = 8, 32
BATCH = 1024


def train_convolution(
    game: str,
    train: Labelled,
    test: Labelled,
    *,
    epochs: int,
    seed: int,
    on_epoch: Callable[[int, float], None],
) -> tuple[Network, float]:
    """Learn results from boards; return the evaluation for the side to move, and R2 on the test set.

    The label is the chance of the side that moved last: the output before the last sigmoid is its logit, and the score
    for the side to move is minus that.
    """
    torch = import_torch()
    torch.manual_seed(seed)
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # which always adds in the same order
    try:
        places, shape = _places(game)
        net = _net(torch, len(places), shape, places)
        bits = 2 * len(places)
        optimiser = torch.optim.Adam(net.parameters(), 1e-3)
        steps = epochs * -(-len(train) // BATCH)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 3e-3, total_steps=steps)
        loss_of = torch.nn.BCEWithLogitsLoss()
        for epoch in range(epochs):
            order = np.random.default_rng([seed, epoch]).permutation(len(train))
            for first in range(0, len(order), BATCH):
                some = train.some(order[first : first + BATCH])
                optimiser.zero_grad()
                loss = loss_of(net(torch.from_numpy(unpacked(some.rows, bits)))[:, 0], torch.from_numpy(some.values))
                loss.backward()
                optimiser.step()
                schedule.step()
            explained = _r2(torch, net, test, bits)
            on_epoch(epoch + 1, explained)
        with torch.no_grad():
            layers = _dense(torch, net, bits)
    finally:
        torch.set_num_threads(before)
    return Network("squares", layers, "convolution", -150.0, (0.0, 150.0)), explained


def _places(game: str) -> tuple[npt.NDArray[np.int64], tuple[int, int]]:
    """Where the squares lie in a plane, in their order, and the shape of the plane."""
    board = games.board(game)
    if len(board.feature_names("squares")) != 2 * len(board.squares):
        raise DamierError(f"{game} has several kinds of piece, expected one")
    rows = 1 + max(rank for _, _, rank in board.squares)
    columns = 1 + max(file for _, file, _ in board.squares)
    return np.array([rank * columns + file for _, file, rank in board.squares]), (rows, columns)


def _net(torch: Any, squares: int, shape: tuple[int, int], places: npt.NDArray[np.int64]) -> Module:
    at = torch.from_numpy(places)

    class OnSquares(torch.nn.Module):  # type: ignore[misc]
        """A convolution over the playing squares, from and to rows of channels by squares."""

        def __init__(self, ins: int, outs: int, size: int) -> None:
            super().__init__()
            self.ins = ins
            self.convolution = torch.nn.Conv2d(ins, outs, size, padding=size // 2)

        def forward(self, rows: Tensor) -> Tensor:
            planes = rows.new_zeros(len(rows), self.ins, shape[0] * shape[1])
            planes[:, :, at] = rows.reshape(len(rows), self.ins, squares)
            found = self.convolution(planes.reshape(len(rows), self.ins, *shape))
            return found.flatten(2)[:, :, at].flatten(1)

    return torch.nn.Sequential(
        OnSquares(2, CHANNELS, 5),
        torch.nn.ReLU(),
        OnSquares(CHANNELS, CHANNELS, 3),
        torch.nn.ReLU(),
        torch.nn.Linear(CHANNELS * squares, DENSE),
        torch.nn.ReLU(),
        torch.nn.Linear(DENSE, 1),
    )


def _dense(torch: Any, net: Module, inputs: int) -> list[Layer]:
    """Each layer as a matrix: its output for zeros is the bias, its outputs for single inputs are the weights."""
    layers, width = [], inputs
    parts = [part for part in net if not isinstance(part, torch.nn.ReLU)]
    for number, part in enumerate(parts):
        bias = part(torch.zeros(1, width))[0]
        weights = (part(torch.eye(width)) - bias).T
        layers.append(Layer(weights.numpy(), bias.numpy(), "relu" if number < len(parts) - 1 else "linear"))
        width = len(bias)
    return layers


def _r2(torch: Any, net: Module, test: Labelled, bits: int) -> float:
    with torch.no_grad():
        found = torch.sigmoid(net(torch.from_numpy(unpacked(test.rows, bits)))[:, 0]).numpy()
    return r2(float(((test.values - found) ** 2).mean()), float(test.values.var()))
