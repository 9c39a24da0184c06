"""QuACK's norms timed among our chain and torch.add, in a process of their own.

By kernels/bench/timing.py's method, as all others: QuACK starts its kernels on the
stream that is torch's current one (TVM's FFI asks the tensors' DLPack exchange for it),
so a CUDA graph holds them, and the launches from Python don't count.
"""

import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from kernels.bench import machine, race, timing, variants
from kernels.bench.alone import Alone, Norm
from kernels.bench.bars import case_name
from kernels.bench.checks import judged
from kernels.bench.correct import CAPS, CAPS_OF_SUMS
from kernels.bench.protocol import Request
from kernels.reference import error, exact_chain, gradients

EPS = 1e-5
log = logging.getLogger(__name__)


def work(connection, _shape: Request, cases: Sequence[tuple[Norm, Request]]) -> None:
    """Compile all cases, say so, and then measure those that are asked for."""
    os.environ["QUACK_CACHE_ENABLED"] = "0"  # on disk, where processes wait for one another
    spent: dict[str, float] = {}
    ready = set()
    for norm, request in cases:
        start = time.monotonic()
        if _attempted(prepare, norm, request):
            ready.add((norm, request))
        what = f"QuACK and ours in {request.dtype}"
        spent[what] = spent.get(what, 0.0) + time.monotonic() - start
    connection.send(spent)
    l2_bytes = machine.gpu(torch)["l2_bytes"]
    for norm, request in connection.recv():
        able = (norm, request) in ready
        found = _attempted(measure, norm, request, l2_bytes) if able else None
        connection.send(found or measure(norm, request, l2_bytes, quack=False))


def _attempted(attempt: Callable[..., Any], norm: Norm, request: Request, *more: Any) -> Any:
    """What it comes to; None and a line in the log where QuACK can't."""
    try:
        return attempt(norm, request, *more)
    except Exception as fault:
        said = (str(fault).splitlines() or [""])[0]
        case = case_name(request)
        log.warning("QuACK's %s, %s: %s: %s", norm.name, case, type(fault).__name__, said)
        return None
    finally:
        race.free()


def prepare(norm: Norm, request: Request) -> bool:
    """Run the norm and our chain once, which compiles them."""
    race.prepare(replace(request, direction="both"), {"fused": race.fused(request)})
    call(norm, variants.draw(request, 0))()
    torch.cuda.synchronize()
    return True


def measure(norm: Norm, request: Request, l2_bytes: int, quack: bool = True) -> Alone:
    """Time the norm, our chain and the limit; what is wrong loses its time."""
    sets, stream = race.drawn(request, l2_bytes)
    chain, way = race.fused(request), request.direction
    timed = [timing.Timed("fused", [variants.call(chain, one, way, stream) for one in sets])]
    if quack:
        with torch.cuda.stream(stream):
            timed.append(timing.Timed("quack", [call(norm, one) for one in sets]))
    us = race.times(timed, sets, stream)
    race.checked(request, timed[:1], sets[0], us)
    for one in timed[1:]:
        race.keep_right(checks(norm, request.dtype, sets[0], one.outputs[0]), us)
    return Alone(norm, request, us)


def call(norm: Norm, inputs: variants.Inputs) -> Callable[[], tuple[Tensor, ...]]:
    """What is timed of QuACK: () -> norm.results. ImportError where it can't be loaded.

    As in training: a forward stores its statistics, a backward sums the weights' gradients.
    """
    from quack.rmsnorm import layernorm_bwd, layernorm_fwd, rmsnorm_bwd, rmsnorm_fwd

    x, residual, weight, bias = (leaf.detach() for leaf in inputs.leaves)
    dy = inputs.dy
    rstd, mean = _statistics(x, norm.norm)
    wide, wide_bias = weight.float(), bias.float()  # its LayerNorm takes no others
    return {
        ("layer", "forward"): lambda: layernorm_fwd(x, wide, wide_bias, EPS, True, True)[:1],
        ("layer", "backward"): lambda: layernorm_bwd(x, wide, dy, rstd, mean),
        ("rms", "forward"): lambda: rmsnorm_fwd(
            x, weight, residual=residual, eps=EPS, store_rstd=True
        )[:2],
        ("rms", "backward"): lambda: rmsnorm_bwd(x, weight, dy, rstd)[:2],
    }[norm.norm, norm.direction]


def _statistics(x: Tensor, norm: str) -> tuple[Tensor, Tensor | None]:
    """(rstd, mean) of each row, float32; no mean for RMSNorm."""
    wide = x.float()
    if norm == "rms":
        return (wide.square().mean(1) + EPS).rsqrt(), None
    variance, mean = torch.var_mean(wide, 1, correction=0)
    return (variance + EPS).rsqrt(), mean


def checks(
    norm: Norm, dtype: str, inputs: variants.Inputs, outputs: Sequence[Tensor]
) -> Iterator[dict]:
    """A check event for each of norm.results, over the whole tensors."""
    exact = _exact(norm, inputs)
    for name, found in zip(norm.results, outputs, strict=True):
        caps = CAPS_OF_SUMS if name in ("dweight", "dbias") else CAPS
        yield judged("quack", name, error(found, exact[name]), caps[dtype])


def _exact(norm: Norm, inputs: variants.Inputs) -> dict[str, Tensor]:
    """In float64: the chain that activates by nothing and adds nothing."""
    x, residual, weight, bias = (leaf.detach() for leaf in inputs.leaves)
    if "sum" in norm.results:
        x = x.double() + residual.double()
    given = (x, torch.zeros_like(x), weight, bias if norm.norm == "layer" else None)
    found = gradients(exact_chain, given, inputs.dy, norm=norm.norm, activation="identity", eps=EPS)
    return found | {"sum": x}
