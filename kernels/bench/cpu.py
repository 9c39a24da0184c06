"""The edition for a machine without a GPU: the same lesson by the processor's caches.

*separate* runs each stage over the whole tensors, through memory. *fused* runs
the very same operators over blocks of rows whose intermediates stay in the
cache: it moves through memory what a fused kernel moves, and no compiler is
needed. Every buffer is made beforehand and written with `out=`, so no sample
holds an allocation or a page fault; one thread, so that the block's intermediates
lie in that core's own cache. Float32, forward.

Two chains: the pointwise relu(x·w + b)·0.5 + r (five passes, 11B, against 3B) and
the norm chain (7B against 3B). The gain stays under the ratio of the bytes: a
block's intermediates still cross the core's cache once for each operator, and one
core's arithmetic, above all the exact GELU's, is not hidden behind its memory.
The Triton kernels themselves are checked here in Triton's interpreter, untimed.
"""

import os
import time

from kernels.bench import cpu_chains, cpu_checks, cpu_timing, machine, provenance, summary
from kernels.bench.emit import Progress, emit
from kernels.bench.protocol import SEED, Request
from kernels.lab.measures import compare

MOST_ELEMENTS = 1 << 24
SAMPLES = 15
TRANSFERS = cpu_chains.POINTWISE_TRANSFERS | {"chain_separate": 7, "chain_fused": 3}
FLOPS = {"separate": 5, "fused": 5, "chain_separate": 13, "chain_fused": 13}
"""An element: five operations of the pointwise chain; the chain's as in kernels/arithmetic.py."""


def run(request: Request, samples: int | None) -> None:
    """Print the events of one run on this processor."""
    os.environ.setdefault("TRITON_INTERPRET", "1")
    started = time.monotonic()
    rounds = samples or SAMPLES
    progress = Progress(of=rounds + 3)
    torch = machine.need_torch()
    torch.set_num_threads(1)
    as_run = _as_run(request)
    said = {"at": provenance.now(), "versions": provenance.versions(), "parameters": as_run}
    emit("device", **machine.cpu(torch), **said, experiment="chain")
    calls, limits, tensors = cpu_chains.calls(torch, as_run["rows"], as_run["features"])
    cpu_checks.check(torch, calls, tensors)
    progress.step("results checked")
    checked = cpu_checks.check_kernels(torch)
    progress.step("Triton kernels checked in the interpreter")
    timed = {**limits, **calls}
    taken = cpu_timing.run_rounds(
        list(timed.values()), rounds,
        lambda turn: progress.step("timing" if turn else "warmed up"),
    )  # fmt: skip
    times = dict(zip(timed, taken, strict=True))
    _conclude(
        times, tensors["x"].nbytes, tensors["x"].numel(), started, [checked, *_notes(request)]
    )


def _as_run(request: Request) -> dict:
    """What is run in the place of the request: what a processor shows the lesson with."""
    rows = max(1, min(request.rows, MOST_ELEMENTS // request.features))
    return {
        "rows": rows, "features": request.features, "dtype": "fp32", "norm": "layer",
        "activation": "gelu", "direction": "forward", "device": "cpu", "preset": request.preset,
    }  # fmt: skip


def _conclude(
    times: dict, tensor_bytes: int, elements: int, started: float, notes: list[str]
) -> None:
    limit = summary.chain_limit(times, tensor_bytes)
    emit("limit", **limit)
    results = [
        summary.result(
            name, times[name], transfers * tensor_bytes, FLOPS[name] * elements,
            limit["add_gb_per_s"], launches=None, host_us=None, peak_memory_bytes=None,
        )
        for name, transfers in TRANSFERS.items()
    ]  # fmt: skip
    for result in results:
        emit("result", **result)
    compared = _comparisons(times)
    first = compared[0]
    emit(
        "summary", **{name: first[name] for name in ("speedup", "low", "high")},
        predicted_speedup=first["predicted_speedup"], card_speedup=10 / 2,
        comparisons=compared, formulas=summary.FORMULAS, notes=notes,
        suspect=summary.suspects(results, *compared), method=_method(limit["n"]),
        state={}, seconds=round(time.monotonic() - started, 1),
    )  # fmt: skip


def _comparisons(times: dict) -> list[dict]:
    pointwise = {"predicted_speedup": round(11 / 3, 4), "chain": "relu(x·w + b)·0.5 + r"}
    chain = {"predicted_speedup": round(7 / 3, 4), "chain": "layer norm → gelu → + r"}
    return [
        compare("separate", "fused", times) | pointwise,
        compare("chain_separate", "chain_fused", times) | chain,
    ]


def _notes(request: Request) -> list[str]:
    said = [
        "No GPU: this is the processor, one thread, float32, forward, "
        "on at most 16.8 million elements.",
        "The headline is the pointwise chain. Its intermediates no longer go to memory, but they "
        "still cross the core's cache, so the gain stays under the ratio of the bytes.",
        "In the norm chain the exact GELU's arithmetic is a part of the time that no fusion saves.",
    ]
    if (request.dtype, request.direction) != ("fp32", "forward"):
        said.append(f"Asked for {request.dtype} {request.direction}: that needs a GPU.")
    return said


def _method(rounds: int) -> dict:
    return {
        **cpu_timing.method(rounds, "variants"),
        "buffers": "made beforehand and reused; every operator writes into one (out=)",
        "block_bytes": cpu_chains.BLOCK_BYTES,
        "inputs": "normal, from a fixed seed",
        "seed": SEED,
    }
