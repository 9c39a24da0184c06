"""The pictures of a training step: how long it takes each way, and what takes it."""

from collections.abc import Mapping

from kernels.lab.evidence import Case, Evidence
from kernels.lab.pictures import Bar, Bars, Mark, Role, Table

NAMES = {
    "separate": "Chain as separate kernels",
    "eager": "Chain by PyTorch's operators",
    "fused": "Chain in one pass",
}
ROLES: dict[str, Role] = {"separate": "many", "eager": "other", "fused": "one"}


def steps(evidence: Evidence, predicted: float) -> Bars:
    """The step's time each way; `predicted` is the gain by Amdahl's rule, in per cent."""
    cases = {way: evidence.case("step", way=way) for way in NAMES}
    expected = cases["separate"].median_us * (1 - predicted / 100)
    return Bars(
        "Time of one training step",
        "µs",
        tuple(_bar(way, case) for way, case in cases.items()),
        Mark(expected, f"by Amdahl {expected:,.0f} µs"),
        "Median; the thin line spans p10 to p90. The dashed line is the separate step without "
        "what the faster chain saves of it.",
    )


def _bar(way: str, case: Case) -> Bar:
    kernels = case.facts.get("kernels")
    note = f"{kernels} kernels" if kernels else ""
    return Bar(NAMES[way], case.median_us, case.p10_us, case.p90_us, note, ROLES[way])


def parts(evidence: Evidence) -> Bars | None:
    """What the separate step's time goes to, largest first; None where no kernel was seen."""
    found = evidence.case("step", way="separate").facts.get("parts_us")
    if not found:
        return None
    ordered = sorted(found.items(), key=lambda pair: -pair[1])
    return Bars(
        "What takes the separate step's time",
        "µs",
        tuple(Bar(name, time, role="many" if name == "chain" else "other")
              for name, time in ordered),
        caption="Kernel times as the profiler sees them, sorted by the kernels' names.",
    )  # fmt: skip


def table(evidence: Evidence) -> Table:
    """Each part of each step in µs, the longest first; last the step itself, its gaps included."""
    cases = {way: evidence.case("step", way=way) for way in NAMES}
    seen = {way: case.facts.get("parts_us") or {} for way, case in cases.items()}
    longest = {name: max(one.get(name, 0.0) for one in seen.values()) for name in _names(seen)}
    names = sorted(longest, key=lambda name: -longest[name])
    rows = [(name, *(_shown(seen[way].get(name)) for way in NAMES)) for name in names]
    rows.append(("whole step", *(_shown(case.median_us) for case in cases.values())))
    note = "By PyTorch's operators the chain's kernels can't be told from others by their names."
    return Table("Where the time goes, µs", ("Part", *NAMES.values()), tuple(rows), note)


def _names(seen: Mapping[str, Mapping[str, float]]) -> list[str]:
    """The parts in the order in which the steps first name them."""
    return list(dict.fromkeys(name for one in seen.values() for name in one))


def _shown(microseconds: float | None) -> str:
    return "–" if microseconds is None else f"{microseconds:,.0f}"
