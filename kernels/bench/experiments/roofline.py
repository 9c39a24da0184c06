"""The device's roofline, from measured ceilings, and the encoder's work as points under it.

Ceilings: a large matrix product (cuBLAS), multiply-adds in registers, and torch.add over
tensors far larger than the caches. Points: the chain's stages as separate kernels, the fused
chain, and the encoder's matrix products. All are timed in the same rounds.
"""

from kernels.bench.experiments.encoder_products import encoder_products, padded
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.bench.protocol import PRESETS
from kernels.lab.experiment import Asked

PRESET = PRESETS["whisper-large"]
PEAK_SIDE = 4096
TURNS = 128
PROGRAMS_A_MULTIPROCESSOR = 64
CAP = 1e-2
CAP_OF_TURNS = 1e-4
PAUSE_SECONDS = 0.02
"""After each round: matrix products without a pause draw so much power that the GPU holds its
clocks back."""


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import roofline_cpu

        roofline_cpu.run(asked)
        return
    bench = GpuBench(asked, steps=5)
    from kernels.bench.experiments.roofline_chain import chain_points

    bench.limit(PRESET.rows * PRESET.features, bench.torch.bfloat16)
    bench.step("machine's limit timed")
    timings = [_matmul_ceiling(bench), _arithmetic_ceiling(bench), _launch(bench)]
    bench.step("ceilings ready")
    timings += chain_points(bench, PRESET.rows, PRESET.features)
    bench.step("chain checked")
    timings += encoder_products(bench, PRESET.batch, PRESET.frames, PRESET.features)
    bench.step("matrix products checked")
    bench.pause_seconds = PAUSE_SECONDS
    bench.measure(timings)
    bench.step("timed")
    shape = {"rows": PRESET.rows, "features": PRESET.features}
    frames = padded(PRESET.frames)
    note = (
        f"QKᵀ is of {frames:,} frames, padded from {PRESET.frames:,}: rows of scores that begin "
        "off 16 bytes would put cuBLAS on a slower path."
    )
    bench.finish(
        [note], **shape, pause_seconds=PAUSE_SECONDS, peak_matmul=f"{PEAK_SIDE}³ in bfloat16"
    )


def _matmul_ceiling(bench: GpuBench) -> Timing:
    """A square product, checked on its first rows."""
    torch = bench.torch
    left, right = _normal(bench, PEAK_SIDE, PEAK_SIDE), _normal(bench, PEAK_SIDE, PEAK_SIDE)
    out = torch.empty_like(left)
    torch.mm(left, right, out=out)
    few = slice(0, 64)
    bench.check("peak_matmul", "product", out[few], left[few].double() @ right.double(), CAP)
    facts = {"flops": 2 * PEAK_SIDE**3, "bytes": 3 * left.nbytes}
    return Timing("peak_matmul", [lambda: (torch.mm(left, right, out=out),)], facts=facts)


def _arithmetic_ceiling(bench: GpuBench) -> Timing:
    from kernels.bench.experiments import multiply_adds

    programs = bench.facts["multiprocessors"] * PROGRAMS_A_MULTIPROCESSOR
    x = bench.torch.randn(programs * multiply_adds.BLOCK, device="cuda")
    y = bench.torch.empty_like(x)
    found = multiply_adds.start(x, y, TURNS)
    bench.check("peak_fma", "value", found, multiply_adds.exact(x, TURNS), CAP_OF_TURNS)
    facts = {"flops": multiply_adds.flops(x.numel(), TURNS), "bytes": 2 * x.nbytes}
    return Timing("peak_fma", [lambda: (multiply_adds.start(x, y, TURNS),)], facts=facts)


def _launch(bench: GpuBench) -> Timing:
    """The least that a kernel takes: one element."""
    one, other = (bench.torch.randn(1, device="cuda") for _ in range(2))
    return Timing("launch", [lambda: (bench.torch.add(one, one, out=other),)])


def _normal(bench: GpuBench, *shape: int):
    return bench.torch.randn(*shape, device="cuda", dtype=bench.torch.bfloat16)
