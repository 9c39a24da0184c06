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
import random
import time
from collections.abc import Callable
from statistics import median

from kernels.bench import cpu_chains, machine, summary
from kernels.bench.emit import Failure, Progress, emit
from kernels.bench.protocol import Request
from kernels.lab.measures import compare

MOST_ELEMENTS = 1 << 24
SAMPLES = 15
CAP = 1e-5
TRANSFERS = {"separate": 11, "fused": 3, "chain_separate": 7, "chain_fused": 3}
FLOPS = {"separate": 5, "fused": 5, "chain_separate": 13, "chain_fused": 13}
"""An element: five operations of the pointwise chain; the chain's as in kernels/traffic.py."""


def run(request: Request, samples: int | None) -> None:
    """Print the events of one run on this processor."""
    os.environ.setdefault("TRITON_INTERPRET", "1")
    started = time.monotonic()
    rounds = samples or SAMPLES
    progress = Progress(of=rounds + 3)
    torch = machine.need_torch()
    torch.set_num_threads(1)
    as_run = _as_run(request)
    said = {"at": machine.now(), "versions": machine.versions(), "parameters": as_run}
    emit("device", **machine.cpu(torch), **said, experiment="chain")
    calls, limits, tensors = cpu_chains.calls(torch, as_run["rows"], as_run["features"])
    _check(torch, calls, tensors)
    progress.step("results checked")
    checked = _check_kernels(torch)
    progress.step("Triton kernels checked in the interpreter")
    times = _rounds({**limits, **calls}, rounds, progress)
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


def _check(torch, calls: dict, tensors: dict) -> None:
    """Every variant against float64 on up to 512 rows, its output poisoned before."""
    x, residual = (tensors[name][:512].double() for name in ("x", "residual"))
    weight, bias = tensors["weight"].double(), tensors["bias"].double()
    h = torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, cpu_chains.EPS)
    exact = {
        "pointwise": torch.relu(x * weight + bias) * 0.5 + residual,
        "chain": torch.nn.functional.gelu(h) + residual,
    }
    for name, call in calls.items():
        which = "chain" if name.startswith("chain_") else "pointwise"
        tensors[which].fill_(float("nan"))
        call()
        _report(name, tensors[which][:512], exact[which])
        if not bool(torch.isfinite(tensors[which]).all()):
            raise Failure("wrong_result", f"{name} left a part of its output unwritten.")


def _report(variant: str, found, exact, cap: float = CAP) -> None:
    from kernels.reference import error

    off = error(found, exact)
    passed = off <= cap
    emit(
        "check", variant=variant, quantity="y", error=off if off == off else None, cap=cap,
        passed=passed, when="before",
    )  # fmt: skip
    if not passed:
        raise Failure("wrong_result", f"{variant} is off by {off}; the cap is {cap}.")


def _check_kernels(torch) -> str:
    """The Triton kernels on a tiny shape, in the interpreter: indexing and masks, untimed.

    Says in a sentence what was done. The interpreter of some versions of Triton breaks
    over newer versions of NumPy; that is no fault of what is timed.
    """
    if not machine.has_triton():
        return "Triton is not installed here, so its kernels were neither checked nor timed."
    from triton.runtime.errors import InterpreterError

    from kernels import fused_chain, separate_chain
    from kernels.reference import exact_chain

    inputs = [torch.randn(*shape) for shape in ((5, 40), (5, 40), (40,), (40,))]
    try:
        found = [(chain.__name__, chain(*inputs)) for chain in (fused_chain, separate_chain)]
    except InterpreterError as fault:
        return f"Triton's interpreter does not run here, so its kernels were not checked: {fault}."
    for name, y in found:
        _report(f"triton_{name.removesuffix('_chain')}", y, exact_chain(*inputs))
    return "The Triton kernels were checked in Triton's interpreter and not timed."


def _rounds(calls: dict[str, Callable], rounds: int, progress: Progress) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds + 1):
        for name in random.Random(turn).sample(list(calls), len(calls)):
            start = time.perf_counter()
            calls[name]()
            times[name].append((time.perf_counter() - start) * 1e6)
        progress.step("timing" if turn else "warmed up")
    return {name: samples[1:] for name, samples in times.items()}


def _conclude(
    times: dict, tensor_bytes: int, elements: int, started: float, notes: list[str]
) -> None:
    copy, add = median(times["copy"]), median(times["add"])
    limit = summary.rate(3 * tensor_bytes, add)
    emit(
        "limit", copy_gb_per_s=summary.rate(2 * tensor_bytes, copy), add_gb_per_s=limit,
        copy_us=round(copy, 3), add_us=round(add, 3), n=len(times["add"]),
    )  # fmt: skip
    results = [
        summary.result(
            name, times[name], transfers * tensor_bytes, FLOPS[name] * elements, limit,
            launches=None, host_us=None, peak_memory_bytes=None,
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
        suspect=summary.suspects(results, *compared), method=_method(len(times["add"])),
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
        "timer": "time.perf_counter around one call", "statistic": "median, with p10 and p90",
        "repetitions": rounds, "warm_up": "one round, discarded", "threads": 1,
        "order": "all variants once a round, shuffled anew each round",
        "buffers": "made beforehand and reused; every operator writes into one (out=)",
        "block_bytes": cpu_chains.BLOCK_BYTES,
        "inputs": "normal, from a fixed seed", "seed": cpu_chains.SEED,
    }  # fmt: skip
