"""The pictures of starved steps: time on the clock, and how busy the device was."""

from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent
from kernels.lab.pictures import Bar, Bars, Mark, Role, Table

NAMES = {"separate": "separate", "fused": "one pass"}
FEDS = {"starved": "Input too slow", "ready": "Input ready"}
ROLES: dict[str, Role] = {"separate": "many", "fused": "one"}


def case_of(evidence: Evidence, chain: str, fed: str, clock: str = "wall") -> Case:
    """The steps with this chain and input: their time on the clock, or the device's."""
    return evidence.case("step", chain=chain, fed=fed, clock=clock)


def times(evidence: Evidence) -> Bars:
    """A step on the clock, each way, beside the input's pace."""
    period = case_of(evidence, "separate", "starved").fact("period_us")
    cases = [(fed, chain, case_of(evidence, chain, fed)) for fed in FEDS for chain in NAMES]
    bars = tuple(
        Bar(f"{FEDS[fed]}, {NAMES[chain]}", case.median_us, case.p10_us, case.p90_us,
            role=ROLES[chain])
        for fed, chain, case in cases
    )  # fmt: skip
    caption = "Median; the thin line spans p10 to p90. The dashed line is the input's pace."
    return Bars(
        "Time of one step on the clock",
        "µs",
        bars,
        Mark(period, f"a batch every {period:,.0f} µs"),
        caption,
    )


def busy(evidence: Evidence) -> Bars:
    """The share of the clock's time in which the device works, each way."""
    bars = tuple(
        Bar(f"{FEDS[fed]}, {NAMES[chain]}", 100 * case_of(evidence, chain, fed).fact("busy"),
            role=ROLES[chain])
        for fed in FEDS for chain in NAMES
    )  # fmt: skip
    caption = "The device's time in all steps over their time on the clock."
    return Bars("How busy the device is", "%", bars, caption=caption)


def table(evidence: Evidence) -> Table:
    """Every way's medians."""
    columns = ("Input, chain", "On the clock, µs", "Device, µs", "Device busy")
    rows = []
    for fed in FEDS:
        for chain in NAMES:
            wall, device = (case_of(evidence, chain, fed, clock) for clock in ("wall", "device"))
            shown = (f"{one.median_us:,.0f}" for one in (wall, device))
            rows.append((f"{FEDS[fed]}, {NAMES[chain]}", *shown, per_cent(wall.fact("busy"))))
    return Table("Each way", columns, tuple(rows))
