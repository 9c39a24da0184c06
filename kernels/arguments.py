"""What a call may hand in, checked before anything is launched."""

import torch
from torch import Tensor

from kernels.intrinsics import INTERPRETED

NORMS = ("layer", "rms")
ACTIVATIONS = ("gelu", "gelu_tanh", "silu", "relu", "identity")
DTYPES = (torch.float32, torch.bfloat16, torch.float16)


def check(x, residual, weight, bias, norm: str, activation: str, eps: float) -> None:
    """Raise TypeError or ValueError, naming the argument, unless the chain takes these."""
    _check_tensor("x", x)
    if x.dim() == 0 or x.shape[-1] == 0:
        raise ValueError(f"x must be [..., features] with features ≥ 1, not {list(x.shape)}")
    _check_like("residual", residual, x, x.shape)
    for name, vector in (("weight", weight), ("bias", bias)):
        if vector is not None:
            _check_like(name, vector, x, x.shape[-1:])
    _check_choice("norm", norm, NORMS)
    _check_choice("activation", activation, ACTIVATIONS)
    if not isinstance(eps, float | int) or not 0.0 <= eps < float("inf"):
        raise ValueError(f"eps must be a finite number ≥ 0, not {eps!r}")
    if not x.is_cuda and not INTERPRETED:
        raise ValueError(
            f"x is on {x.device}; the kernels run on a CUDA device "
            "(or on a CPU in Triton's interpreter, with TRITON_INTERPRET=1 set at the start)"
        )


def _check_tensor(name: str, tensor) -> None:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"{name} must be a torch.Tensor, not {type(tensor).__name__}")
    if tensor.dtype not in DTYPES:
        raise TypeError(f"{name} must be float32, bfloat16 or float16, not {tensor.dtype}")
    if tensor.layout is not torch.strided:
        raise TypeError(f"{name} must be a dense tensor, not {tensor.layout}")


def _check_like(name: str, tensor, x: Tensor, shape: torch.Size) -> None:
    _check_tensor(name, tensor)
    if tensor.shape != shape:
        raise ValueError(
            f"{name} must have shape {list(shape)} beside x of {list(x.shape)}, "
            f"not {list(tensor.shape)}"
        )
    if tensor.device != x.device:
        raise ValueError(f"{name} is on {tensor.device}, but x is on {x.device}")


def _check_choice(name: str, value, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
