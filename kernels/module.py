"""The fused chain as a layer of a model."""

import torch
from torch import Tensor, nn

from kernels.fused import fused_chain


class FusedChain(nn.Module):
    """activation(norm(x)) + residual over the last dimension.

    Parameters and state dict are those of nn.LayerNorm (or, with bias=False and
    norm="rms", of nn.RMSNorm): weight starts at one, bias at zero, so a trained
    norm's state loads into it.
    """

    def __init__(
        self, features: int, *, norm: str = "layer", activation: str = "gelu", eps: float = 1e-5,
        affine: bool = True, bias: bool = True, device=None, dtype=None,
    ):  # fmt: skip
        super().__init__()
        self.features, self.norm, self.activation, self.eps = features, norm, activation, eps
        empty = torch.empty(features, device=device, dtype=dtype)
        self.register_parameter("weight", nn.Parameter(empty) if affine else None)
        shift = torch.empty_like(empty) if affine and bias else None
        self.register_parameter("bias", None if shift is None else nn.Parameter(shift))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Weight to one, bias to zero."""
        if self.weight is not None:
            nn.init.ones_(self.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x: Tensor, residual: Tensor) -> Tensor:
        """x and residual [..., features] to the same shape."""
        return fused_chain(
            x, residual, self.weight, self.bias,
            norm=self.norm, activation=self.activation, eps=self.eps,
        )  # fmt: skip

    def extra_repr(self) -> str:
        """What nn.Module prints between the brackets."""
        return f"{self.features}, norm={self.norm}, activation={self.activation}, eps={self.eps}"
