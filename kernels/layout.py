"""Tensors of any layout, as the kernels read them; and the device that they are on."""

from contextlib import nullcontext

import torch
from torch import Tensor


def as_rows(tensor: Tensor) -> tuple[Tensor, int]:
    """(the tensor, or a copy, whose rows lie `stride` elements apart, that stride)."""
    features = tensor.shape[-1]
    if tensor.is_contiguous():
        return tensor, features
    if tensor.dim() == 2 and (tensor.stride(1) == 1 or features == 1):
        return tensor, tensor.stride(0)
    try:
        rows = tensor.view(-1, features)
    except RuntimeError:  # the leading dimensions are not a constant distance apart
        return tensor.contiguous(), features
    in_place = rows.stride(1) == 1 or features == 1
    return (rows, rows.stride(0)) if in_place else (tensor.contiguous(), features)


def empty_as(tensor: Tensor, dtype: torch.dtype) -> Tensor:
    """Room for a contiguous tensor of this shape, by the quickest way there is."""
    if tensor.dtype is dtype and tensor.is_contiguous():
        return torch.empty_like(tensor)
    return torch.empty(tensor.shape, dtype=dtype, device=tensor.device)


def packed(vector: Tensor | None) -> Tensor | None:
    """The vector with its elements side by side."""
    return vector if vector is None or vector.is_contiguous() else vector.contiguous()


_NOTHING = nullcontext()


def on(device: torch.device):
    """Triton launches on the current device's current stream."""
    if device.index is None or device.index == torch.cuda.current_device():  # None: a CPU
        return _NOTHING
    return torch.cuda.device(device)
