"""Variants of the chain timed against each other and against torch.add, case by case.

By kernels/bench/timing.py's method: one call to a CUDA graph, cold, interleaved.
A variant whose outputs fail the check against float64 is left out, with a warning.
"""

import gc
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

import torch

from kernels import fused_chain
from kernels.bench import timing, variants
from kernels.bench.bars import Measured
from kernels.bench.cases import MODES
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
    return variants.chains(request, {mode: mode for mode in MODES})


def race(
    request: Request, entrants: dict[str, Callable], l2_bytes: int, check: bool = True
) -> Measured:
    """Time the entrants in the request's direction, the limit beside them."""
    sets, stream = drawn(request, l2_bytes)
    timed = [
        timing.Timed(name, [variants.call(chain, one, request.direction, stream) for one in sets])
        for name, chain in entrants.items()
    ]
    us = times(timed, sets, stream)
    error = checked(request, timed, sets[0], us) if check else None
    del timed, sets
    free()
    return Measured(request, us, error)


def drawn(request: Request, l2_bytes: int) -> tuple[list[variants.Inputs], "torch.cuda.Stream"]:
    """As many sets of inputs as make the calls cold, and the stream to time them on."""
    bytes_a_set = 3 * request.rows * request.features * variants.DTYPES[request.dtype].itemsize
    count = timing.sets_needed(bytes_a_set, l2_bytes)
    sets = [variants.draw(request, number) for number in range(count)]
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    return sets, stream


def times(
    timed: Sequence[timing.Timed], sets: Sequence[variants.Inputs], stream: "torch.cuda.Stream"
) -> dict[str, float]:
    """Median microseconds of each and of "add", the limit, which runs among them."""
    add = timing.Timed("add", [variants.limit_calls(one)["add"] for one in sets])
    together = [add, *timed]
    for one in together:
        timing.capture(one, stream)
    timing.poison(together, keep=[t for one in sets for t in (*one.leaves, one.dy)])
    timing.run_rounds(together, ROUNDS, warm_up=WARM_UP_SECONDS)
    return {one.name: median(one.samples_us) for one in together}


def checked(
    request: Request,
    timed: Sequence[timing.Timed],
    inputs: variants.Inputs,
    us: dict[str, float],
) -> float:
    """Fused's largest error; a variant with a wrong result loses its time."""
    events = Errors(request, {one.name: one.outputs[0] for one in timed}).of(inputs)
    keep_right(events, us)
    errors = [event["error"] for event in events if event["variant"] == "fused"]
    return max(float("inf") if error is None else error for error in errors)


def keep_right(events: Iterable[Mapping], us: dict[str, float]) -> None:
    """Take the time from each variant of which a check was not passed, with a warning."""
    for event in events:
        if not event["passed"]:
            log.warning("%s: wrong %s, %s", event["variant"], event["quantity"], event["error"])
            us.pop(event["variant"], None)


def prepare(request: Request, entrants: dict[str, Callable]) -> dict[str, float]:
    """Call each entrant once in the request's direction, which compiles it; keep no result.

    Returns the seconds that each took; one that fails is no entrant any more.
    """
    inputs = variants.draw(request, 0)
    stream = torch.cuda.current_stream()
    spent = {}
    for name in list(entrants):
        start = time.monotonic()
        try:
            variants.call(entrants[name], inputs, request.direction, stream)()
            torch.cuda.synchronize()
        except Exception:
            log.warning("%s can't be prepared for %s", name, request, exc_info=True)
            del entrants[name]
        spent[name] = time.monotonic() - start
        free()  # many processes share the GPU's memory meanwhile
    del inputs
    free()
    return spent


def free() -> None:
    """Give the memory of what is no longer held back to the device."""
    gc.collect()
    torch.cuda.empty_cache()
