"""A step that waits for its input: fusing leaves the device idle for longer, and no more."""

from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import MODE, Experiment, Kind, Question
from kernels.lab.idle_numbers import gain_of, numbers, shorter_by, slower
from kernels.lab.idle_pictures import NAMES, busy, case_of, table, times
from kernels.lab.measures import per_cent, rounds

SAME = 2.0  # per cent: what is within this of no change counts as none
PART = 0.25  # of what the device saved: a step must be known to have gained less than this
BUSY = 0.9  # with a device busier than this, nothing was starved


def conclude(evidence: Evidence) -> Conclusion:
    """The starved step's time on the clock, before and after its device time falls."""
    gain, low, high = gain_of(evidence, "starved", "wall")
    outcome = _outcome(evidence, low, high)
    return Conclusion(
        _sentence(evidence, outcome, gain),
        outcome,
        f"device time {_change(gain_of(evidence, 'starved', 'device')[0])}; "
        f"a starved step {_change(gain, 1)} on the clock",
        _answer(evidence, gain, low, high),
        numbers=numbers(evidence),
        pictures=(times(evidence), busy(evidence)),
        tables=(table(evidence),),
        notes=(_note(evidence), *evidence.summary.get("notes", ())),
        suspects=tuple(evidence.summary.get("suspect", ())),
    )


def _answer(evidence: Evidence, gain: float, low: float, high: float) -> Answer:
    steps = (case_of(evidence, chain, "starved", "wall").samples_us for chain in NAMES)
    p10, p90 = rounds(shorter_by, *steps)
    by, predicted = "the slower part", shorter_by(*slower(evidence))
    return Answer(gain, low, high, "95 % of resamplings", predicted, by, p10=p10, p90=p90)


def _outcome(evidence: Evidence, low: float, high: float) -> Outcome:
    """Undecided where the device was not starved, its time did not fall, or the clock wavers."""
    starved = case_of(evidence, "separate", "starved").fact("busy") < BUSY
    saved = gain_of(evidence, "starved", "device")[1]
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


def _sentence(evidence: Evidence, outcome: Outcome, gain: float) -> str:
    where = f"on this {evidence.device_name}"
    device = gain_of(evidence, "starved", "device")[0]
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
