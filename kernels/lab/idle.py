"""A step that waits for its input: fusing leaves the device idle for longer, and no more."""

from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import MODE, Experiment, Kind, Question
from kernels.lab.idle_pictures import NAMES, busy, case_of, table, times
from kernels.lab.measures import interval, per_cent, rounds

SAME = 2.0  # per cent: what is within this of no change counts as none
PART = 0.25  # of what the device saved: a step must be known to have gained less than this
BUSY = 0.9  # with a device busier than this, nothing was starved


def conclude(evidence: Evidence) -> Conclusion:
    """The starved step's time on the clock, before and after its device time falls."""
    gain, low, high = _gain(evidence, "starved", "wall")
    outcome = _outcome(evidence, low, high)
    return Conclusion(
        _sentence(evidence, outcome, gain),
        outcome,
        f"device time {_change(_gain(evidence, 'starved', 'device')[0])}; "
        f"a starved step {_change(gain, 1)} on the clock",
        _answer(evidence, gain, low, high),
        numbers=_numbers(evidence),
        pictures=(times(evidence), busy(evidence)),
        tables=(table(evidence),),
        notes=(_note(evidence), *evidence.summary.get("notes", ())),
        suspects=tuple(evidence.summary.get("suspect", ())),
    )


def _shorter_by(before: float, after: float) -> float:
    return 100 * (1 - after / before)


def _gain(evidence: Evidence, fed: str, clock: str) -> tuple[float, float, float]:
    """(by how many per cent the time got shorter, its interval)."""
    before, after = (case_of(evidence, chain, fed, clock) for chain in NAMES)
    low, high = interval(_shorter_by, before.samples_us, after.samples_us)
    return _shorter_by(before.median_us, after.median_us), low, high


def _answer(evidence: Evidence, gain: float, low: float, high: float) -> Answer:
    steps = (case_of(evidence, chain, "starved", "wall").samples_us for chain in NAMES)
    p10, p90 = rounds(_shorter_by, *steps)
    by = "the slower part"
    return Answer(
        gain, low, high, "95 % of resamplings", _predicted(evidence), by, p10=p10, p90=p90
    )


def _outcome(evidence: Evidence, low: float, high: float) -> Outcome:
    """Undecided where the device was not starved, its time did not fall, or the clock wavers."""
    starved = case_of(evidence, "separate", "starved").fact("busy") < BUSY
    saved = _gain(evidence, "starved", "device")[1]
    if not starved or saved <= SAME:
        return Outcome.UNDECIDED
    if low > SAME:
        return Outcome.FAILS
    unchanged = high > -SAME and high < saved * PART
    return Outcome.HOLDS if unchanged else Outcome.UNDECIDED


def _change(gain: float, digits: int = 0) -> str:
    """A time's change, of which this many per cent were gained, with its sign; none has none."""
    shown = per_cent(abs(gain) / 100, digits)
    if shown == per_cent(0, digits):
        return shown
    return f"{'−' if gain > 0 else '+'}{shown}"


def _predicted(evidence: Evidence) -> float:
    """A step takes as long as the slower of its input and its device."""
    period = case_of(evidence, "separate", "starved").fact("period_us")
    slower = [max(period, case_of(evidence, c, "starved", "device").median_us) for c in NAMES]
    return _shorter_by(*slower)


def _sentence(evidence: Evidence, outcome: Outcome, gain: float) -> str:
    where = f"on this {evidence.device_name}"
    device = _gain(evidence, "starved", "device")[0]
    if outcome is Outcome.UNDECIDED:
        return (
            f"This run can't decide {where}: the device's time changed by {_change(device, 1)}, a "
            f"starved step's by {_change(gain, 1)}."
        )
    if outcome is Outcome.FAILS:
        shorter = per_cent(gain / 100, 1)
        return f"A starved step gets {shorter} shorter {where}: the device did hold it up."
    shares = (case_of(evidence, chain, "starved").fact("busy") for chain in NAMES)
    before, after = (per_cent(share) for share in shares)
    return (
        f"A starved step takes as long as before {where}, though the device's time falls by "
        f"{per_cent(device / 100)}: the device is busy {after} of the time instead of {before}."
    )


def _numbers(evidence: Evidence) -> tuple[Number, ...]:
    shown = (
        ("The device's time", "starved", "device"),
        ("A starved step on the clock", "starved", "wall"),
        ("A step whose input is ready, on the clock", "ready", "wall"),
    )
    return tuple(_number(evidence, *one) for one in shown)


def _number(evidence: Evidence, name: str, fed: str, clock: str) -> Number:
    before, after = (case_of(evidence, chain, fed, clock).median_us for chain in NAMES)
    gain = _shorter_by(before, after)
    inputs = f"1 − {after:,.0f} µs ÷ {before:,.0f} µs"
    formula = "1 − one pass's median ÷ separate's median"
    return Number(f"{name}: shorter by", gain, per_cent(gain / 100, 1), formula, inputs)


def _note(evidence: Evidence) -> str:
    starved = case_of(evidence, "separate", "starved")
    period, decoding = starved.fact("period_us"), starved.fact("decoding_us")
    device = case_of(evidence, "separate", "starved", "device")
    return (
        f"A batch comes every {period:,.0f} µs, {period / device.median_us:.1f}× what the separate "
        f"step takes the device; making it takes the processor {decoding:,.0f} µs of "
        "that, and the rest is waiting, as for storage or a network."
    )


EXPERIMENT = Experiment(
    name="idle",
    title="A device that waits for its input",
    claim="Fusing does not mend an idle device.",
    shown=(
        "A step whose input comes more slowly than the device could take it, with the chain "
        "separate and in one pass; and the same step with its input ready."
    ),
    question=Question(
        "By how many per cent will the starved step get shorter on the clock?", Kind.PERCENT
    ),
    parameters={"mode": MODE},
    conclude=conclude,
)
