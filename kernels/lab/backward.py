"""What fusing the forward alone is worth: forward and backward with either half in one pass."""

from operator import truediv

from kernels.lab import chain
from kernels.lab.backward_numbers import numbers, part_of
from kernels.lab.backward_pictures import NAMES, pictures, table
from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.doubts import suspects
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import DTYPE, MODE, Experiment, Question
from kernels.lab.measures import interval, per_cent, ratio_interval, rounds

MOST_OVER_PREDICTION = 1.15


def conclude(evidence: Evidence) -> Conclusion:
    """The part of the whole saving that the forward alone brings, from three cases' samples."""
    neither, forward, both = (evidence.case(name) for name in ("neither", "forward", "both"))
    low, high = ratio_interval(neither.samples_us, forward.samples_us)
    p10, p90 = rounds(truediv, neither.samples_us, forward.samples_us)
    measured = neither.median_us / forward.median_us
    by_bytes = neither.fact("bytes") / forward.fact("bytes")
    part = part_of(neither.median_us, forward.median_us, both.median_us)
    span = interval(part_of, neither.samples_us, forward.samples_us, both.samples_us)
    outcome = _outcome(neither, both, span)
    return Conclusion(
        _sentence(evidence, outcome, measured, part, span),
        outcome,
        f"the forward alone brings {per_cent(part)} of the time that fusing both saves: "
        f"{by_bytes:.2f}× by bytes; {measured:.2f}× measured",
        Answer(measured, low, high, "95 % of resamplings", by_bytes, "bytes", p10=p10, p90=p90),
        numbers=numbers(evidence, part),
        pictures=pictures(evidence),
        tables=(table(evidence),),
        notes=(*evidence.summary.get("notes", ()), *NOTES),
        suspects=(*suspects(evidence, _named), *_suspects(evidence)),
    )


def _named(case: Case) -> str:
    return NAMES[case.variant][0] if case.variant in NAMES else case.variant


def _outcome(neither: Case, both: Case, span: tuple[float, float]) -> Outcome:
    if ratio_interval(neither.samples_us, both.samples_us)[0] <= 1:
        return Outcome.UNDECIDED  # nothing was saved of which the forward could have its part
    return (
        Outcome.HOLDS if span[1] <= 0.5 else Outcome.FAILS if span[0] > 0.5 else Outcome.UNDECIDED
    )


def _sentence(
    evidence: Evidence, outcome: Outcome, measured: float, part: float, span: tuple[float, float]
) -> str:
    where = f"on this {evidence.device_name}"
    gained = (
        f"With only the forward fused, forward and backward together run {measured:.2f}× as fast "
        f"{where}"
    )
    if outcome is Outcome.UNDECIDED:
        return (
            f"{gained}, but this run cannot say whether that is more or less than half of what "
            f"fusing both saves: the interval is from {per_cent(span[0])} to {per_cent(span[1])}."
        )
    half = "under half" if outcome is Outcome.HOLDS else "more than half"
    return f"{gained}: {per_cent(part)} of the time that fusing both saves, so {half}."


def _suspects(evidence: Evidence) -> tuple[str, ...]:
    neither = evidence.case("neither")
    return tuple(
        f"{name} is faster by more than 15 % above the ratio of its bytes."
        for variant, (name, _) in NAMES.items()
        for case in evidence.of(variant)
        if neither.median_us / case.median_us
        > MOST_OVER_PREDICTION * neither.fact("bytes") / case.fact("bytes")
    )


NOTES = (
    "A fused forward never writes h. Where the backward stays separate, it works h out again from "
    "x: one more pass, 2B, so 11B in all against 13B with neither fused.",
    "A forward that writes h on the side would move 4B, keep 2B for the backward, and come to 10B "
    "in all: 3 of the 7B that fusing both saves, still under half.",
)


EXPERIMENT = Experiment(
    name="backward",
    title="What the forward alone brings",
    claim="In training, fusing the forward alone saves at most half of what there is to save.",
    shown=(
        "Forward and backward of the chain with neither, one or both halves in one pass: time, "
        "bytes, and the memory kept from forward to backward."
    ),
    question=Question(
        "How many times faster will forward and backward together be with only the forward fused?"
    ),
    parameters={"preset": chain.EXPERIMENT.parameters["preset"], "dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    no_cpu="The backward experiment combines halves of the Triton kernels, which need a GPU.",
)
