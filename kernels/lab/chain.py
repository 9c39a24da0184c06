"""One pass against separate kernels: what the bytes predict, and what is measured."""

from operator import truediv

from kernels.bench.protocol import DIRECTIONS, PRESETS
from kernels.lab.conclusion import Answer, Conclusion, Number, Outcome
from kernels.lab.evidence import MOST_OVER_BYTES, Case, Evidence, above_bytes
from kernels.lab.experiment import DTYPE, Experiment, Parameter, Question
from kernels.lab.measures import per_cent, ratio_interval, rounds
from kernels.lab.pictures import Bar, Bars, Mark, Table
from kernels.traffic import Chain, tensor_transfers

FAR = 0.5
"""Of the machine's limit: under it bytes are not what sets a kernel's time."""

NAMES = {
    "separate": "Separate kernels",
    "eager": "PyTorch, eager",
    "compiled": "torch.compile",
    "fused": "One pass",
}
DIRECTION_WORDS = {"both": "forward and backward"}
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
    p10, p90 = rounds(truediv, separate.samples_us, fused.samples_us)
    measured = separate.median_us / fused.median_us
    by_bytes = separate.fact("bytes") / fused.fact("bytes")
    outcome = Outcome.HOLDS if low > 1 else Outcome.FAILS if high < 1 else Outcome.UNDECIDED
    return Conclusion(
        _sentence(evidence, outcome, measured),
        outcome,
        f"{_by_tensors(evidence, by_bytes)}{by_bytes:.2f}× by bytes; {measured:.2f}× measured",
        Answer(measured, low, high, "95 % of resamplings", by_bytes, "bytes", p10=p10, p90=p90),
        numbers=_numbers(evidence, separate, fused, (low, high)),
        pictures=(_picture(evidence, fused),),
        tables=(_table(evidence),),
        notes=(*evidence.summary.get("notes", ()), *_compiled(evidence)),
        suspects=_suspects(evidence, measured, by_bytes),
    )


def _compiled(evidence: Evidence) -> tuple[str, ...]:
    """What its few bytes don't explain, where torch.compile is far from the limit."""
    shares = [case.fact("share_of_limit") for case in evidence.of("compiled")]
    if not shares or shares[0] >= FAR:
        return ()
    return (
        f"Counted with one pass's bytes, torch.compile reaches {per_cent(shares[0])} of the limit: "
        "it moves more than those, or something else sets its time. This run does not show which.",
    )


def _suspects(evidence: Evidence, measured: float, by_bytes: float) -> tuple[str, ...]:
    """What the run said of itself, and what its times say, each once."""
    over = (above_bytes(measured, by_bytes),) if measured > MOST_OVER_BYTES * by_bytes else ()
    return tuple(dict.fromkeys((*evidence.suspects, *over)))


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


def _numbers(
    evidence: Evidence, separate: Case, fused: Case, within: tuple[float, float]
) -> tuple[Number, ...]:
    card = _card_speedup(evidence)
    moved = [case.fact("bytes") / 1e6 for case in (separate, fused)]
    by_bytes = moved[0] / moved[1]
    return (
        Number(
            "Transfers, residual left out",
            card,
            f"{card:.2f}×",
            f"whole tensors carried: separate ÷ one pass{_transfers(evidence)}",
            f"{card:.2f}",
        ),
        Number(
            "By the bytes, residual counted",
            by_bytes,
            f"{by_bytes:.2f}×",
            "separate's bytes ÷ fused's bytes",
            f"{moved[0]:,.1f} MB ÷ {moved[1]:,.1f} MB",
        ),
        *_beside(evidence),
        _measured("Measured", separate, fused, within),
    )


def _card_speedup(evidence: Evidence) -> float:
    """Of the kernels it is counted here; of a processor's chain the run has to say it."""
    if not evidence.on_gpu:
        return evidence.summary["card_speedup"]
    separate, fused = _tensors(evidence, without=("residual",))
    return separate / fused


def _transfers(evidence: Evidence) -> str:
    """What went into that count; of a processor's chain the ledger of the kernels knows nothing."""
    if not evidence.on_gpu:
        return ""
    return " = {} ÷ {}".format(*_tensors(evidence, without=("residual",)))


def _by_tensors(evidence: Evidence, by_bytes: float) -> str:
    """`7/3 = `, where the whole tensors alone make the ratio of the bytes."""
    if not evidence.on_gpu:
        return ""
    separate, fused = _tensors(evidence)
    return f"{separate}/{fused} = " if abs(separate / fused - by_bytes) < 0.005 else ""


def _tensors(evidence: Evidence, without: tuple[str, ...] = ()) -> list[int]:
    """Whole tensors that the separate kernels and the one pass move, of whatever shape."""
    any_shape, direction = Chain(4096, 1024), evidence.parameters["direction"]
    variants = ("separate", "fused")
    return [tensor_transfers(any_shape, one, direction, without) for one in variants]


def _beside(evidence: Evidence) -> tuple[Number, ...]:
    """The norm chain that a processor times in the same rounds, if it did."""
    if not evidence.has("chain_separate"):
        return ()
    separate, fused = evidence.case("chain_separate"), evidence.case("chain_fused")
    within = ratio_interval(separate.samples_us, fused.samples_us)
    return (_measured("Layer norm → GELU → + r, measured", separate, fused, within),)


def _measured(name: str, separate: Case, fused: Case, interval: tuple[float, float]) -> Number:
    low, high = interval
    ratio = separate.median_us / fused.median_us
    formula = "separate's median ÷ fused's median"
    within = f"; 95 % of resamplings lie within {low:.2f}–{high:.2f}×"
    times = f"{separate.median_us:,.1f} µs ÷ {fused.median_us:,.1f} µs"
    return Number(name, ratio, f"{ratio:.2f}×", formula, times + within)


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
    note = f"{per_cent(case.fact('share_of_limit'))} of the limit"
    return Bar(name, case.median_us, case.p10_us, case.p90_us, note, role)


def _table(evidence: Evidence) -> Table:
    names = NAMES if evidence.on_gpu else NAMES_ON_CPU
    columns = (
        "Variant", "Median, µs", "p10–p90, µs", "Bytes, MB", "Rate, GB/s", "Of the limit",
        *(("Launches", "Peak memory, MB") if evidence.on_gpu else ()),
    )  # fmt: skip
    shown = [evidence.case(name) for name in names if evidence.has(name)]
    limit = evidence.limit["add_gb_per_s"]
    return Table(
        "What was measured",
        columns,
        tuple((names[case.variant], *_cells(case))[: len(columns)] for case in shown),
        f"The limit is {limit:,.1f} GB/s: two reads and one write of the same tensors, timed in "
        "this run. Rate = bytes ÷ median. Of the limit = rate ÷ limit.",
    )


def _cells(case: Case) -> tuple[str, ...]:
    launches, peak = case.facts.get("launches"), case.facts.get("peak_memory_bytes")
    return (
        f"{case.median_us:,.1f}",
        f"{case.p10_us:,.1f}–{case.p90_us:,.1f}",
        f"{case.fact('bytes') / 1e6:,.1f}",
        f"{case.gb_per_s:,.0f}" if case.gb_per_s >= 100 else f"{case.gb_per_s:.1f}",
        per_cent(case.fact("share_of_limit")),
        "–" if launches is None else f"{launches}",
        "–" if peak is None else f"{peak / 1e6:,.1f}",
    )


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
        "direction": Parameter(
            "Direction", {name: DIRECTION_WORDS.get(name, name) for name in DIRECTIONS}
        ),
    },
    conclude=conclude,
    on_cpu={"dtype": "fp32", "direction": "forward"},
)  # fmt: skip
