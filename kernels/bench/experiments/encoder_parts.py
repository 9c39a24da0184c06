"""What both encoders are made of: the chain and the depthwise convolution, in chosen ways."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

TAPS = 31


@dataclass(frozen=True, slots=True)
class Ways:
    """How the chain and the depthwise convolution are worked out."""

    chain: Callable[..., Tensor]
    convolve: Callable[[Tensor, Tensor], Tensor]


class Chain(nn.Module):
    """activation(norm(x)) + residual, in the given way."""

    def __init__(self, width: int, activation: str, ways: Ways) -> None:
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))
        self.activation, self.ways = activation, ways

    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        return self.ways.chain(x, residual, self.weight, self.bias, activation=self.activation)


class Depthwise(nn.Module):
    """A convolution over time, feature by feature."""

    def __init__(self, width: int, ways: Ways) -> None:
        super().__init__()
        self.taps = nn.Parameter(torch.randn(TAPS, width) * TAPS**-0.5)
        self.ways = ways

    def forward(self, x: Tensor) -> Tensor:
        return self.ways.convolve(x, self.taps)
