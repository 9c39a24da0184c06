"""The idle experiment's numbers: by how much a step gets shorter, each way."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Evidence
from kernels.lab.idle_pictures import NAMES, case_of
from kernels.lab.measures import interval, per_cent


def shorter_by(before: float, after: float) -> float:
    """By how many per cent of itself a time got shorter."""
    return 100 * (1 - after / before)


def gain_of(evidence: Evidence, fed: str, clock: str) -> tuple[float, float, float]:
    """(by how many per cent the time got shorter, its interval)."""
    before, after = (case_of(evidence, chain, fed, clock) for chain in NAMES)
    low, high = interval(shorter_by, before.samples_us, after.samples_us)
    return shorter_by(before.median_us, after.median_us), low, high


def slower(evidence: Evidence) -> list[float]:
    """What each chain's step takes by the rule that the slower of input and device sets it."""
    period = case_of(evidence, "separate", "starved").fact("period_us")
    return [max(period, case_of(evidence, c, "starved", "device").median_us) for c in NAMES]


def numbers(evidence: Evidence) -> tuple[Number, ...]:
    """The gain of the device's time, of a starved step, and of one whose input is ready."""
    shown = (
        ("The device's time", "starved", "device"),
        ("A starved step on the clock", "starved", "wall"),
        ("A step whose input is ready, on the clock", "ready", "wall"),
    )
    device, starved, ready = (_number(evidence, *one) for one in shown)
    return (device, _by_the_slower(evidence), starved, ready)


def _by_the_slower(evidence: Evidence) -> Number:
    before, after = slower(evidence)
    gain = shorter_by(before, after)
    return Number(
        "A starved step by the slower part: shorter by",
        gain,
        per_cent(gain / 100, 1),
        "1 − one pass's ÷ separate's, each the longer of a batch's pace and the device's time",
        f"1 − {after:,.0f} µs ÷ {before:,.0f} µs",
    )


def _number(evidence: Evidence, name: str, fed: str, clock: str) -> Number:
    before, after = (case_of(evidence, chain, fed, clock).median_us for chain in NAMES)
    gain = shorter_by(before, after)
    inputs = f"1 − {after:,.0f} µs ÷ {before:,.0f} µs"
    formula = "1 − one pass's median ÷ separate's median"
    return Number(f"{name}: shorter by", gain, per_cent(gain / 100, 1), formula, inputs)
