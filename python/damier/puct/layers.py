"""The residual network of AlphaZero (Silver et al. 2018), small: a trunk of convolutions, a policy and a value."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

__all__ = ["PlayingNet", "ResidualNet"]

POLICY_PLANES, VALUE_PLANES, VALUE_HIDDEN = 8, 4, 64


class Convolution(nn.Module):
    """A convolution that keeps the size of the board, normalised."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Tensor) -> Tensor:
        return self.norm(self.conv(x))


class Residual(nn.Module):
    """Two convolutions whose result is added to what went in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = Convolution(channels, channels, 3)
        self.second = Convolution(channels, channels, 3)
        nn.init.zeros_(self.second.norm.weight)  # at first a block changes nothing, which learns faster

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class Squares(nn.Module):
    """Leaves out the squares of one colour if nothing ever stands there: neighbours stay neighbours.

    A plane tells rows that begin with such a square from the others.
    """

    def __init__(self, rows: int, columns: int, squares: Sequence[int]) -> None:
        super().__init__()
        is_light = [(square // columns + square % columns) % 2 for square in range(rows * columns)]
        colours = [[square for square, light in enumerate(is_light) if light == colour] for colour in (0, 1)]
        self.is_half = columns % 2 == 0 and sorted(squares) in colours
        self.size = (rows, columns // 2 if self.is_half else columns)
        self.more = int(self.is_half)  # planes
        first = [row * columns not in squares for row in range(rows)]
        begins = torch.tensor(first, dtype=torch.float32)[:, None].expand(self.size)
        self.register_buffer("begins", begins.contiguous()[None, None], persistent=False)
        self.register_buffer("squares", torch.tensor(sorted(squares)), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if not self.is_half:
            return x
        x = x.flatten(2).index_select(2, self.squares).unflatten(2, self.size)
        return torch.cat([x, self.begins.to(x.dtype).expand(len(x), 1, *self.size)], 1)


class ResidualNet(nn.Module):
    """From planes to a logit per action and a value from -1 to 1, both for the side to move."""

    def __init__(
        self,
        squares: Sequence[int],
        *,
        planes: int,
        rows: int,
        columns: int,
        actions: int,
        channels: int,
        blocks: int,
    ) -> None:
        super().__init__()
        self.squares = Squares(rows, columns, squares)
        area = self.squares.size[0] * self.squares.size[1]
        self.entry = Convolution(planes + self.squares.more, channels, 3)
        self.blocks = nn.Sequential(*(Residual(channels) for _ in range(blocks)))
        self.policy_planes = Convolution(channels, POLICY_PLANES, 1)
        self.policy = nn.Linear(POLICY_PLANES * area, actions)
        self.value_planes = Convolution(channels, VALUE_PLANES, 1)
        self.value_hidden = nn.Linear(VALUE_PLANES * area, VALUE_HIDDEN)
        self.value = nn.Linear(VALUE_HIDDEN, 1)
        for last in (self.policy, self.value):  # a network that knows nothing says nothing
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.squares(x).contiguous(memory_format=torch.channels_last)
        x = self.blocks(functional.relu(self.entry(x)))
        policy = self.policy(functional.relu(self.policy_planes(x)).flatten(1))
        value = functional.relu(self.value_hidden(functional.relu(self.value_planes(x)).flatten(1)))
        return policy, torch.tanh(self.value(value)).squeeze(1)


class PlayingNet:
    """The same network for playing, with normalisation folded into the convolutions."""

    def __init__(self, net: ResidualNet, dtype: torch.dtype) -> None:
        net = copy.deepcopy(net).eval()
        self._entry = _fused(net.entry, dtype)
        self._blocks = [(_fused(block.first, dtype), _fused(block.second, dtype)) for block in net.blocks]
        self._policy_planes, self._value_planes = _fused(net.policy_planes, dtype), _fused(net.value_planes, dtype)
        self._net = net.to(dtype)

    def __call__(self, x: Tensor) -> tuple[Tensor, Tensor]:
        net, conv, relu = self._net, torch.conv2d, torch.relu_
        x = net.squares(x).contiguous(memory_format=torch.channels_last)
        x = relu(conv(x, *self._entry, padding=1))
        for first, second in self._blocks:
            x = relu(conv(relu(conv(x, *first, padding=1)), *second, padding=1).add_(x))
        policy = functional.linear(relu(conv(x, *self._policy_planes)).flatten(1), net.policy.weight, net.policy.bias)
        hidden = relu(conv(x, *self._value_planes)).flatten(1)
        hidden = relu(functional.linear(hidden, net.value_hidden.weight, net.value_hidden.bias))
        value = functional.linear(hidden, net.value.weight, net.value.bias)
        return policy, torch.tanh(value).squeeze(1)


def _fused(part: Convolution, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """The weights and biases of a convolution with its normalisation folded in."""
    made = fuse_conv_bn_eval(part.conv, part.norm)
    return made.weight.detach().to(dtype, memory_format=torch.channels_last), made.bias.detach().to(dtype)
