"""The size experiment's numbers: where launches, the cache and memory should take over."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Evidence
from kernels.lab.gains import CACHE_FULL, ONE_BY_ONE, Bounds, Gain, Launches
from kernels.lab.measures import figures, us
from kernels.lab.size_pictures import words


def numbers(evidence: Evidence, bounds: Bounds, last: Gain) -> tuple[Number, ...]:
    """The bounds, each with what it was worked out from, and the gain at the largest volume."""
    launches, cache = bounds.launches, bounds.cache * CACHE_FULL
    quickest, _ = min(evidence.along("volume", "separate"), key=lambda pair: pair[1].median_us)
    slow, fast = (evidence.case(name, volume=last.volume).median_us for name in ONE_BY_ONE)
    return (
        Number(
            "Cost of the separate launches", launches.many_us, f"{us(launches.many_us)} µs",
            "the least of separate's medians: what starting them costs at most",
            f"{us(launches.many_us)} µs at {words(quickest)}",
        ),
        _launch_bound(launches),
        Number(
            "Cache-resident up to", bounds.cache, words(bounds.cache),
            "cache ÷ (5 tensors ÷ the 3 that one pass moves)", f"{cache / 1e6:,.1f} MB ÷ (5 ÷ 3)",
        ),
        Number(
            "Memory-bound from", bounds.memory, words(bounds.memory),
            "3 tensors of four times the cache each, or where launches are hidden if that is more",
            f"the larger of 3 × 4 × {cache / 1e6:,.1f} MB and {words(launches.hidden)}",
        ),
        Number(
            "Measured at the largest volume", last.ratio, f"{last.ratio:.2f}×",
            "separate's median ÷ fused's median",
            f"{us(slow)} µs ÷ {us(fast)} µs; 95 % of resamplings from {last.low:.2f} to "
            f"{last.high:.2f}",
        ),
    )  # fmt: skip


def _launch_bound(launches: Launches) -> Number:
    rate = figures(launches.rate / 1e3)
    formula = "launches of one pass × limit"
    inputs = f"{us(launches.one_us)} µs × {rate} GB/s"
    if launches.hidden_by_many >= launches.hidden_by_one:
        formula = "separate launches × limit ÷ ratio of the bytes"
        inputs = f"{us(launches.many_us)} µs × {rate} GB/s ÷ {launches.by_bytes:.3f}"
    shown = words(launches.hidden)
    return Number("Launch-bound, one by one, up to", launches.hidden, shown, formula, inputs)
