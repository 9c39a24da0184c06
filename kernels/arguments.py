"""What a call may hand in, checked before anything is launched."""

import math

import torch
from torch import Tensor

from kernels.intrinsics import INTERPRETED

NORMS = ("layer", "rms")
ACTIVATIONS = ("gelu", "gelu_tanh", "silu", "relu", "identity")
DTYPES = (torch.float32, torch.bfloat16, torch.float16)


def check(x, residual, weight, bias, norm: str, activation: str, eps: float) -> None:
    """Raise TypeError or ValueError, naming the argument, unless the chain takes these."""
    _check_tensor("x", x)
    shape, device = x.shape, x.device
    if not shape or shape[-1] == 0:
        raise ValueError(f"x must be [..., features] with features ≥ 1, not {list(shape)}")
    _check_tensor("residual", residual)
    if residual.shape != shape or residual.device != device:
        _refuse("residual", residual, x, shape)
    row = shape[-1:]
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None:
            _check_tensor(name, vector)
            if vector.shape != row or vector.device != device:
                _refuse(name, vector, x, row)
    _check_how(norm, activation, eps)
    if not x.is_cuda and not INTERPRETED:
        raise ValueError(
            f"x is on {device}; the kernels run on a CUDA device "
            "(or on a CPU in Triton's interpreter, with TRITON_INTERPRET=1 set at the start)"
        )


def _check_tensor(name: str, tensor) -> None:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, not {type(tensor).__name__}")
    if tensor.dtype not in DTYPES:
        raise TypeError(f"{name} must be float32, bfloat16 or float16, not {tensor.dtype}")
    if tensor.layout is not torch.strided:
        raise TypeError(f"{name} must be a dense tensor, not {tensor.layout}")


def _refuse(name: str, tensor: Tensor, x: Tensor, shape: torch.Size) -> None:
    if tensor.shape != shape:
        raise ValueError(
            f"{name} must have shape {list(shape)} beside x of {list(x.shape)}, "
            f"not {list(tensor.shape)}"
        )
    raise ValueError(f"{name} is on {tensor.device}, but x is on {x.device}")


def _check_how(norm: str, activation: str, eps: float) -> None:
    if norm not in NORMS:
        raise ValueError(f"norm must be one of {', '.join(NORMS)}, not {norm!r}")
    if activation not in ACTIVATIONS:
        raise ValueError(f"activation must be one of {', '.join(ACTIVATIONS)}, not {activation!r}")
    if not isinstance(eps, (float, int)) or not 0.0 <= eps < math.inf:
        raise ValueError(f"eps must be a finite number ≥ 0, not {eps!r}")
