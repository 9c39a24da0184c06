"""One pass against separate kernels: what the bytes predict, and what is measured."""

from kernels.bench.protocol import DIRECTIONS, PRESETS
from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import DTYPE, Experiment, Parameter, Question
from kernels.lab.measures import ratio_interval
from kernels.lab.pictures import Bar, Bars, Mark

NAMES = {
    "separate": "Separate kernels",
    "eager": "PyTorch, eager",
    "compiled": "torch.compile",
    "fused": "One pass",
}
NAMES_ON_CPU = {
    "separate": "Separate passes",
    "fused": "One pass",
    "chain_separate": "Norm chain, separate",
    "chain_fused": "Norm chain, one pass",
}


def conclude(evidence: Evidence) -> Conclusion:
    """The fused kernel against the separate ones, from both cases' samples."""
    separate, fused = evidence.case("separate"), evidence.case("fused")
    low, high = ratio_interval(separate.samples_us, fused.samples_us)
    measured = separate.median_us / fused.median_us
    by_bytes = separate.fact("bytes") / fused.fact("bytes")
    outcome = Outcome.HOLDS if low > 1 else Outcome.FAILS if high < 1 else Outcome.UNDECIDED
    return Conclusion(
        _sentence(evidence, outcome, measured),
        outcome,
        f"{by_bytes:.2f}× by bytes; {measured:.2f}× measured",
        Answer(measured, low, high, "95 % of resamplings", by_bytes, "bytes"),
        numbers=_numbers(evidence, separate, fused),
        pictures=(_picture(evidence, fused),),
        notes=tuple(evidence.summary.get("notes", ())),
        suspects=tuple(evidence.summary.get("suspect", ())),
    )


def _sentence(evidence: Evidence, outcome: Outcome, measured: float) -> str:
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    many = _many(evidence)
    if outcome is Outcome.UNDECIDED:
        return f"No measurable difference between one pass and {many} {where}."
    if outcome is Outcome.FAILS:
        return f"One pass is {1 / measured:.2f}× slower than {many} {where}."
    return f"One pass is {measured:.2f}× faster than {many} {where}."


def _many(evidence: Evidence) -> str:
    if not evidence.on_gpu:
        return "five separate passes"
    forward = evidence.parameters["direction"] == "forward"
    return "the three separate kernels" if forward else "the separate kernels"


def _numbers(evidence: Evidence, separate: Case, fused: Case) -> tuple[Number, ...]:
    card = evidence.summary["card_speedup"]
    moved = [case.fact("bytes") / 1e6 for case in (separate, fused)]
    by_bytes, measured = moved[0] / moved[1], separate.median_us / fused.median_us
    return (
        Number(
            "Transfers, residual left out", card, f"{card:.2f}×",
            "whole tensors carried: separate ÷ one pass", f"{card:.2f}",
        ),
        Number(
            "By the bytes, residual counted", by_bytes, f"{by_bytes:.2f}×",
            "separate's bytes ÷ fused's bytes", f"{moved[0]:,.1f} MB ÷ {moved[1]:,.1f} MB",
        ),
        Number(
            "Measured", measured, f"{measured:.2f}×", "separate's median ÷ fused's median",
            f"{separate.median_us:,.1f} µs ÷ {fused.median_us:,.1f} µs",
        ),
    )  # fmt: skip


def _picture(evidence: Evidence, fused: Case) -> Bars:
    names = NAMES if evidence.on_gpu else NAMES_ON_CPU
    shown = [evidence.case(name) for name in names if evidence.has(name)]
    least = fused.fact("bytes") / evidence.limit["add_gb_per_s"] / 1e3
    return Bars(
        "Time of each variant",
        "µs",
        tuple(_bar(names[case.variant], case) for case in shown),
        Mark(least, f"limit for one pass {least:,.1f} µs"),
        "Median; the thin line spans p10 to p90. The dashed line is the least time in which the "
        "machine could move what one pass moves.",
    )


def _bar(name: str, case: Case) -> Bar:
    role = "one" if "fused" in case.variant else "many" if "separate" in case.variant else "other"
    note = f"{case.fact('share_of_limit'):.0%} of the limit"
    return Bar(name, case.median_us, case.p10_us, case.p90_us, note, role)


EXPERIMENT = Experiment(
    name="chain",
    title="One pass against separate kernels",
    claim="Separate passes cost traffic, and one pass removes it.",
    shown=(
        "The chain norm → activation → add the residual, once as one Triton kernel and once as "
        "separate ones, on the activations of a real encoder."
    ),
    question=Question("How many times faster will one pass be?"),
    parameters={
        "preset": Parameter(
            "Shape", {name: f"{p.title} ({p.batch} × {p.frames} × {p.features})"
                      for name, p in PRESETS.items()},
        ),
        "dtype": DTYPE,
        "direction": Parameter("Direction", {name: name for name in DIRECTIONS}),
    },
    conclude=conclude,
)  # fmt: skip
