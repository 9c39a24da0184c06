"""Parts of two speech encoders as they are trained, with the chain in a way of one's choice.

After QuartzNet and Citrinet: time-channel-separable modules, a depthwise convolution over
time, then a pointwise product. Otherwise than there: LayerNorm over the features instead of
BatchNorm, so that the chain's norm has rows; the residual goes round each module and is added
after the ReLU; no squeeze and excitation. After Conformer: the blocks of conformer.py.
"""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kernels.bench.experiments.conformer import Conformer
from kernels.bench.experiments.encoder_parts import Chain, Depthwise, Ways

CLASSES = 32  # letters, told apart frame by frame


class Separable(nn.Module):
    """A time-channel-separable module: depthwise, pointwise, chain."""

    def __init__(self, width: int, ways: Ways) -> None:
        super().__init__()
        self.depthwise = Depthwise(width, ways)
        self.pointwise = nn.Linear(width, width, bias=False)
        self.chain = Chain(width, "relu", ways)

    def forward(self, x: Tensor) -> Tensor:
        return self.chain(self.pointwise(self.depthwise(x)), x)


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
