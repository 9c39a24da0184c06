"""A roofline: measured ceilings, and the points under them."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import ratio_interval

STAGES = ("norm", "activation", "multiply", "relu", "add")
CHAIN = (*STAGES, "fused")
DENSE = ("ffn_up", "ffn_down", "projection")
NAMES = {
    "norm": "Norm",
    "activation": "GELU",
    "multiply": "Multiply",
    "relu": "ReLU",
    "add": "Add",
    "fused": "Fused chain",
    "ffn_up": "Feed-forward, up",
    "ffn_down": "Feed-forward, down",
    "projection": "Projection",
    "scores": "QKᵀ",
}
TABLED = NAMES | {"peak_matmul": "Square product"}
"""The square product is timed for the roof alone: it has a row, and no point in the picture."""


def intensity(case: Case) -> float:
    """FLOPs for each byte."""
    return case.fact("flops") / case.fact("bytes")


def rate(case: Case) -> float:
    """FLOPs a second, at the median."""
    return case.fact("flops") / case.median_us * 1e6


def shown(value: float) -> str:
    """An intensity or a rate, with as many digits as say something."""
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


class Roofs:
    """The ceilings of a run: memory in bytes a second, arithmetic in FLOPs a second.

    The matrix units' is the rate of the fastest product of all that were timed. `fp32` is
    None on a processor, whose products and other arithmetic share their units.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.add = evidence.case("peak_add")
        self.memory = self.add.fact("bytes") / self.add.median_us * 1e6
        products = [evidence.case(name) for name in ("peak_matmul", *DENSE)]
        self.product = max(products, key=rate)
        self.matrix = rate(self.product)
        self.fma = evidence.case("peak_fma") if evidence.has("peak_fma") else None
        self.fp32 = rate(self.fma) if self.fma else None

    @property
    def ridge(self) -> float:
        """FLOPs a byte from which the matrix units bind and not memory."""
        return self.matrix / self.memory

    def arithmetic(self, case: Case) -> tuple[str, Case]:
        """(name, what it was measured by) of the arithmetic that this case can do.

        The chain cannot use the matrix units.
        """
        if case.variant in CHAIN and self.fma:
            return "fp32", self.fma
        return "matrix", self.product

    def over(self, case: Case) -> tuple[str, float]:
        """(name, FLOPs a second) of the lowest roof above this case."""
        name, top = self.arithmetic(case)
        memory = self.memory * intensity(case)
        return ("memory", memory) if memory < rate(top) else (name, rate(top))

    def ridge_of(self, case: Case) -> float:
        """FLOPs a byte from which this case's own arithmetic binds it and not memory."""
        return rate(self.arithmetic(case)[1]) / self.memory

    def ridge_interval(self, case: Case) -> tuple[float, float]:
        """95 % of resamplings of this case's own ridge."""
        _, top = self.arithmetic(case)
        low, high = ratio_interval(self.add.samples_us, top.samples_us)
        scale = top.fact("flops") / self.add.fact("bytes")
        return scale * low, scale * high

    def side(self, case: Case) -> str:
        """On which side of its own ridge this case lies."""
        return "left" if intensity(case) < self.ridge_of(case) else "right"
