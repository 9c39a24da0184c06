"""What the roofline is made of: its ridges, its points' intensities, and notes on both."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import figures, per_cent
from kernels.lab.roofs import DENSE, TABLED, Roofs, intensity, shown


def numbers(evidence: Evidence, roofs: Roofs) -> tuple[Number, ...]:
    """The ridges, each with its interval, and the intensities."""
    fused, up = evidence.case("fused"), evidence.case("ffn_up")
    fastest = f"the fastest product ({TABLED[roofs.product.variant]})"
    of_products = "Ridge of the matrix units" if roofs.fp32 else "Ridge"
    found = [
        _ridge(of_products, fastest, up, roofs),
        _intensity("Fused chain", fused),
        _intensity("Feed-forward product, up", up),
        _intensity("QKᵀ, written out", evidence.case("scores")),
    ]
    if roofs.fp32:
        found.insert(0, _ridge("Ridge of float32", "multiply-adds in registers", fused, roofs))
    return tuple(found)


def _ridge(name: str, top: str, case: Case, roofs: Roofs) -> Number:
    """The ridge that this case lies beside; `top` says whose rate it is worked out from."""
    value, (low, high) = roofs.ridge_of(case), roofs.ridge_interval(case)
    arithmetic, memory = figures(value * roofs.memory / 1e12), figures(roofs.memory / 1e9)
    return Number(
        name,
        value,
        f"{shown(value)} FLOP/B ({shown(low)} to {shown(high)})",
        f"rate of {top} ÷ torch.add's, with {per_cent(0.95)} of resamplings",
        f"{arithmetic} × 10¹² FLOP/s ÷ {memory} × 10⁹ B/s",
    )


def _intensity(name: str, case: Case) -> Number:
    value = intensity(case)
    inputs = f"{figures(case.fact('flops') / 1e9)} GFLOP ÷ {case.fact('bytes') / 1e6:,.1f} MB"
    return Number(name, value, f"{shown(value)} FLOP/B", "FLOPs ÷ bytes, both counted", inputs)


def notes(evidence: Evidence, roofs: Roofs) -> tuple[str, ...]:
    """What to keep in mind of the points and of the roofs."""
    scores = intensity(evidence.case("scores"))
    side = "left" if scores < roofs.ridge else "right"
    least = min(intensity(evidence.case(name)) for name in DENSE)
    rank = ", the lowest of the products" if side == "right" and scores < least else ""
    said = [
        f"QKᵀ lies {side} of the ridge here, at {shown(scores)} FLOPs a byte{rank}: its inner "
        "side is only 64, and the scores are written out. Attention kernels that keep them on "
        "the chip move that point to the right. The claim is not of this product.",
        "Bytes are the least that must move, each tensor once; FLOPs are counted from the "
        "formulas, a transcendental function as one.",
    ]
    if not evidence.on_gpu:
        said.append(
            "This is one core, float32, and the pointwise chain relu(x·w + b)·0.5 + r: three of "
            "its passes, and all five in blocks that stay in the cache. What a block's passes "
            "hand on crosses the core's cache, which has no roof here."
        )
    if roofs.fp32:
        said.append(
            "The chain cannot use the matrix units: the roof over it is that of float32 "
            "arithmetic, and even that one's ridge lies to its right."
            if roofs.fp32 / roofs.memory > intensity(evidence.case("fused"))
            else "The chain cannot use the matrix units: the roof over it is that of float32."
        )
    return tuple(said)
