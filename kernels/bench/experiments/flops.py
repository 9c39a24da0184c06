"""FLOPs, bytes and time of every variant, forward and backward.

FLOPs are counted from the formulas (kernels/arithmetic.py) and again in the machine code of
the fused and the separate kernels; at full length a profiler counts those of all, where one
is at hand.
"""

import logging
import os
from collections.abc import Callable
from dataclasses import replace

from kernels import arithmetic, traffic
from kernels.bench.experiments import profiled
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.bench.protocol import Request, from_preset
from kernels.lab.experiment import Asked

PRESET = "whisper-large"
DIRECTIONS = ("forward", "backward")


def run(asked: Asked) -> None:
    """Print the events of one run."""
    # Compiling in this process: a pool of the compiler's workers takes longer to end than to use.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    bench = GpuBench(asked, steps=9 if asked.quick else 10)
    from kernels.bench import variants
    from kernels.bench.experiments import each
    from kernels.bench.experiments.together import compile_at_once

    request = from_preset(PRESET, dtype=asked.parameters["dtype"])
    chain = traffic.Chain(request.rows, request.features, request.dtype)
    sets = [variants.draw(request, number) for number in range(bench.sets(3 * chain.tensor_bytes))]
    bench.torch.cuda.synchronize()
    bench.step("inputs drawn")
    compile_at_once(each.both(sets[0].leaves[0].detach()))
    bench.step("kernels compiled")
    chains, notes = _checked(bench, request, sets[0])
    bench.limit(chain.elements, variants.DTYPES[request.dtype])
    bench.step("machine's limit timed")
    facts = _facts(bench, chain, sets[0].leaves[0])
    bench.step("arithmetic counted")
    timings = [
        Timing(
            name,
            [variants.call(one, inputs, direction, bench.stream) for inputs in sets],
            {"direction": direction},
            facts(name, direction),
        )
        for direction in DIRECTIONS
        for name, one in chains.items()
    ]
    bench.measure(timings, keep=[t for one in sets for t in (*one.leaves, one.dy)])
    bench.step("timed")
    bench.finish(notes, rows=request.rows, features=request.features, activation="gelu")


def _checked(bench: GpuBench, request: Request, inputs) -> tuple[dict[str, Callable], list[str]]:
    """The variants that run here, each compiled and checked both ways, and what is to be said."""
    from kernels.bench import correct, variants

    whole = replace(request, direction="both")
    chains, notes, outputs = variants.chains(request), [], {}
    for name, chain in list(chains.items()):
        try:
            outputs[name] = variants.call(chain, inputs, "both", bench.stream)()
        except Exception as fault:
            if name != "compiled":
                raise
            del chains[name]
            notes.append(f"torch.compile could not be measured: {type(fault).__name__}.")
            logging.getLogger(__name__).warning("torch.compile failed", exc_info=fault)
        bench.step(f"{name} compiled")
    bench.torch.cuda.synchronize()
    for event in correct.Errors(whole, outputs).of(inputs):
        bench.must_pass(event, when="before")
    return chains, notes


def _facts(bench: GpuBench, chain: traffic.Chain, x) -> Callable[[str, str], dict]:
    """(variant, direction) → bytes and FLOPs, counted and, where that can be done, read."""
    from kernels.bench.experiments.executed import executed
    from kernels.bench.launched import launched
    from kernels.prepared import bits

    chain = launched(chain, x)
    read = executed(x.detach(), chain.activation, bits(x.dtype))
    seen = {} if bench.asked.quick else profiled.counted(chain.dtype)
    if not bench.asked.quick:
        bench.step("profiled" if seen else "no profiler to be had here")

    def facts(name: str, direction: str) -> dict:
        an_element = read.get((name, direction))
        return {
            "elements": chain.elements,
            "bytes": traffic.total_bytes(chain, name, direction),
            "flops": arithmetic.flops(chain, name, direction),
            "flops_executed": None if an_element is None else round(an_element * chain.elements),
            **seen.get((name, direction), {}),
        }

    return facts
