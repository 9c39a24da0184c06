"""On a processor: activation(x) + r by blocks that stay in the cache, for each activation.

Memory carries the same for all, two reads and one write, and only the arithmetic differs.
"""

from collections.abc import Callable

from kernels.bench.cpu_chains import BLOCK_BYTES
from kernels.bench.cpu_harness import CpuBench
from kernels.bench.harness import Timing
from kernels.lab.experiment import Asked

ELEMENTS = 1 << 24
CAP = 1e-6
ACTIVATIONS = ("identity", "relu", "silu", "gelu_tanh", "erf")


def run(asked: Asked) -> None:
    """Print the events of one run."""
    bench = CpuBench(asked, steps=len(ACTIVATIONS) + 2)
    torch = bench.torch
    x, residual, y = (torch.randn(ELEMENTS) for _ in range(3))
    bench.step("inputs drawn")
    timings = []
    for name in ACTIVATIONS:
        call = _blocks(torch, name, x, residual, y)
        call()
        bench.check("plain", f"y, {name}", y, _exact(torch, name, x) + residual.double(), CAP)
        facts = {"bytes": 3 * x.nbytes, "elements": ELEMENTS}
        timings.append(Timing("plain", [call], {"activation": name, "dtype": "fp32"}, facts))
        bench.step(f"{name} checked")
    bench.measure_beside_limit(timings, ELEMENTS)
    bench.step("timed")
    bench.finish(block_bytes=BLOCK_BYTES, tensor_bytes=x.nbytes)


def _blocks(torch, name: str, x, residual, y) -> Callable[[], tuple]:
    """y = activation(x) + residual, block by block, through one buffer."""
    block = BLOCK_BYTES // x.element_size()
    h = torch.empty(block)
    steps = list(zip(*(tensor.split(block) for tensor in (x, residual, y)), strict=True))
    activate = _activation(torch, name)

    def all_blocks() -> tuple:
        for part, rest, out in steps:
            source = part if activate is None else activate(part, h[: len(part)])
            torch.add(source, rest, out=out)
        return (y,)

    return all_blocks


def _activation(torch, name: str) -> Callable | None:
    aten = torch.ops.aten
    return {
        "identity": None,
        "relu": lambda x, out: torch.clamp(x, min=0.0, out=out),
        "silu": lambda x, out: aten.silu.out(x, out=out),
        "gelu_tanh": lambda x, out: aten.gelu.out(x, approximate="tanh", out=out),
        "erf": lambda x, out: aten.gelu.out(x, out=out),
    }[name]


def _exact(torch, name: str, x):
    functions = torch.nn.functional
    x = x.double()
    return {
        "identity": lambda: x,
        "relu": lambda: functions.relu(x),
        "silu": lambda: functions.silu(x),
        "gelu_tanh": lambda: functions.gelu(x, approximate="tanh"),
        "erf": lambda: functions.gelu(x),
    }[name]()
