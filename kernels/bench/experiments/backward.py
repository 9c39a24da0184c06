"""Forward and backward of the chain, with neither, one or both halves in one pass."""

from functools import partial

from kernels import traffic
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.bench.protocol import SEED, Request, from_preset
from kernels.lab.experiment import Asked

COMBINATIONS = {
    "neither": (False, False),
    "forward": (True, False),
    "backward": (False, True),
    "both": (True, True),
}


def run(asked: Asked) -> None:
    """Print the events of one run."""
    bench = GpuBench(asked, steps=len(COMBINATIONS) + 4)
    from kernels.bench import variants
    from kernels.bench.experiments import each
    from kernels.bench.experiments.together import compile_at_once

    chosen = {name: asked.parameters[name] for name in ("preset", "dtype")}
    request = from_preset(chosen["preset"], dtype=chosen["dtype"], direction="both")
    tensor_bytes = traffic.ITEMSIZE[request.dtype] * request.rows * request.features
    sets = [variants.draw(request, number) for number in range(bench.sets(3 * tensor_bytes))]
    bench.stream.wait_stream(bench.torch.cuda.current_stream())
    bench.step("inputs drawn")
    compile_at_once(each.both(sets[0].leaves[0].detach()))
    bench.step("kernels compiled")
    bench.limit(request.rows * request.features, variants.DTYPES[request.dtype])
    bench.free()
    bench.step("machine's limit timed")
    timings = []
    for name in COMBINATIONS:
        timings.append(_prepared(bench, request, name, sets))
        bench.step(f"{name} ready")
    bench.measure(timings, keep=[t for one in sets for t in (*one.leaves, one.dy)])
    bench.step("timed")
    bench.finish(rows=request.rows, features=request.features, seed=SEED)


def _both(fused: tuple[bool, bool], x, residual, weight, bias, dy) -> tuple:
    """What is timed: y and all gradients."""
    import torch

    from kernels.bench.experiments.halves import Halves

    leaves = (x, residual, weight, bias)
    y = Halves.apply(*leaves, *fused)
    return (y.detach(), *torch.autograd.grad(y, leaves, dy))


def _prepared(bench: GpuBench, request: Request, name: str, sets) -> Timing:
    """One combination: checked, its bytes and its memory counted."""
    from kernels.bench.correct import Errors
    from kernels.bench.experiments.halves import Halves, saved_bytes
    from kernels.bench.one_call import peak_bytes

    fused = COMBINATIONS[name]
    calls = [partial(_both, fused, *one.leaves, one.dy) for one in sets]
    for found in Errors(request, {name: calls[0]()}).of(sets[0]):
        bench.must_pass(found)
    facts = {
        **counted(_chain(request, sets[0].leaves[0]), name),
        "saved_bytes": saved_bytes(lambda: Halves.apply(*sets[0].leaves, *fused)),
        "peak_memory_bytes": peak_bytes(calls[0]),
    }
    return Timing(name, calls, facts=facts)


def _chain(request: Request, x) -> traffic.Chain:
    from kernels.bench.launched import launched

    return launched(traffic.Chain(request.rows, request.features, request.dtype), x)


def counted(chain: traffic.Chain, name: str) -> dict[str, int]:
    """Bytes that a combination moves, forward and backward; h worked out again is backward."""
    ways = ["fused" if fused else "separate" for fused in COMBINATIONS[name]]
    forward, backward = (
        traffic.total_bytes(chain, way, direction)
        for way, direction in zip(ways, ("forward", "backward"), strict=True)
    )
    if COMBINATIONS[name] == (True, False):
        backward += traffic.ledger(chain, "separate", "forward")[0].bytes
    return {
        "bytes": forward + backward,
        "forward_bytes": forward,
        "backward_bytes": backward,
    }
