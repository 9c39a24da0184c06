"""Variants of the chain timed against each other and against torch.add, case by case.

By kernels/bench/timing.py's method: one call to a CUDA graph, cold, interleaved.
A variant whose outputs fail the check against float64 is left out, with a warning.
"""

import gc
import logging
from collections.abc import Callable
from statistics import median

import torch

from kernels import fused_chain
from kernels.bench import timing, variants
from kernels.bench.bars import Measured
from kernels.bench.cases import modes
from kernels.bench.correct import Errors
from kernels.bench.protocol import Request

ROUNDS = 30
WARM_UP_SECONDS = 0.1  # the clocks are up: one case follows another
log = logging.getLogger(__name__)


def fused(request: Request) -> Callable:
    """The fused chain of a request's norm and activation."""
    how = {"norm": request.norm, "activation": request.activation}
    return lambda *leaves: fused_chain(*leaves, **how)


def chains(request: Request) -> dict[str, Callable]:
    """{variant: chain}: fused, separate, eager, and torch.compile in its modes."""
    return variants.chains(request, {mode: mode for mode in modes(request)})


def race(
    request: Request, entrants: dict[str, Callable], l2_bytes: int, check: bool = True
) -> Measured:
    """Time the entrants in the request's direction, the limit beside them."""
    bytes_a_set = 3 * request.rows * request.features * variants.DTYPES[request.dtype].itemsize
    count = timing.sets_needed(bytes_a_set, l2_bytes)
    sets = [variants.draw(request, number) for number in range(count)]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    timed = [timing.Timed("add", [variants.limit_calls(one)["add"] for one in sets])]
    for name, chain in entrants.items():
        calls = [variants.call(chain, one, request.direction, stream) for one in sets]
        timed.append(timing.Timed(name, calls))
    for one in timed:
        timing.capture(one, stream)
    timing.poison(timed, keep=[t for one in sets for t in (*one.leaves, one.dy)])
    timing.run_rounds(timed, ROUNDS, warm_up=WARM_UP_SECONDS)
    us = {one.name: median(one.samples_us) for one in timed}
    error = _checked(request, timed[1:], sets[0], us) if check else None
    del timed, sets
    gc.collect()
    torch.cuda.empty_cache()
    return Measured(request, us, error)


def _checked(request: Request, timed, inputs, us: dict[str, float]) -> float:
    """Fused's largest error; a variant with a wrong result loses its time."""
    events = Errors(request, {one.name: one.outputs[0] for one in timed}).of(inputs)
    for event in events:
        if not event["passed"]:
            log.warning("%s: wrong %s, %s", event["variant"], event["quantity"], event["error"])
            us.pop(event["variant"], None)
    errors = [event["error"] for event in events if event["variant"] == "fused"]
    return max(float("inf") if error is None else error for error in errors)


def prepare(request: Request, entrants: dict[str, Callable]) -> None:
    """Call each entrant once in the request's direction, which compiles it; keep nothing."""
    inputs = variants.draw(request, 0)
    stream = torch.cuda.current_stream()
    for name in list(entrants):
        try:
            variants.call(entrants[name], inputs, request.direction, stream)()
        except Exception:
            log.warning("%s can't be prepared for %s", name, request, exc_info=True)
            del entrants[name]
    torch.cuda.synchronize()
    del inputs
    gc.collect()
    torch.cuda.empty_cache()
