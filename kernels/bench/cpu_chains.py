"""The processor's chains: each as passes over whole tensors, and in blocks that stay in cache."""

from collections.abc import Callable

from kernels.bench.protocol import SEED

BLOCK_BYTES = 1 << 20
EPS = 1e-5
POINTWISE_TRANSFERS = {"separate": 11, "fused": 3}
"""Whole tensors that the pointwise chain moves."""


def calls(torch, rows: int, features: int) -> tuple[dict, dict, dict]:
    """({variant: call}, {limit: call}, the tensors that they read and write)."""
    generator = torch.Generator().manual_seed(SEED)
    names = ("x", "residual", "h", "g", "pointwise", "chain", "limit")
    tensors = {name: torch.randn(rows, features, generator=generator) for name in names}
    tensors |= {name: torch.randn(features, generator=generator) for name in ("weight", "bias")}
    whole = max(1, BLOCK_BYTES // (4 * features))
    found = {}
    for prefix, make in (("", pointwise), ("chain_", _norm_chain)):
        out = tensors["chain" if prefix else "pointwise"]
        found[f"{prefix}separate"] = over_blocks(torch, make, tensors, out, rows)
        found[f"{prefix}fused"] = over_blocks(torch, make, tensors, out, whole)
    x, residual, limit = (tensors[name] for name in ("x", "residual", "limit"))
    limits = {
        "copy": lambda: limit.copy_(x),
        "add": lambda: torch.add(x, residual, out=limit),
    }
    return found, limits, tensors


def over_blocks(torch, make, tensors: dict, out, block: int) -> Callable[[], None]:
    """The chain in blocks of `block` rows; all rows at once is the separate way."""
    x, residual = tensors["x"], tensors["residual"]
    if block >= len(x):
        buffers = (tensors["h"], tensors["g"])
    else:
        buffers = (torch.empty(block, x.shape[1]), torch.empty(block, x.shape[1]))
    steps = []
    for start in range(0, len(x), block):
        rows = slice(start, start + block)
        count = len(x[rows])
        h, g = (buffer[:count] for buffer in buffers)
        steps.append(make(torch, x[rows], residual[rows], tensors, (h, g, out[rows])))

    def all_blocks() -> None:
        for step in steps:
            step()

    return all_blocks


def pointwise(torch, x, residual, tensors: dict, buffers) -> Callable[[], None]:
    """relu(x·w + b)·0.5 + r in five passes; `buffers` are (h, g, y)."""
    h, g, y = buffers
    weight, bias = tensors["weight"], tensors["bias"]

    def passes() -> None:
        torch.mul(x, weight, out=h)
        torch.add(h, bias, out=g)
        torch.clamp(g, min=0.0, out=h)
        torch.mul(h, 0.5, out=g)
        torch.add(g, residual, out=y)

    return passes


def exact_pointwise(tensors: dict, rows: slice):
    """The pointwise chain of some rows in float64."""
    x, residual = (tensors[name][rows].double() for name in ("x", "residual"))
    weight, bias = (tensors[name].double() for name in ("weight", "bias"))
    return (x * weight + bias).relu() * 0.5 + residual


def _norm_chain(torch, x, residual, tensors: dict, buffers) -> Callable[[], None]:
    h, g, y = buffers
    weight, bias = tensors["weight"], tensors["bias"]
    mean, rstd = torch.empty(len(x), 1), torch.empty(len(x), 1)
    norm, gelu = torch.ops.aten.native_layer_norm.out, torch.ops.aten.gelu.out
    features = [x.shape[1]]

    def passes() -> None:
        norm(x, features, weight, bias, EPS, out0=h, out1=mean, out2=rstd)
        gelu(h, out=g)
        torch.add(g, residual, out=y)

    return passes


def exact_norm_chain(torch, tensors: dict, rows: slice):
    """The norm chain of some rows in float64."""
    x, residual = (tensors[name][rows].double() for name in ("x", "residual"))
    weight, bias = (tensors[name].double() for name in ("weight", "bias"))
    h = torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, EPS)
    return torch.nn.functional.gelu(h) + residual
