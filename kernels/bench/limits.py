"""How near the kernels come to the machine's limit: one table, with its bars.

A share is the fused chain's 3B over its time, as a part of the rate of
torch.add(x, r, out=y) on the same tensors in the same run; the backward's time
holds the sum of dweight and dbias. Beside it how many times faster than the
others the fused chain is, and its error against float64. A bar missed is marked
and makes the exit code 1.
"""

import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass

from kernels.bench import gpu, machine
from kernels.bench.emit import Failure
from kernels.bench.protocol import Request
from kernels.bench.warm import warm

SHAPES = ((48_000, 1280), (47_968, 1024), (256_000, 512), (32_000, 768), (16_384, 4096),
          (16_384, 8192), (8192, 16_384), (4096, 32_768))  # fmt: skip
BARS = {
    # features: (bf16 forward, bf16 backward)
    1280: (0.95, 0.88),
    1024: (0.96, 0.90),
    512: (0.96, 0.90),
    768: (0.95, 0.88),
    4096: (0.95, 0.85),
    8192: (0.93, 0.80),
    16_384: (0.80, 0.65),
    32_768: (0.80, 0.65),
}
FP32_BARS = (0.97, 0.90)
LONG_ROW = 8192  # features past which fp32 has the bars of bf16
PEERS = ("separate", "eager", "compiled")


@dataclass(frozen=True, slots=True)
class Line:
    """One measured case against its bar."""

    request: Request
    microseconds: float
    share: float
    bar: float
    faster_than: dict[str, float]
    error: float

    @property
    def reached(self) -> bool:
        """Whether the share is at or over its bar."""
        return self.share >= self.bar

    def __str__(self) -> str:
        r = self.request
        peers = "  ".join(f"{self.faster_than.get(name, float('nan')):8.2f}" for name in PEERS)
        verdict = "" if self.reached else "  missed"
        return (
            f"{r.rows:>6}×{r.features:<6} {r.dtype:<5} {r.direction:<9}{self.microseconds:9.1f}"
            f"{self.share:8.3f}{self.bar:7.2f}  {peers}  {self.error:9.1e}{verdict}"
        )


HEAD = (
    f"{'shape':<14}{'dtype':<5} {'direction':<9}{'µs':>9}{'share':>8}{'bar':>7}  "
    + "  ".join(f"{'× ' + name[:6]:>8}" for name in PEERS)
    + f"  {'error':>9}"
)


def requests() -> list[Request]:
    """Every case of the table."""
    return [
        Request(rows, features, dtype=dtype, direction=direction).checked()
        for rows, features in SHAPES
        for dtype in ("bf16", "fp32")
        for direction in ("forward", "backward")
    ]


def bar_of(request: Request) -> float:
    """The least share that the case must reach."""
    bars = BARS[request.features]
    if request.dtype == "fp32" and request.features <= LONG_ROW:
        bars = FP32_BARS
    return bars[request.direction == "backward"]


def line_of(request: Request, events: list[dict]) -> Line:
    """What a run's events say of the fused chain."""
    results = {event["variant"]: event for event in events if event["event"] == "result"}
    fused = results["fused"]
    add = next(event["add_us"] for event in events if event["event"] == "limit")
    checks = [e for e in events if e["event"] == "check" and e["variant"] == "fused"]
    return Line(
        request, fused["median_us"], add / fused["median_us"], bar_of(request),
        {n: results[n]["median_us"] / fused["median_us"] for n in PEERS if n in results},
        max(event["error"] for event in checks),
    )  # fmt: skip


def measured() -> Iterator[Line]:
    """Run the cases, one after another."""
    for request in requests():
        said = io.StringIO()
        with redirect_stdout(said):
            gpu.run(request, samples=None)
        yield line_of(request, [json.loads(text) for text in said.getvalue().splitlines()])


def run() -> None:
    """Print the table; Failure where a bar is missed."""
    torch = machine.need_gpu()
    versions = machine.versions()
    print(f"# {machine.gpu(torch)['name']}, torch {versions['torch']}, Triton {versions['triton']}")
    print(f"# {machine.now()}, kernels {versions['kernels_sha256'][:12]}")
    warm(requests())
    print(HEAD, flush=True)
    missed = 0
    for line in measured():
        print(line, flush=True)
        missed += not line.reached
    if missed:
        raise Failure("bar_missed", f"{missed} of {len(requests())} shares are under their bars.")
