"""What the roofline is made of: its ridges, its points' intensities, and notes on both."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import figures, per_cent
from kernels.lab.roofs import DENSE, TABLED, Roofs, intensity, shown


def numbers(
    evidence: Evidence, roofs: Roofs, ridge: tuple[float, float]
) -> tuple[Number, ...]:  # fmt: skip
    """The ridges and the intensities; `ridge` is the interval of the first."""
    fused = evidence.case("fused")
    sides = f"{shown(ridge[0])} to {shown(ridge[1])}"
    fastest = f"the fastest product ({TABLED[roofs.product.variant]})"
    formula = f"rate of {fastest} ÷ torch.add's, with {per_cent(0.95)} of resamplings"
    found = [
        Number(
            "Ridge", roofs.ridge, f"{shown(roofs.ridge)} FLOP/B ({sides})",
            formula, _over_memory(roofs.matrix, roofs),
        ),
        _intensity("Fused chain", fused),
        _intensity("Feed-forward product, up", evidence.case("ffn_up")),
        _intensity("QKᵀ, written out", evidence.case("scores")),
    ]  # fmt: skip
    if roofs.fp32:
        value = roofs.fp32 / roofs.memory
        inputs = _over_memory(roofs.fp32, roofs)
        formula = "rate of multiply-adds in registers ÷ rate of torch.add"
        found.insert(
            1, Number("Ridge of float32", value, f"{shown(value)} FLOP/B", formula, inputs)
        )
    return tuple(found)


def _over_memory(rate: float, roofs: Roofs) -> str:
    """A rate of arithmetic over memory's: what a ridge is worked out from."""
    return f"{figures(rate / 1e12)} × 10¹² FLOP/s ÷ {figures(roofs.memory / 1e9)} × 10⁹ B/s"


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
        "the chip move that point to the right.",
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
