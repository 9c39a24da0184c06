"""The truth in float64, and PyTorch's own chain to be judged by the same measure."""

import torch
import torch.nn.functional as F
from torch import Tensor

_ACTIVATIONS = {
    "gelu": F.gelu,
    "gelu_tanh": lambda h: F.gelu(h, approximate="tanh"),
    "silu": F.silu,
    "relu": F.relu,
    "identity": lambda h: h,
}


def _rms_norm(x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float) -> Tensor:
    h = F.rms_norm(x, x.shape[-1:], weight, eps)
    return h if bias is None else h + bias


def eager_chain(
    x, residual, weight=None, bias=None, *, norm="layer", activation="gelu", eps=1e-5
) -> Tensor:
    """The chain by PyTorch's operators, in the dtypes that they choose."""
    if norm == "layer":
        h = F.layer_norm(x, x.shape[-1:], weight, bias, eps)
    else:
        h = _rms_norm(x, weight, bias, eps)
    return _ACTIVATIONS[activation](h) + residual


def exact_chain(x, residual, weight=None, bias=None, **how) -> Tensor:
    """eager_chain on float64 copies of the inputs; its gradients reach the originals."""
    tensors = (None if t is None else t.double() for t in (x, residual, weight, bias))
    return eager_chain(*tensors, **how)


def gradients(chain, inputs, dy: Tensor, **how) -> dict[str, Tensor]:
    """{"y", "dx", "dresidual", "dweight", "dbias"} of a chain at these inputs, where present.

    `inputs` are (x, residual, weight, bias); exact_chain's gradients come in float64.
    """
    exact = chain is exact_chain
    leaves = [_leaf(t, exact) for t in inputs]
    y = chain(*leaves, **how)
    names = ("dx", "dresidual", "dweight", "dbias")
    present = {name: leaf for name, leaf in zip(names, leaves, strict=True) if leaf is not None}
    found = torch.autograd.grad(y, list(present.values()), dy.to(y.dtype))
    return {"y": y.detach(), **dict(zip(present, found, strict=True))}


def _leaf(tensor: Tensor | None, exact: bool) -> Tensor | None:
    if tensor is None:
        return None
    return (tensor.double() if exact else tensor).detach().requires_grad_()


def error(found: Tensor, exact: Tensor) -> float:
    """‖found − exact‖ / ‖exact‖ in float64; NaN where anything is not finite."""
    exact = exact.double()
    scale = torch.linalg.vector_norm(exact).item()
    return torch.linalg.vector_norm(found.double() - exact).item() / (scale or 1.0)
