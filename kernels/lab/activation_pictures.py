"""The activation experiment's pictures and table, and the balance that they are drawn about."""

from statistics import median

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent, us
from kernels.lab.pictures import Axis, Bar, Bars, Mark, Plot, Point, Region, Series, Table

NAMES = {
    "identity": "none",
    "relu": "ReLU",
    "silu": "SiLU",
    "gelu_tanh": "GELU, tanh form",
    "gelu": "GELU, from the normal tail",
    "erf": "GELU, library's erf",
}
KERNELS = {"fused": "tuned kernel", "plain": "plain kernel"}


def balance(evidence: Evidence, case: Case) -> float:
    """Instructions an element that can be issued while the element's bytes move."""
    return issued_a_byte(evidence) * case.fact("bytes") / case.fact("elements")


def issued_a_byte(evidence: Evidence) -> float:
    """Lane-instructions that the device can issue while it moves one byte."""
    return evidence.limit["issued_per_s"] / (evidence.limit["add_gb_per_s"] * 1e9)


def plot(evidence: Evidence) -> Plot:
    parting, limit = issued_a_byte(evidence), evidence.limit["add_gb_per_s"]
    looks = (("plain", "bf16", "many"), ("fused", "bf16", "one"), ("plain", "fp32", "other"))
    series = [
        Series(f"{KERNELS[variant]}, {dtype}", _points(evidence, variant, dtype), role)
        for variant, dtype, role in looks
    ]
    return Plot(
        "Rate over instructions",
        Axis("instructions for each byte moved"),
        Axis("rate", "GB/s"),
        tuple(one for one in series if one.points),
        (Region("memory keeps up", None, parting), Region("instructions bind", parting, None)),
        (Mark(limit, f"limit {limit:,.0f} GB/s"),),
        "Median; the thin lines span p10 to p90. The regions part at the device's balance: what "
        "all schedulers can issue while a byte moves. The tuned kernel in fp32 is in the table.",
    )


def _points(evidence: Evidence, variant: str, dtype: str) -> tuple[Point, ...]:
    found = [c for c in evidence.of(variant, dtype=dtype) if c.facts.get("instructions")]
    points = (_point(case, variant == "plain" and dtype == "bf16") for case in found)
    return tuple(sorted(points, key=lambda point: point.x))


def _point(case: Case, labelled: bool) -> Point:
    moved = case.fact("bytes") / 1e3
    x = case.fact("instructions") * case.fact("elements") / case.fact("bytes")
    name = NAMES[case.at["activation"]]
    label = name if labelled else ""
    return Point(x, case.gb_per_s, moved / case.p90_us, moved / case.p10_us, label, name)


def bars(evidence: Evidence) -> Bars:
    cases = evidence.of("plain")
    least = median(case.fact("bytes") for case in cases) / evidence.limit["add_gb_per_s"] / 1e3
    return Bars(
        "Time with each activation",
        "µs",
        tuple(
            Bar(NAMES[c.at["activation"]], c.median_us, c.p10_us, c.p90_us, role="one")
            for c in cases
        ),
        Mark(least, f"the bytes alone {least:,.0f} µs"),
        "Median; the thin line spans p10 to p90.",
    )


def table(evidence: Evidence) -> Table:
    """Each activation's times; what is issued for an element only where a GPU could be read."""
    columns = (
        "Activation", "Kernel", "Format", "Median, µs", "Rate, GB/s", "Of the limit",
        *(("Instructions an element", "Of these, special", "Balance") if evidence.on_gpu else ()),
    )  # fmt: skip
    return Table("Each activation", columns, tuple(_row(evidence, case) for case in evidence.cases))


def _row(evidence: Evidence, case: Case) -> tuple[str, ...]:
    return (
        NAMES[case.at["activation"]],
        KERNELS[case.variant] if evidence.on_gpu else "blocks in the cache",
        case.at["dtype"],
        us(case.median_us),
        _rate(case),
        per_cent(case.fact("share_of_limit")),
        *(_issued(evidence, case) if evidence.on_gpu else ()),
    )


def _issued(evidence: Evidence, case: Case) -> tuple[str, ...]:
    counts = [case.facts.get(name) for name in ("instructions", "special")]
    counted = (f"{count:.1f}" if count is not None else "–" for count in counts)
    return (*counted, f"{balance(evidence, case):.1f}")


def _rate(case: Case) -> str:
    """GB/s, a processor's few with a place more."""
    return f"{case.gb_per_s:,.0f}" if case.gb_per_s >= 100 else f"{case.gb_per_s:.1f}"
