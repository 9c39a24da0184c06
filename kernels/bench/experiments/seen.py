"""What the profiler sees of a CUDA graph's replays: each kernel's name and time."""

import re
import warnings
from collections import Counter
from collections.abc import Sequence
from statistics import median

CHAIN = frozenset((
    "chain_forward", "chain_backward", "sum_partials", "activation_forward",
    "activation_backward", "add_forward",
))  # fmt: skip
"""The kernels of the fused and the separate chain, by their names."""

PARTS = (
    ("optimizer", r"adam|multi_tensor"),
    ("depthwise convolution", r"^convolve|^sum_products"),
    ("attention", r"flash|fmha|attention|sdp"),
    ("matrix products", r"gemm|nvjet|cutlass|cublas|wgmma|splitK"),
    ("PyTorch's norms", r"layer_?norm|GammaBeta"),
    ("sums", r"reduce_kernel"),
)
"""Other parts of a step, by what their kernels' names contain; the first that fits."""

Replay = list[tuple[str, float]]


def replays(torch, graph, count: int) -> list[Replay]:
    """For each of `count` replays its kernels, (name, µs); none where the profiler sees nothing."""
    from torch.profiler import ProfilerActivity, profile

    torch.cuda.synchronize()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with profile(activities=[ProfilerActivity.CUDA]) as watch:
                for _ in range(count):
                    graph.replay()
                torch.cuda.synchronize()
    except RuntimeError:
        return []
    on_gpu = torch.autograd.DeviceType.CUDA
    found = sorted((e.time_range.start, e.name, e.time_range.elapsed_us())
                   for e in watch.events() if e.device_type == on_gpu)  # fmt: skip
    return split([(name, time) for _, name, time in found], count)


def split(kernels: Replay, count: int) -> list[Replay]:
    """The kernels of `count` like replays, one list each; none where there are none.

    What was not seen equally often in each replay is none of theirs: the profiler's own work.
    """
    often = Counter(name for name, _ in kernels)
    whole = [kernel for kernel in kernels if often[kernel[0]] % count == 0]
    each = len(whole) // count
    return [whole[i * each : (i + 1) * each] for i in range(count)] if each else []


def parts(seen: Sequence[Replay]) -> dict[str, float]:
    """{part: µs a replay}, the median over the replays: the chain, and the rest by their names."""
    sums = [_sums(one) for one in seen]
    names = {name for one in sums for name in one}
    return {name: round(median(one.get(name, 0.0) for one in sums), 1) for name in sorted(names)}


def part(kernel: str) -> str:
    """Which part of a step a kernel belongs to, by its name."""
    if kernel in CHAIN:
        return "chain"
    fits = (name for name, pattern in PARTS if re.search(pattern, kernel, re.IGNORECASE))
    return next(fits, "other element by element work")


def _sums(replay: Replay) -> dict[str, float]:
    found: dict[str, float] = {}
    for kernel, time in replay:
        found[part(kernel)] = found.get(part(kernel), 0.0) + time
    return found
