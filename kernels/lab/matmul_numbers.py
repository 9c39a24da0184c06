"""The matmuls experiment's numbers: the one kernel against two, and why, at the encoder's size."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.matmul_sizes import counted, limits
from kernels.lab.measures import per_cent, us


def hidden(evidence: Evidence, fused: Case) -> tuple[float, float]:
    """What all bytes of the two products take at the limit, and their FLOPs at the peak, in µs.

    Where the first is the shorter, memory has moved everything before the arithmetic is done.
    """
    count, (peak, limit) = counted(fused), limits(evidence)
    return count.bytes / limit * 1e6, count.flops / peak * 1e6


def numbers(evidence: Evidence, fused: Case, apart: Case) -> tuple[Number, ...]:
    """What was measured and predicted of this size, and what the prediction is made of."""
    count = counted(fused, apart.facts.get("passes", 0))
    slower, again = fused.median_us / apart.median_us, count.flops_fused / count.flops
    share, peak = count.intermediate_share, limits(evidence)[0]
    reached = count.flops_fused / fused.median_us * 1e6
    part, (moving, working) = reached / peak, hidden(evidence, fused)
    return (
        Number(
            "One kernel against two, measured", slower, f"{slower:.2f}×",
            "fused's median ÷ cuBLAS's median",
            f"{us(fused.median_us)} µs ÷ {us(apart.median_us)} µs",
        ),
        _predicted(evidence, fused, apart),
        Number(
            "Arithmetic of the one kernel", again, f"{again:.2f}×",
            "(blocks of columns + 1) ÷ 2, since each block of y's columns needs h",
            f"({count.times_h} + 1) ÷ 2",
        ),
        Number(
            "The intermediate's share of the bytes", 100 * share, per_cent(share),
            "h written and read ÷ all bytes of the products apart",
            f"{count.intermediate_bytes / 1e6:,.0f} MB ÷ {count.bytes / 1e6:,.0f} MB",
        ),
        Number(
            "All bytes of the two products, of their arithmetic's time", 100 * moving / working,
            per_cent(moving / working), "(bytes ÷ limit) ÷ (FLOPs ÷ peak of this run)",
            f"{us(moving)} µs ÷ {us(working)} µs",
        ),
        Number(
            "The one kernel's arithmetic, of the peak", 100 * part, per_cent(part),
            "(its FLOPs ÷ its time) ÷ the rate of the fastest product in this run",
            f"{reached / 1e12:,.0f} TFLOP/s ÷ {peak / 1e12:,.0f} TFLOP/s",
        ),
    )  # fmt: skip


def _predicted(evidence: Evidence, fused: Case, apart: Case) -> Number:
    most, passes = limits(evidence), apart.facts.get("passes", 0)
    least = counted(fused).seconds_fused(*most), counted(fused, passes).seconds_apart(*most)
    slower = least[0] / least[1]
    return Number(
        "One kernel against two, by FLOPs and bytes", slower, f"{slower:.2f}×",
        "least time of the one kernel ÷ of the two, each kernel's the longer of FLOPs ÷ peak and "
        "bytes ÷ limit",
        f"{us(least[0] * 1e6)} µs ÷ {us(least[1] * 1e6)} µs",
    )  # fmt: skip
