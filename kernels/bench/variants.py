"""The calls that are timed: every way to run the chain, on every set of inputs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import torch
import torch._functorch.config
from torch import Tensor

from kernels import fused_chain, separate_chain
from kernels.bench.protocol import SEED, Request
from kernels.reference import eager_chain

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
QUANTITIES = {
    "forward": ("y",),
    "backward": ("dx", "dresidual", "dweight", "dbias"),
    "both": ("y", "dx", "dresidual", "dweight", "dbias"),
}


@dataclass(frozen=True, slots=True)
class Inputs:
    """One set: the four leaves, and dy."""

    leaves: tuple[Tensor, Tensor, Tensor, Tensor]
    dy: Tensor


def draw(request: Request, number: int, device: str = "cuda") -> Inputs:
    """Set `number` of the request's inputs, from a fixed seed; normal, never zero."""
    generator = torch.Generator(device).manual_seed(SEED + number)
    dtype = DTYPES[request.dtype]

    def normal(*shape: int, around: float = 0.0, scale: float = 1.0) -> Tensor:
        values = torch.randn(shape, generator=generator, device=device)
        return (values * scale + around).to(dtype)

    shape = (request.rows, request.features)
    x, residual, dy = normal(*shape), normal(*shape), normal(*shape)
    weight = normal(request.features, around=1.0, scale=0.2)
    bias = normal(request.features, scale=0.2)
    leaves = tuple(tensor.requires_grad_() for tensor in (x, residual, weight, bias))
    return Inputs(leaves, dy)


def chains(
    request: Request, modes: Mapping[str, str] = MappingProxyType({"compiled": "default"})
) -> dict[str, Callable]:
    """{variant: chain} with norm and activation bound; compiled afresh for this shape.

    `modes` are {variant: mode of torch.compile}.
    """
    # The backward is timed many times over one forward, so its buffers can't be given away.
    torch._functorch.config.donated_buffer = False
    torch.compiler.reset()
    how = {"norm": request.norm, "activation": request.activation}

    def eager(*leaves: Tensor) -> Tensor:
        return eager_chain(*leaves, **how)

    return {
        "fused": lambda *leaves: fused_chain(*leaves, **how),
        "separate": lambda *leaves: separate_chain(*leaves, **how),
        "eager": eager,
        **{
            name: torch.compile(eager, fullgraph=True, dynamic=False, mode=mode)
            for name, mode in modes.items()
        },
    }


def call(
    chain: Callable, inputs: Inputs, direction: str, stream: "torch.cuda.Stream"
) -> Callable[[], tuple[Tensor, ...]]:
    """What is timed: () -> the quantities of this direction, in QUANTITIES' order.

    The backward runs on the stream of its forward, so the forward of "backward"
    is run here, once, on `stream`.
    """
    leaves, dy = inputs.leaves, inputs.dy
    if direction == "forward":
        return lambda: (chain(*leaves),)
    if direction == "both":
        return lambda: _both(chain, leaves, dy)
    with torch.cuda.stream(stream):
        y = chain(*leaves)
    return lambda: torch.autograd.grad(y, leaves, dy, retain_graph=True)


def _both(chain: Callable, leaves: tuple[Tensor, ...], dy: Tensor) -> tuple[Tensor, ...]:
    y = chain(*leaves)
    return (y.detach(), *torch.autograd.grad(y, leaves, dy))


def limit_calls(inputs: Inputs) -> dict[str, Callable[[], tuple[Tensor, ...]]]:
    """The machine's limit on the same tensors: a copy, and two reads with one write."""
    x, residual = (leaf.detach() for leaf in inputs.leaves[:2])
    copied, added = torch.empty_like(x), torch.empty_like(x)

    def copy() -> tuple[Tensor, ...]:
        return (copied.copy_(x),)

    def add() -> tuple[Tensor, ...]:
        return (torch.add(x, residual, out=added),)

    return {"copy": copy, "add": add}
