"""Two large products: the intermediate is a small part of their cost, and keeping it dear."""

from operator import truediv

from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import MODE, Experiment, Parameter, Question
from kernels.lab.matmul_numbers import hidden, numbers
from kernels.lab.matmul_sizes import (
    arrows,
    best_apart,
    counted,
    pays,
    picture,
    predicted,
    speedup,
    table,
)
from kernels.lab.measures import per_cent, ratio_interval, rounds, us

ENCODER = (1280, 5120)  # features, hidden: the feed-forward layer of Whisper large

POWER = (
    "Large products in a row reach the device's power limit, which is what holds its clocks back; "
    "both ways were timed in the same rounds, so it meets them alike."
)


def conclude(evidence: Evidence) -> Conclusion:
    """The one kernel against the products apart, at the encoder's size first of all."""
    fused = evidence.case("fused", features=ENCODER[0], hidden=ENCODER[1])
    apart = best_apart(evidence, fused)
    low, high = ratio_interval(fused.samples_us, apart.samples_us)
    p10, p90 = rounds(truediv, fused.samples_us, apart.samples_us)
    slower = fused.median_us / apart.median_us
    expected = 1 / predicted(evidence, fused)
    outcome = Outcome.HOLDS if low > 1 else Outcome.FAILS if high < 1 else Outcome.UNDECIDED
    return Conclusion(
        _sentence(evidence, outcome, slower),
        outcome,
        f"one kernel for 1280 → 5120 → 1280 takes {slower:.2f}× as long as cuBLAS's two"
        f"{_again(fused)}",
        Answer(
            slower, low, high, "95 % of resamplings", expected, "FLOPs and bytes", p10=p10, p90=p90
        ),
        numbers=numbers(evidence, fused, apart),
        pictures=(picture(evidence),),
        tables=(table(evidence),),
        notes=(
            *_hiding(evidence, fused, apart),
            *_notes(evidence, fused),
            *evidence.summary.get("notes", ()),
        ),
        suspects=(*_suspects(evidence), *evidence.summary.get("suspect", ())),
    )


def _sentence(evidence: Evidence, outcome: Outcome, slower: float) -> str:
    where, sizes = f"on this {evidence.device_name}", "1280 → 5120 → 1280"
    said = {
        Outcome.HOLDS: f"One kernel for both products takes {slower:.2f}× as long as cuBLAS's two "
        f"at {sizes} {where}",
        Outcome.FAILS: f"One kernel for both products is {1 / slower:.2f}× faster than cuBLAS's "
        f"two at {sizes} {where}",
        Outcome.UNDECIDED: f"No measurable difference between one kernel and cuBLAS's two at "
        f"{sizes} {where}",
    }[outcome]
    paying = pays(evidence)
    if not paying:
        return f"{said}; it is faster at no size tried."
    best = max(paying, key=lambda case: speedup(evidence, case))
    return f"{said}; it pays at {arrows(best)}, where it is {speedup(evidence, best):.2f}× faster."


def _again(fused: Case) -> str:
    """How much of its arithmetic the one kernel repeats by design; nothing where it does not."""
    count = counted(fused)
    more = count.flops_fused / count.flops
    return f", at {more:.2f}× their FLOPs by design" if count.times_h > 1 else ""


def _hiding(evidence: Evidence, fused: Case, apart: Case) -> tuple[str, ...]:
    """Why the intermediate's large share of the bytes is no share of the time, where it is none."""
    moving, working = hidden(evidence, fused)
    if moving >= working or apart.facts.get("passes"):
        return ()
    count = counted(fused)
    return (
        f"The intermediate is {per_cent(count.intermediate_share)} of the products' bytes, but all "
        f"of these, {count.bytes / 1e6:,.0f} MB, move in {us(moving)} µs at the limit and hide "
        f"under {us(working)} µs of arithmetic: keeping it on the chip saves no time here.",
    )


def _notes(evidence: Evidence, fused: Case) -> tuple[str, ...]:
    read, count = fused.fact("l2_bytes"), counted(fused)
    held = any("clocks back" in said for said in evidence.summary.get("suspect", ()))
    return (
        "The prediction takes each kernel to reach the peak of arithmetic or of memory that was "
        "measured in this run. At the encoder's size the one kernel falls short of it: its "
        f"programs also read {read / 1e9:,.0f} GB from the L2 cache, the weights anew for each "
        f"block of rows, where memory has to give {count.bytes_fused / 1e9:,.2f} GB.",
        "The one kernel is Triton's, with one launch for each size; a hand-written one that shares "
        "h among multiprocessors would repeat less.",
        *((POWER,) if held else ()),
    )


def _suspects(evidence: Evidence) -> tuple[str, ...]:
    return tuple(
        f"At {arrows(case)} the one kernel gains {speedup(evidence, case):.2f}×, over 15 % more "
        f"than bytes and FLOPs predict ({predicted(evidence, case):.2f}×)."
        for case in evidence.of("fused")
        if speedup(evidence, case) > 1.15 * max(1.0, predicted(evidence, case))
    )


EXPERIMENT = Experiment(
    name="matmuls",
    title="Two matmuls in one kernel",
    claim="Fusing two large matmuls does not pay.",
    shown=(
        "(x·W₁)·W₂ by two cuBLAS products and by one Triton kernel that keeps the intermediate on "
        "the chip, at one volume of x, from a few features to an encoder's feed-forward layer."
    ),
    question=Question(
        "How many times as long will the one kernel take as cuBLAS's two, at 1280 → 5120 → 1280?"
    ),
    parameters={
        "between": Parameter(
            "Between the products", {"nothing": "nothing between", "gelu": "GELU between"}
        ),
        "dtype": Parameter("Number format", {"bf16": "bfloat16", "fp16": "float16"}),
        "mode": MODE,
    },
    conclude=conclude,
    no_cpu=(
        "The matmuls experiment sets a Triton kernel against cuBLAS; neither runs on a processor."
    ),
)
