"""When the chain stops being bound by memory: its instructions against the device's balance."""

from dataclasses import replace
from operator import truediv

from kernels.lab.activation_numbers import case_of, in_the_tuned, numbers, predicted
from kernels.lab.activation_pictures import balance, bars, plot, table
from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.doubts import suspects
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import MODE, Experiment, Question
from kernels.lab.measures import ratio_interval, rounds

ALLOWED = 1.05
"""Where bytes set the time, an activation costs nothing; this much is let pass as nothing."""

NOTES = (
    "Instructions are counted in the machine code, not while running: one turn of the tuned "
    "kernel's loop, or the whole of a plain kernel's program, for each element.",
    "The balance takes every scheduler to issue at every clock. Kernels reach a part of that, so "
    "the time begins to rise before the count reaches the balance.",
    "An element of float32 moves twice the bytes of a bfloat16 one, so it has twice the "
    "instructions to spend.",
)
NOTES_ON_CPU = (
    "This is a processor, one core, float32: activation(x) + r by blocks that stay in its cache. "
    "Memory carries the same whatever the activation is.",
    "The claim is of bfloat16 and of a GPU's instructions; without both it is not decided.",
)


def conclude(evidence: Evidence) -> Conclusion:
    """The exact GELU through erf against no activation, all else in the kernel being the same."""
    none, exact = case_of(evidence, "identity"), case_of(evidence, "erf")
    low, high = ratio_interval(exact.samples_us, none.samples_us)
    slower = exact.median_us / none.median_us
    found = _outcome(low, high)
    return Conclusion(
        _sentence(evidence, found, slower),
        found if evidence.on_gpu else Outcome.UNDECIDED,
        _in_short(evidence, exact, slower),
        _answer(evidence, slower, low, high),
        numbers=numbers(evidence, none, exact),
        pictures=(plot(evidence) if evidence.on_gpu else bars(evidence),),
        tables=(table(evidence),),
        notes=(*evidence.summary.get("notes", ()), *_notes(evidence)),
        suspects=suspects(evidence),
    )


def _notes(evidence: Evidence) -> tuple[str, ...]:
    return (*in_the_tuned(evidence), *NOTES) if evidence.on_gpu else NOTES_ON_CPU


def _answer(evidence: Evidence, slower: float, low: float, high: float) -> Answer:
    taken = (case_of(evidence, name).samples_us for name in ("erf", "identity"))
    p10, p90 = rounds(truediv, *taken)
    answer = Answer(slower, low, high, "95 % of resamplings", p10=p10, p90=p90)
    if not evidence.on_gpu:
        return answer
    return replace(answer, predicted=predicted(evidence), predicted_by="instructions")


def _outcome(low: float, high: float) -> Outcome:
    if low > ALLOWED:
        return Outcome.HOLDS
    return Outcome.FAILS if high <= ALLOWED else Outcome.UNDECIDED


def _sentence(evidence: Evidence, outcome: Outcome, slower: float) -> str:
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    what = "plain bf16 kernel" if evidence.on_gpu else "float32 chain"
    said = f"With the library's erf the {what} takes {slower:.2f}× as long as without an activation"
    if outcome is Outcome.HOLDS:
        return f"{said} {where}: bytes alone do not set its time{_explained(evidence, slower)}."
    if outcome is Outcome.FAILS:
        return f"{said} {where}: bytes still set its time."
    return f"{said} {where}; the samples scatter too much to tell whether bytes still set its time."


def _explained(evidence: Evidence, slower: float) -> str:
    """What its instructions say of that time, and whether that is all of it."""
    by = predicted(evidence) if evidence.on_gpu else None
    if by is None:
        return ""
    rest = "; what takes the rest, this run does not show" if slower > by * ALLOWED else ""
    return f". By its instructions it would be {by:.2f}×{rest}"


def _in_short(evidence: Evidence, exact: Case, slower: float) -> str:
    by = predicted(evidence) if evidence.on_gpu else None
    if by is None:
        return f"erf costs {slower:.2f}× the time"
    spent, most = exact.fact("instructions"), balance(evidence, exact)
    return (
        f"a plain kernel with the library's erf issues {spent:.1f} instructions an element against "
        f"a balance of {most:.1f}, which predict {by:.2f}×; {slower:.2f}× measured"
    )


EXPERIMENT = Experiment(
    name="activation",
    title="When instructions set the time",
    claim="With the library's erf in bf16, a plain kernel leaves the bandwidth-bound slope.",
    shown=(
        "The fused forward under each activation in bfloat16 and float32: its rate, the "
        "instructions it issues for an element, and how many the device can issue while the "
        "element's bytes move. A plain kernel shows what the library's erf costs."
    ),
    question=Question(
        "How many times as long will the plain kernel take with the library's erf as with no "
        "activation?"
    ),
    parameters={"mode": MODE},
    conclude=conclude,
)
