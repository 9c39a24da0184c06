"""The backward experiment's pictures and table: time, bytes and memory of each combination."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import us
from kernels.lab.pictures import Bar, Bars, Role, Table

NAMES: dict[str, tuple[str, Role]] = {
    "neither": ("Neither fused", "many"),
    "forward": ("Only the forward fused", "other"),
    "backward": ("Only the backward fused", "other"),
    "both": ("Both fused", "one"),
}


def pictures(evidence: Evidence) -> tuple[Bars, ...]:
    """The time of each combination, and what it keeps for the backward."""
    shown = [evidence.case(name) for name in NAMES if evidence.has(name)]
    times = tuple(
        Bar(NAMES[c.variant][0], c.median_us, c.p10_us, c.p90_us,
            f"moves {c.fact('bytes') / 1e6:,.0f} MB", NAMES[c.variant][1])
        for c in shown
    )  # fmt: skip
    kept = tuple(
        Bar(NAMES[c.variant][0], c.fact("saved_bytes") / 1e6, role=NAMES[c.variant][1])
        for c in shown
    )
    caption = "Median of forward and backward together; the thin line spans p10 to p90."
    return (
        Bars("Time of forward and backward", "µs", times, caption=caption),
        Bars("Kept from forward to backward", "MB", kept, caption="As autograd was given it."),
    )


def table(evidence: Evidence) -> Table:
    """Each combination: times, bytes, memory."""
    neither = evidence.case("neither")
    columns = (
        "Fused", "Median, µs", "Faster than neither", "By bytes", "Forward moves, MB",
        "Backward moves, MB", "Kept, MB", "Peak memory, MB",
    )  # fmt: skip
    return Table(
        "Each combination",
        columns,
        tuple(_row(evidence.case(name), neither) for name in NAMES if evidence.has(name)),
    )


def _row(case: Case, neither: Case) -> tuple[str, ...]:
    facts = ("forward_bytes", "backward_bytes", "saved_bytes", "peak_memory_bytes")
    return (
        NAMES[case.variant][0], us(case.median_us),
        f"{neither.median_us / case.median_us:.2f}×",
        f"{neither.fact('bytes') / case.fact('bytes'):.2f}×",
        *(f"{case.fact(name) / 1e6:,.1f}" for name in facts),
    )  # fmt: skip
