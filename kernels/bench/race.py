"""Variants of the chain timed against each other and against torch.add, case by case.

By kernels/bench/timing.py's method: one call to a CUDA graph, cold, interleaved.
A variant whose outputs fail the check against float64 is left out, with a warning.
"""

import gc
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

import torch

from kernels import fused_chain, separate_chain
from kernels.bench import peers, timing, variants
from kernels.bench.bars import MODES, Measured
from kernels.bench.correct import Errors
from kernels.bench.protocol import Request
from kernels.reference import eager_chain

ROUNDS = 40
WARM_UP_SECONDS = 0.1  # the clocks are up: one case follows another
log = logging.getLogger(__name__)


def chains(request: Request, modes: Sequence[str] = MODES) -> dict[str, Callable]:
    """{variant: chain}: fused, separate, eager, and torch.compile in each of its modes."""
    torch._functorch.config.donated_buffer = False
    torch.compiler.reset()
    how = {"norm": request.norm, "activation": request.activation}

    def eager(*leaves):
        return eager_chain(*leaves, **how)

    return {
        "fused": lambda *leaves: fused_chain(*leaves, **how),
        "separate": lambda *leaves: separate_chain(*leaves, **how),
        "eager": eager,
        **{mode: torch.compile(eager, fullgraph=True, dynamic=False, mode=mode) for mode in modes},
    }


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


def prepare(request: Request, whole: bool = True) -> None:
    """Compile what `race` will call at this shape: all of it, or fused alone; keep nothing."""
    if not whole:  # a few rows need the same kernels
        request = replace(request, rows=min(request.rows, 64))
    inputs = variants.draw(request, 0)
    stream = torch.cuda.current_stream()
    entrants = chains(request) | peers.entrants() if whole else chains(request, modes=())
    for name, chain in entrants.items():
        try:
            variants.call(chain, inputs, request.direction, stream)()
        except Exception:
            log.warning("%s can't be prepared for %s", name, request, exc_info=True)
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
