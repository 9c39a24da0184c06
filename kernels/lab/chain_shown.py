"""The chain's picture and table."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent, us
from kernels.lab.pictures import Bar, Bars, Mark, Table

NAMES = {
    "separate": "Separate kernels",
    "eager": "PyTorch, eager",
    "compiled": "torch.compile (default mode)",
    "fused": "One pass",
}
NAMES_ON_CPU = {
    "separate": "Separate passes",
    "fused": "One pass",
    "chain_separate": "Norm chain, separate",
    "chain_fused": "Norm chain, one pass",
}


def picture(evidence: Evidence, fused: Case) -> Bars:
    """The time of each variant, and the least for what one pass moves."""
    names = NAMES if evidence.on_gpu else NAMES_ON_CPU
    shown = [evidence.case(name) for name in names if evidence.has(name)]
    least = fused.fact("bytes") / evidence.limit["add_gb_per_s"] / 1e3
    return Bars(
        "Time of each variant",
        "µs",
        tuple(_bar(names[case.variant], case) for case in shown),
        Mark(least, f"limit for one pass {us(least)} µs"),
        "Median; the thin line spans p10 to p90. The dashed line is the least time in which the "
        "machine could move what one pass moves.",
    )


def _bar(name: str, case: Case) -> Bar:
    role = "one" if "fused" in case.variant else "many" if "separate" in case.variant else "other"
    note = f"{per_cent(case.fact('share_of_limit'))} of the limit"
    return Bar(name, case.median_us, case.p10_us, case.p90_us, note, role)


def table(evidence: Evidence) -> Table:
    """Times, bytes, rates; on a GPU launches and memory too."""
    names = NAMES if evidence.on_gpu else NAMES_ON_CPU
    columns = (
        "Variant", "Median, µs", "p10–p90, µs", "Bytes, MB", "Rate, GB/s", "Of the limit",
        *(("Launches", "Peak memory, MB") if evidence.on_gpu else ()),
    )  # fmt: skip
    shown = [evidence.case(name) for name in names if evidence.has(name)]
    limit = evidence.limit["add_gb_per_s"]
    return Table(
        "What was measured",
        columns,
        tuple((names[case.variant], *_cells(case))[: len(columns)] for case in shown),
        f"The limit is {limit:,.1f} GB/s: two reads and one write of the same tensors, timed in "
        "this run. Rate = bytes ÷ median. Of the limit = rate ÷ limit.",
    )


def _cells(case: Case) -> tuple[str, ...]:
    launches, peak = case.facts.get("launches"), case.facts.get("peak_memory_bytes")
    return (
        us(case.median_us),
        f"{us(case.p10_us)}–{us(case.p90_us)}",
        f"{case.fact('bytes') / 1e6:,.1f}",
        f"{case.gb_per_s:,.0f}" if case.gb_per_s >= 100 else f"{case.gb_per_s:.1f}",
        per_cent(case.fact("share_of_limit")),
        "–" if launches is None else f"{launches}",
        "–" if peak is None else f"{peak / 1e6:,.1f}",
    )
