"""A Conformer block: half a feed-forward, attention, convolution, half a feed-forward, norm.

Otherwise than in Conformer: LayerNorm instead of BatchNorm, standing with its SiLU after the
second pointwise product, where the residual meets them; no relative positions; no dropout.
"""

import torch.nn.functional as F
from torch import Tensor, nn

from kernels.bench.experiments.encoder_parts import Chain, Depthwise, Ways

HEADS = 8


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
