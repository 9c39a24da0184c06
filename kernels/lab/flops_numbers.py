"""The flops experiment's numbers: FLOPs, bytes and time of one pass over the separate kernels'."""

from kernels.lab.conclusion import Number
from kernels.lab.flops_pictures import Pair
from kernels.lab.measures import figures, per_cent, us


def numbers(pair: Pair) -> tuple[Number, ...]:
    """One direction's ratios, as counted from each source and as measured."""
    way = pair.direction.capitalize()
    low, high = (1 / edge for edge in pair.interval)
    found = [
        _ratio(f"{way}: FLOPs by the formulas", pair, "flops", 1e9, "GFLOP"),
        _ratio(f"{way}: bytes", pair, "bytes", 1e6, "MB"),
        Number(
            f"{way}: time", pair.time, f"{pair.time:.2f}× ({high:.2f} to {low:.2f})",
            f"fused's median ÷ separate's median, with {per_cent(0.95)} of resamplings",
            f"{us(pair.fused.median_us)} µs ÷ {us(pair.separate.median_us)} µs",
        ),
    ]  # fmt: skip
    if pair.has("flops_executed"):
        name = f"{way}: FLOPs in the machine code"
        found.insert(1, _ratio(name, pair, "flops_executed", 1e9, "GFLOP"))
    if pair.has("flops_profiled"):
        found.append(_ratio(f"{way}: FLOPs, profiled", pair, "flops_profiled", 1e9, "GFLOP"))
        found.append(_ratio(f"{way}: bytes, profiled", pair, "bytes_profiled", 1e6, "MB"))
    return tuple(found)


def _ratio(name: str, pair: Pair, fact: str, scale: float, unit: str) -> Number:
    one, many = pair.fused.fact(fact), pair.separate.fact(fact)
    inputs = f"{figures(one / scale)} {unit} ÷ {figures(many / scale)} {unit}"
    return Number(name, one / many, f"{one / many:.2f}×", "fused's ÷ separate's", inputs)
