"""The chain's forward under each activation, in bf16 and fp32: rate and instructions.

Two kernels: the fused one, tuned, and a plain one, one program a row, in which nothing but
the activation differs between "identity", "gelu" (from the normal tail) and "erf" (the
library's). Tensors of both dtypes have the same bytes.
"""

from functools import partial

from kernels.bench.gpu_harness import GpuBench
from kernels.lab.experiment import Asked

FEATURES = 1024
TENSOR_BYTES = 47_968 * FEATURES * 2
BITS = {"bf16": 8, "fp32": 24}
FUSED = ("identity", "relu", "silu", "gelu_tanh", "gelu")
PLAIN = ("identity", "gelu", "erf")


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import activation_cpu

        activation_cpu.run(asked)
        return
    bench = GpuBench(asked, steps=len(BITS) * (len(FUSED) + len(PLAIN)) + 5)
    from kernels.bench.experiments.activation_cases import cases_of
    from kernels.bench.experiments.clocks import LANES_A_CLOCK, clock_hz
    from kernels.bench.experiments.together import compile_at_once, together

    cases = [case for dtype in BITS for case in cases_of(bench, dtype)]
    bench.step("inputs drawn")
    compile_at_once([partial(case.call, case.sets[0]) for case in cases])
    bench.step("kernels compiled")
    for case in cases:
        case.check(bench)
        bench.step(f"{case.variant} {case.activation} {case.dtype} checked")
    prepared = together([partial(case.timing, case.compiled()) for case in cases])
    bench.step("instructions counted")
    issue = bench.facts["multiprocessors"] * LANES_A_CLOCK * clock_hz(bench.torch)
    bench.limit(TENSOR_BYTES // 2, bench.torch.bfloat16, issued_per_s=issue)
    bench.step("machine's limit timed")
    bench.measure(prepared)
    bench.step("timed")
    clock = issue / bench.facts["multiprocessors"] / LANES_A_CLOCK
    bench.finish(tensor_bytes=TENSOR_BYTES, features=FEATURES, clock_hz=clock)
