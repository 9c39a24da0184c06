"""The device's roofline, from measured ceilings, and the encoder's work as points under it.

Ceilings: a large matrix product (cuBLAS), multiply-adds in registers, and torch.add over
tensors far larger than the caches. Points: the chain's stages as separate kernels, the fused
chain, and the encoder's matrix products. All are timed in the same rounds.
"""

from collections.abc import Callable

from kernels import traffic
from kernels.bench.experiments.encoder_products import encoder_products, padded
from kernels.bench.experiments.stages import counts
from kernels.bench.gpu_harness import GpuBench
from kernels.bench.harness import Timing
from kernels.bench.protocol import PRESETS
from kernels.lab.experiment import Asked

PRESET = PRESETS["whisper-large"]
PEAK_SIDE = 4096
TURNS = 128
PROGRAMS_A_MULTIPROCESSOR = 64
HOW = ("layer", "gelu", 1e-5)
CAP = 1e-2
CAP_OF_TURNS = 1e-4
PAUSE_SECONDS = 0.02
"""After each round: matrix products without a pause draw so much power that the GPU holds its
clocks back."""

CHECKED_ROWS = 2048


def run(asked: Asked) -> None:
    """Print the events of one run."""
    if asked.device == "cpu":
        from kernels.bench.experiments import roofline_cpu

        roofline_cpu.run(asked)
        return
    bench = GpuBench(asked, steps=5)
    bench.limit(PRESET.rows * PRESET.features, bench.torch.bfloat16)
    bench.step("machine's limit timed")
    timings = [_matmul_ceiling(bench), _arithmetic_ceiling(bench), _launch(bench)]
    bench.step("ceilings ready")
    timings += _chain(bench)
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


def _chain(bench: GpuBench) -> list[Timing]:
    """torch.add, the three stages and the fused chain, on every set of inputs."""
    from kernels.bench.experiments import each
    from kernels.bench.experiments.together import compile_at_once

    rows, features = PRESET.rows, PRESET.features
    weight, bias = _normal(bench, features), _normal(bench, features)
    moved = 3 * rows * features * 2
    pairs = [
        [_normal(bench, rows, features) for _ in range(2)] for _ in range(bench.sets(moved))
    ]  # fmt: skip
    compile_at_once(each.forward(pairs[0][0], save=True))
    calls = [_calls(bench.torch, x, residual, weight, bias) for x, residual in pairs]
    _check_chain(bench, calls[0], *pairs[0], weight, bias)
    counted = counts(traffic.Chain(rows, features))
    return [
        Timing(name, [one[name] for one in calls], facts={"bytes": bytes_, "flops": flops})
        for name, (bytes_, flops) in counted.items()
    ]


def _calls(torch, x, residual, weight, bias) -> dict[str, Callable[[], tuple]]:
    from kernels import launch, separate
    from kernels.prepared import bits

    h = launch.forward(x, None, weight, bias, ("layer", "identity", HOW[2]), True)[0]
    y = torch.empty_like(x)
    how = {"ACTIVATION": "gelu", "BITS": bits(x.dtype)}
    run = separate._run
    return {
        "peak_add": lambda: (torch.add(x, residual, out=y),),
        "norm": lambda: launch.forward(
            x, None, weight, bias, ("layer", "identity", HOW[2]), True
        ),
        "activation": lambda: (
            run(separate.activation_forward, (h, torch.empty_like(h)), **how),
        ),
        "add": lambda: (run(separate.add_forward, (x, residual, torch.empty_like(x))),),
        "fused": lambda: launch.forward(x, residual, weight, bias, HOW, True),
    }  # fmt: skip


def _check_chain(bench: GpuBench, calls: dict, x, residual, weight, bias) -> None:
    functions = bench.torch.nn.functional
    few = slice(0, CHECKED_ROWS)
    x, residual = x[few].double(), residual[few].double()
    h = functions.layer_norm(x, x.shape[-1:], weight.double(), bias.double(), HOW[2])
    exact = {
        "norm": h, "activation": functions.gelu(h), "add": x + residual,
        "fused": functions.gelu(h) + residual,
    }  # fmt: skip
    for name, one in exact.items():
        bench.check(name, "result", calls[name]()[0][few], one, CAP)
