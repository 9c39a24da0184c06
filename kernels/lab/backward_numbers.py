"""The backward experiment's numbers: the forward's part of the saving, and what is kept."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Evidence
from kernels.lab.measures import per_cent, us


def part_of(neither: float, forward: float, both: float) -> float:
    """The forward's part of what fusing both saves, of 1; 0 where both save nothing."""
    return (neither - forward) / (neither - both) if neither != both else 0.0


def numbers(evidence: Evidence, part: float) -> tuple[Number, ...]:
    """What was measured and what bytes say of it; `part` is the forward's of the saving."""
    neither, forward, both = (evidence.case(name) for name in ("neither", "forward", "both"))
    moved = [case.fact("bytes") / 1e6 for case in (neither, forward, both)]
    kept = [case.fact("saved_bytes") / 1e6 for case in (neither, both)]
    by_bytes = part_of(*moved)
    return (
        _faster(
            "Faster with the forward fused, measured", neither.median_us, forward.median_us, "µs"
        ),
        _faster("Faster with the forward fused, by bytes", *moved[:2], "MB"),
        Number(
            "Forward's part of the saving, measured", part, per_cent(part),
            "(neither − forward fused) ÷ (neither − both fused), in time",
            f"({us(neither.median_us)} − {us(forward.median_us)}) ÷ "
            f"({us(neither.median_us)} − {us(both.median_us)}) µs",
        ),
        Number(
            "Forward's part of the saving, by bytes", by_bytes, per_cent(by_bytes),
            "(neither − forward fused) ÷ (neither − both fused), in bytes",
            f"({moved[0]:,.0f} − {moved[1]:,.0f}) ÷ ({moved[0]:,.0f} − {moved[2]:,.0f}) MB",
        ),
        Number(
            "Kept for the backward", kept[1] / kept[0], f"{kept[1] / kept[0]:.2f} of it",
            "both fused ÷ neither fused; x and a row's statistics against x, h and those",
            f"{kept[1]:,.1f} MB ÷ {kept[0]:,.1f} MB",
        ),
    )  # fmt: skip


def _faster(name: str, neither: float, forward: float, unit: str) -> Number:
    """`unit` is that of both: of a time or of what is moved."""
    ratio, digits = neither / forward, 1 if unit == "µs" else 0
    inputs = f"{neither:,.{digits}f} {unit} ÷ {forward:,.{digits}f} {unit}"
    return Number(name, ratio, f"{ratio:.2f}×", "neither fused ÷ forward fused", inputs)
