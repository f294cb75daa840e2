"""The residual network of AlphaZero (Silver et al. 2018), small: a trunk of convolutions, a policy and a value."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import nn
from torch.nn import functional
from torch.nn.utils.fusion import fuse_conv_bn_eval

__all__ = ["ResidualNet", "fused"]

POLICY_PLANES, VALUE_PLANES, VALUE_HIDDEN = 16, 4, 64


class Convolution(nn.Module):
    """A convolution that keeps the size of the board, normalised."""

    def __init__(self, inputs: int, outputs: int, size: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs)

    def forward(self, x: Any) -> Any:
        return self.norm(self.conv(x))


class Residual(nn.Module):
    """Two convolutions whose result is added to what went in."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = Convolution(channels, channels, 3)
        self.second = Convolution(channels, channels, 3)
        nn.init.zeros_(self.second.norm.weight)  # at first a block changes nothing, which learns faster

    def forward(self, x: Any) -> Any:
        return functional.relu(x + self.second(functional.relu(self.first(x))))


class ResidualNet(nn.Module):
    """From planes to a logit per action and a value from -1 to 1, both for the side to move."""

    def __init__(self, *, planes: int, rows: int, columns: int, actions: int, channels: int, blocks: int) -> None:
        super().__init__()
        area = rows * columns
        self.entry = Convolution(planes, channels, 3)
        self.blocks = nn.Sequential(*(Residual(channels) for _ in range(blocks)))
        self.policy_planes = Convolution(channels, POLICY_PLANES, 1)
        self.policy = nn.Linear(POLICY_PLANES * area, actions)
        self.value_planes = Convolution(channels, VALUE_PLANES, 1)
        self.value_hidden = nn.Linear(VALUE_PLANES * area, VALUE_HIDDEN)
        self.value = nn.Linear(VALUE_HIDDEN, 1)
        for last in (self.policy, self.value):  # a network that knows nothing says nothing
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)

    def forward(self, x: Any) -> tuple[Any, Any]:
        x = self.blocks(functional.relu(self.entry(x)))
        policy = self.policy(functional.relu(self.policy_planes(x)).flatten(1))
        value = functional.relu(self.value_hidden(functional.relu(self.value_planes(x)).flatten(1)))
        return policy, torch.tanh(self.value(value)).squeeze(1)


def fused(net: ResidualNet) -> ResidualNet:
    """A copy for playing, in which convolutions do their own normalisation."""
    net = copy.deepcopy(net).eval()
    for part in net.modules():
        if isinstance(part, Convolution):
            part.conv, part.norm = fuse_conv_bn_eval(part.conv, part.norm), nn.Identity()
    return net
