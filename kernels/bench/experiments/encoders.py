"""Parts of two speech encoders as they are trained, with the chain in a way of one's choice.

After QuartzNet and Citrinet: time-channel-separable modules, a depthwise convolution over
time, then a pointwise product. Otherwise than there: LayerNorm over the features instead of
BatchNorm, so that the chain's norm has rows; the residual goes round each module and is added
after the ReLU; no squeeze and excitation.

After Conformer: half a feed-forward, attention, convolution, half a feed-forward, norm.
Otherwise than there: LayerNorm instead of BatchNorm, standing with its SiLU after the second
pointwise product, where the residual meets them; no relative positions; no dropout.
"""

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

TAPS = 31
CLASSES = 32  # letters, told apart frame by frame
HEADS = 8


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


class Separable(nn.Module):
    """A time-channel-separable module: depthwise, pointwise, chain."""

    def __init__(self, width: int, ways: Ways) -> None:
        super().__init__()
        self.depthwise = Depthwise(width, ways)
        self.pointwise = nn.Linear(width, width, bias=False)
        self.chain = Chain(width, "relu", ways)

    def forward(self, x: Tensor) -> Tensor:
        return self.chain(self.pointwise(self.depthwise(x)), x)


class FeedForward(nn.Sequential):
    """Norm, four times as wide, SiLU, back."""

    def __init__(self, width: int) -> None:
        wide, back = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        super().__init__(nn.LayerNorm(width), wide, nn.SiLU(), back)


class Attention(nn.Module):
    """Norm and self-attention over all frames."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.queries_keys_values, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, frames, width = x.shape
        split = self.queries_keys_values(self.norm(x)).view(batch, frames, 3, HEADS, -1)
        attended = F.scaled_dot_product_attention(*split.permute(2, 0, 3, 1, 4).unbind(0))
        return self.out(attended.transpose(1, 2).reshape(batch, frames, width))


class Convolution(nn.Module):
    """Norm, gated pointwise product, depthwise, pointwise product; then the chain."""

    def __init__(self, width: int, ways: Ways) -> None:
        super().__init__()
        self.norm, self.gated = nn.LayerNorm(width), nn.Linear(width, 2 * width)
        self.depthwise, self.pointwise = Depthwise(width, ways), nn.Linear(width, width)
        self.chain = Chain(width, "silu", ways)

    def forward(self, x: Tensor) -> Tensor:
        h = F.glu(self.gated(self.norm(x)))
        return self.chain(self.pointwise(self.depthwise(h)), x)


class Conformer(nn.Module):
    """One block."""

    def __init__(self, width: int, ways: Ways) -> None:
        super().__init__()
        self.first, self.second = FeedForward(width), FeedForward(width)
        self.attention, self.convolution = Attention(width), Convolution(width, ways)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + 0.5 * self.first(x)
        x = x + self.attention(x)
        x = self.convolution(x)
        return self.norm(x + 0.5 * self.second(x))


LAYERS: dict[str, tuple[type[nn.Module], int, str]] = {
    "quartznet": (Separable, 5, "relu"),
    "conformer": (Conformer, 2, "silu"),
}
"""{model: (layer, how many, the activation of its chain)}; each layer has one chain."""


class Encoder(nn.Module):
    """The layers, and the loss: cross-entropy of a letter for every frame."""

    def __init__(self, model: str, width: int, ways: Ways) -> None:
        super().__init__()
        layer, count, _ = LAYERS[model]
        self.layers = nn.Sequential(*(layer(width, ways) for _ in range(count)))
        self.head = nn.Linear(width, CLASSES)

    def forward(self, x: Tensor, letters: Tensor) -> Tensor:
        """The loss of x [batch, frames, width] against letters [batch, frames]."""
        scores = self.head(self.layers(x)).flatten(0, 1)
        wide = scores if scores.dtype == torch.float64 else scores.float()
        return F.cross_entropy(wide, letters.flatten())
