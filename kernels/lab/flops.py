"""Fusing does not lower FLOPs: arithmetic, bytes and time of each variant side by side."""

from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.doubts import suspects
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import DTYPE, MODE, Experiment, Kind, Question
from kernels.lab.flops_numbers import numbers
from kernels.lab.flops_pictures import DIRECTIONS, NAMES, Pair, bars, table
from kernels.lab.measures import per_cent, ratio_interval

FELL = 1.05
"""Separate kernels' FLOPs over the fused one's, above which they fell: more than a rounding."""
SAME = 1.02
BOUND = 0.6
"""Of the memory's rate: below it something else than bytes sets a kernel's time."""

OPTIONS = {"fewer": "Fewer", "same": "As many", "more": "More"}
NOTES = (
    "FLOPs are counted twice: from the formulas, a transcendental function as one operation, and "
    "in the machine code, where it is a polynomial. The second is of the fused and the separate "
    "kernels alone: PyTorch's own are not at hand to be read.",
    "The fused backward works h out again from x in the place of reading it: it does a little "
    "more arithmetic to move half the bytes.",
)
PROFILED = (
    "The profiler counts additions, multiplications and fused multiply-adds (two each) as they "
    "were executed, and bytes at the memory. What a kernel leaves in the L2 cache when it ends is "
    "not among those bytes."
)

NO_PROFILER = "No profiler was at hand in this run: what was executed was counted, not measured."


def conclude(evidence: Evidence) -> Conclusion:
    """The fused kernel's FLOPs, bytes and time against the separate ones', each way."""
    pairs = [Pair(evidence, direction) for direction in DIRECTIONS]
    outcome = _outcome(pairs)
    forward = pairs[0]
    return Conclusion(
        _sentence(evidence, outcome, pairs),
        outcome,
        f"FLOPs {forward.flops:.2f}×, bytes {forward.bytes:.2f}×, time {forward.time:.2f}× after "
        "fusing the forward",
        Answer(choice=_choice(forward.flops)),
        numbers=tuple(number for pair in pairs for number in numbers(pair)),
        pictures=(bars(pairs),),
        tables=(table(evidence),),
        notes=(*evidence.summary.get("notes", ()), *NOTES, *_profiled(evidence)),
        suspects=suspects(evidence, _named),
    )


def _named(case: Case) -> str:
    return f"{NAMES.get(case.variant, case.variant)}, {case.at.get('direction')},"


def _profiled(evidence: Evidence) -> tuple[str, ...]:
    """What a profiler's counts say of themselves, and of torch.compile's one kernel."""
    counted = [case for case in evidence.cases if case.facts.get("flops_profiled")]
    forward = {c.variant: c for c in counted if c.at["direction"] == "forward"}
    said = [PROFILED if counted else NO_PROFILER]
    if "compiled" in forward and "fused" in forward:
        limit = evidence.limit.get("add_gb_per_s")
        said.append(_beside(forward["compiled"], forward["fused"], limit))
    return tuple(said)


def _beside(compiled: Case, fused: Case, limit: float | None) -> str:
    facts = ("bytes_profiled", "flops_profiled")
    moved, done = (compiled.fact(fact) / fused.fact(fact) for fact in facts)
    time = compiled.median_us / fused.median_us
    said = (
        f"In the forward torch.compile moved {moved:.2f}× the fused kernel's bytes and executed "
        f"{done:.2f}× its arithmetic, in {time:.2f}× its time"
    )
    share = compiled.fact("bytes_profiled") / compiled.median_us / 1e3 / limit if limit else 1.0
    if share > BOUND:
        return f"{said}."
    return f"{said}: at {per_cent(share)} of the memory's rate, so its bytes do not set that time."


def _outcome(pairs: list[Pair]) -> Outcome:
    found = [_of(pair) for pair in pairs]
    if Outcome.FAILS in found:
        return Outcome.FAILS
    return Outcome.UNDECIDED if Outcome.UNDECIDED in found else Outcome.HOLDS


def _of(pair: Pair) -> Outcome:
    """Holds where FLOPs did not fall and the time fell by more than they did, if at all."""
    explained = max(1.0, 1 / pair.flops)
    low, high = ratio_interval(pair.separate.samples_us, pair.fused.samples_us)
    if 1 / pair.flops > FELL or high <= explained:
        return Outcome.FAILS
    return Outcome.HOLDS if low > explained else Outcome.UNDECIDED


def _choice(flops: float) -> str:
    return "same" if 1 / SAME <= flops <= SAME else "fewer" if flops < 1 else "more"


def _sentence(evidence: Evidence, outcome: Outcome, pairs: list[Pair]) -> str:
    forward, backward = pairs
    said = (
        f"Fused, the forward does {forward.flops:.2f}× the FLOPs of the separate kernels and the "
        f"backward {backward.flops:.2f}×; the bytes go to {forward.bytes:.2f}× and "
        f"{backward.bytes:.2f}×, the time to {forward.time:.2f}× and {backward.time:.2f}× on this "
        f"{evidence.device_name}"
    )
    if outcome is Outcome.HOLDS:
        return f"{said}."
    if outcome is Outcome.UNDECIDED:
        return f"{said}: no measurable difference in time, so nothing is decided."
    if any(1 / pair.flops > FELL for pair in pairs):
        return f"{said}: here the FLOPs fell."
    return f"{said}: the time followed the FLOPs, not the bytes."


EXPERIMENT = Experiment(
    name="flops",
    title="FLOPs, bytes and time",
    claim="Fusing does not lower FLOPs.",
    shown=(
        "The chain forward and backward in every variant: its FLOPs by the formulas and in the "
        "machine code, beside its bytes and its time."
    ),
    question=Question(
        "After fusing, how many FLOPs does a forward do?", Kind.CHOICE, OPTIONS
    ),
    parameters={"dtype": DTYPE, "mode": MODE},
    conclude=conclude,
    no_cpu=(
        "The flops experiment counts arithmetic in the machine code of GPU kernels; the roofline "
        "and activation experiments have a processor's edition."
    ),
)  # fmt: skip
