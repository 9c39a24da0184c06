"""One pass against separate kernels: what the bytes predict, and what is measured."""

from operator import truediv

from kernels.bench.protocol import DIRECTIONS, PRESETS
from kernels.lab import chain_numbers, chain_shown
from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.doubts import MOST_OVER_BYTES, above_bytes, suspects
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import DTYPE, Experiment, Parameter, Question
from kernels.lab.measures import per_cent, ratio_interval, rounds

FAR = 0.5
"""Of the machine's limit: under it bytes are not what sets a kernel's time."""

MODES = (
    "torch.compile is timed in its default mode here. The table in content/recordings/nvidia-h200/"
    "limits.txt, our own run on an NVIDIA H200, has the faster of that and of its max-autotune "
    "mode, which takes up to minutes to compile."
)

DIRECTION_WORDS = {"both": "forward and backward"}


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
        chain_numbers.by_tensors(evidence, by_bytes)
        + f"{by_bytes:.2f}× by bytes; {measured:.2f}× measured",
        Answer(measured, low, high, "95 % of resamplings", by_bytes, "bytes", p10=p10, p90=p90),
        numbers=chain_numbers.numbers(evidence, separate, fused, (low, high)),
        pictures=(chain_shown.picture(evidence, fused),),
        tables=(chain_shown.table(evidence),),
        notes=(*evidence.summary.get("notes", ()), *_compiled(evidence)),
        suspects=_suspects(evidence, measured, by_bytes),
    )


def _compiled(evidence: Evidence) -> tuple[str, ...]:
    """How torch.compile was used, and what its few bytes don't explain far from the limit."""
    shares = [case.fact("share_of_limit") for case in evidence.of("compiled")]
    if not shares:
        return ()
    if shares[0] >= FAR:
        return (MODES,)
    return (
        MODES,
        f"Counted with one pass's bytes, torch.compile reaches {per_cent(shares[0])} of the limit: "
        "it moves more than those, or something else sets its time. This run does not show which; "
        "where a profiler is at hand, the experiment on FLOPs, bytes and time counts both.",
    )


def _suspects(evidence: Evidence, measured: float, by_bytes: float) -> tuple[str, ...]:
    """What the run said of itself, and what its times say, each once."""
    over = (above_bytes(measured, by_bytes),) if measured > MOST_OVER_BYTES * by_bytes else ()
    return tuple(dict.fromkeys((*suspects(evidence), *over)))


def _sentence(evidence: Evidence, outcome: Outcome, measured: float) -> str:
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    many = _many(evidence)
    if outcome is Outcome.UNDECIDED:
        return f"No measurable difference between one pass and {many} {where}."
    if outcome is Outcome.FAILS:
        return f"One pass is {1 / measured:.2f}× slower than {many} {where}."
    return f"One pass is {measured:.2f}× faster than {many}{_beside_eager(evidence)} {where}."


def _beside_eager(evidence: Evidence) -> str:
    """What one pass gains on PyTorch's own operators, if it gains on them and they were timed."""
    ratios = [e.median_us / evidence.case("fused").median_us for e in evidence.of("eager")]
    return "".join(f" and {r:.2f}× faster than PyTorch eager" for r in ratios if r > 1)


def _many(evidence: Evidence) -> str:
    if not evidence.on_gpu:
        return "five separate passes"
    forward = evidence.parameters["direction"] == "forward"
    return "the three separate kernels" if forward else "the separate kernels"


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
