"""A step that waits for its input, before and after its chain is fused; and one that does not wait.

The input comes at a half or less of the rate at which the device could take it with the chain
separate. Each step's time on the clock and the device's time within it are read, in blocks of
steps, by turns separate and fused, starved and ready.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from kernels.bench.harness import Bench
from kernels.lab.experiment import Asked

BLOCK = 6
QUICK_BLOCKS, FULL_BLOCKS = 6, 16
WARM_UP = 10

METHOD = {
    "order": "blocks of steps, all ways once a round, shuffled anew each round",
    "warm_up": f"{WARM_UP} steps of each way, and the first of each block",
    "poisoned": "no: every step is checked before it is timed",
    "inputs": "8-bit values, widened, scaled and masked for each batch, from a fixed seed",
}

Step = Callable[[object], float]


def run(asked: Asked) -> None:
    """Print the events of one run."""
    blocks = QUICK_BLOCKS if asked.quick else FULL_BLOCKS
    if asked.device == "cpu":
        from kernels.bench.cpu_harness import CpuBench
        from kernels.bench.experiments import idle_cpu as edition

        bench: Bench = CpuBench(asked, steps=blocks + 3)
    else:
        from kernels.bench.experiments import idle_gpu as edition
        from kernels.bench.gpu_harness import GpuBench

        bench = GpuBench(asked, steps=blocks + 3)
    bench.step("PyTorch loaded")
    steps, decoder = edition.prepared(bench)
    bench.step("steps are right")
    _measure(bench, steps, decoder, blocks, edition)


def _measure(bench: Bench, steps: dict[str, Step], decoder, blocks: int, edition) -> None:
    from kernels.bench.experiments.feeding import Ready, Starved

    batch = decoder.make(0)
    alone = [median(step(batch) for _ in range(WARM_UP)) for step in steps.values()]
    period = edition.PACE * max(alone) / 1e6
    bench.step("device's time measured")
    sources = {
        "starved": partial(Starved, decoder.make, period),
        "ready": partial(Ready, decoder.make),
    }
    pace = {
        "period_us": round(period * 1e6, 1),
        "decoding_us": round(decoder.seconds() * 1e6, 1),
    }
    taken = _by_turns(bench, steps, sources, blocks)
    for (chain, fed), pairs in taken.items():
        walls, devices = zip(*pairs, strict=True)
        facts = {"busy": round(sum(devices) / sum(walls), 4), **(pace if fed == "starved" else {})}
        at = {"chain": chain, "fed": fed}
        bench.result("step", walls, {**at, "clock": "wall"}, facts)
        bench.result("step", devices, {**at, "clock": "device"})
    counts = {"steps_a_block": BLOCK, "blocks": blocks, "repetitions": BLOCK * blocks}
    bench.finish(**pace, **counts, **METHOD, **edition.METHOD)


def _by_turns(
    bench: Bench, steps: dict[str, Step], sources: dict[str, Callable], blocks: int
) -> dict[tuple[str, str], list[tuple[float, float]]]:
    """{(chain, fed): [(µs on the clock, µs of the device)]}, all in each round, shuffled."""
    from kernels.bench.experiments.feeding import fed

    cases: Sequence[tuple[str, str]] = [(chain, name) for chain in steps for name in sources]
    taken: dict[tuple[str, str], list[tuple[float, float]]] = {case: [] for case in cases}
    for turn in range(blocks):
        for chain, name in random.Random(turn).sample(cases, len(cases)):
            taken[chain, name] += fed(steps[chain], sources[name](), BLOCK)
        bench.step(f"block {turn + 1} of {blocks}")
    return taken
