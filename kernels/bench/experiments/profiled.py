"""What Nsight Compute counts of every variant: executed arithmetic, and bytes at the memory.

`counted` starts this file as a program of its own under `ncu`, where that is on the PATH and
permitted. A spinning kernel before each call parts the list of kernels into variants.
"""

import csv
import shutil
import subprocess
import sys
from collections.abc import Iterable

DIRECTIONS = ("forward", "backward")
VARIANTS = ("separate", "eager", "compiled", "fused")
SECONDS = 90
MARKER = "spin_kernel"

ARITHMETIC = {
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": 1,
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 2,
}
MEMORY = ("dram__bytes_read.sum", "dram__bytes_write.sum")

Counts = dict[tuple[str, str], dict[str, float]]


def counted(dtype: str) -> Counts:
    """{(variant, direction): {"flops_profiled", "bytes_profiled"}}; empty where none can be had."""
    ncu = shutil.which("ncu")
    if ncu is None:
        return {}
    command = [
        ncu, "--target-processes", "application-only", "--profile-from-start", "off",
        "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
        "--metrics", ",".join((*ARITHMETIC, *MEMORY)),
        sys.executable, "-m", "kernels.bench.experiments.profiled", dtype,
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
        return parse(done.stdout.splitlines())
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, StopIteration):
        return {}


def parse(lines: Iterable[str]) -> Counts:
    """The counts in ncu's CSV: rows of kernels, a marker before each variant and direction."""
    table = [line for line in lines if line.startswith('"')]
    order = iter([(variant, d) for variant in VARIANTS for d in DIRECTIONS])
    found: Counts = {}
    current: dict[str, float] = {}
    for row in csv.DictReader(table):
        if not row["ID"]:  # the row of units
            continue
        if MARKER in row["Kernel Name"]:
            current = found.setdefault(next(order), {"flops_profiled": 0, "bytes_profiled": 0})
            continue
        current["flops_profiled"] += sum(_value(row[n]) * each for n, each in ARITHMETIC.items())
        current["bytes_profiled"] += sum(_value(row[name]) for name in MEMORY)
    return {key: counts for key, counts in found.items() if counts["bytes_profiled"]}


def _value(text: str) -> float:
    return float(text.replace(",", ""))


def main(dtype: str) -> None:
    """Run every variant once each way between profiler marks, after it was compiled."""
    import torch

    from kernels.bench import variants
    from kernels.bench.protocol import from_preset

    request = from_preset("whisper-large", dtype=dtype)
    inputs = variants.draw(request, 0)
    stream = torch.cuda.current_stream()
    chains = variants.chains(request)
    calls = [
        variants.call(chains[name], inputs, direction, stream)
        for name in VARIANTS
        for direction in DIRECTIONS
    ]
    for call in calls:
        call()
    torch.cuda.synchronize()
    torch.cuda.profiler.start()
    for call in calls:
        torch.cuda._sleep(1)
        call()
    torch.cuda.synchronize()
    torch.cuda.profiler.stop()


if __name__ == "__main__":
    main(sys.argv[1])
