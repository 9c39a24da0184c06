"""Where the chain and the matrix products lie under this device's measured roofline."""

from kernels.lab.conclusion import Answer, Conclusion, Outcome
from kernels.lab.doubts import LESS_WAS_DONE, LESS_WAS_MOVED, MOST_SHARE, above, suspects
from kernels.lab.evidence import Case, Evidence
from kernels.lab.experiment import MODE, Experiment, Kind, Question
from kernels.lab.measures import per_cent
from kernels.lab.roofline_numbers import notes, numbers
from kernels.lab.roofline_pictures import picture, table
from kernels.lab.roofs import CHAIN, DENSE, NAMES, Roofs, intensity, rate, shown

UNDER = 0.6
"""A point below this share of the roof above it is held by something else than that roof."""
LAUNCHES = 3
"""Times that of a kernel over one element, under which starting it is the most of its time."""

OPTIONS = {
    "memory": "Memory bandwidth",
    "matrix": "Matrix units",
    "fp32": "Float32 arithmetic",
    "launches": "Starting kernels",
    "other": "None of these",
}
BINDS = {  # in the table, and of the fused chain
    "memory": ("memory", "memory binds it"),
    "matrix": ("arithmetic", "matrix units bind it"),
    "fp32": ("float32 arithmetic", "float32 arithmetic binds it"),
    "launches": ("its start", "its start takes most of its time"),
    "other": ("none of the roofs", "none of the roofs binds it"),
}

RIDGES = {"fp32": "float32's ridge", "matrix": "the matrix units'"}
PRODUCTS = "all projections and feed-forward products"


def conclude(evidence: Evidence) -> Conclusion:
    """The chain's and the dense products' intensities, each against its own measured ridge."""
    roofs = Roofs(evidence)
    fused, up = evidence.case("fused"), evidence.case("ffn_up")
    bound = binds(evidence, roofs, fused)
    outcome = _outcome(evidence, roofs)
    return Conclusion(
        _sentence(evidence, outcome, roofs, bound),
        outcome,
        f"the fused chain does {_placed(fused, roofs, ' FLOPs a byte')}, and {BINDS[bound][1]}; "
        f"the feed-forward product does {_placed(up, roofs)}",
        Answer(choice=bound),
        numbers=numbers(evidence, roofs),
        pictures=(picture(evidence, roofs),),
        tables=(table(evidence, roofs, lambda case: BINDS[binds(evidence, roofs, case)][0]),),
        notes=(*evidence.summary.get("notes", ()), *notes(evidence, roofs)),
        suspects=(*suspects(evidence), *_above(evidence, roofs)),
    )


def binds(evidence: Evidence, roofs: Roofs, case: Case) -> str:
    """What holds this case back: the roof it is near to, launches, or none of these."""
    if evidence.has("launch") and case.median_us < LAUNCHES * evidence.case("launch").median_us:
        return "launches"
    roof, height = roofs.over(case)
    return roof if rate(case) >= UNDER * height else "other"


def _outcome(evidence: Evidence, roofs: Roofs) -> Outcome:
    """Holds where the whole chain is left of its ridge, all dense products right of theirs."""
    chain = max((case for name in CHAIN for case in evidence.of(name)), key=intensity)
    dense = min(map(evidence.case, DENSE), key=intensity)
    (chain_low, chain_high), (low, high) = map(roofs.ridge_interval, (chain, dense))
    if intensity(chain) >= chain_high or intensity(dense) <= low:
        return Outcome.FAILS
    apart = intensity(chain) < chain_low and intensity(dense) > high
    return Outcome.HOLDS if apart else Outcome.UNDECIDED


def _placed(case: Case, roofs: Roofs, unit: str = "") -> str:
    """`2.2 FLOPs a byte, left of float32's ridge at 15.0`."""
    whose = RIDGES[roofs.arithmetic(case)[0]] if roofs.fp32 else "the ridge"
    ridge = shown(roofs.ridge_of(case))
    return f"{shown(intensity(case))}{unit}, {roofs.side(case)} of {whose} at {ridge}"


def _sentence(evidence: Evidence, outcome: Outcome, roofs: Roofs, bound: str) -> str:
    where = f"on {'' if evidence.on_gpu else 'one core of '}this {evidence.device_name}"
    fused, up = evidence.case("fused"), evidence.case("ffn_up")
    _, height = roofs.over(fused)
    said = (
        f"The fused chain does {_placed(fused, roofs, ' FLOPs a byte')}, and reaches "
        f"{per_cent(rate(fused) / height)} of the roof above it {where}; the feed-forward product "
        f"does {_placed(up, roofs)}"
    )
    if outcome is Outcome.FAILS:
        return f"{said}: not all of the chain is left of its ridge and {PRODUCTS} right of theirs."
    if outcome is Outcome.UNDECIDED:
        return f"{said}: the ridges are not known well enough to say on which sides all points lie."
    return f"{said}." if bound == "memory" else f"{said}. Of the chain: {BINDS[bound][1]}."


def _above(evidence: Evidence, roofs: Roofs) -> tuple[str, ...]:
    cases = [case for name in (*CHAIN, *DENSE, "scores") for case in evidence.of(name)]
    found = [(case, *roofs.over(case)) for case in cases]
    return tuple(
        above(
            NAMES[case.variant],
            case,
            rate(case) / height,
            "the roof above it",
            LESS_WAS_MOVED if roof == "memory" else LESS_WAS_DONE,
        )
        for case, roof, height in found
        if rate(case) > MOST_SHARE * height
    )


EXPERIMENT = Experiment(
    name="roofline",
    title="The roofline, and what lies under it",
    claim=(
        "The chain lives left of the ridge of the arithmetic that it can use, the encoder's "
        "projections and feed-forward products right of theirs."
    ),
    shown=(
        "This device's roofs as measured in the run, and under them the chain's stages, the fused "
        "chain, and the matrix products of one encoder block, each with what binds it."
    ),
    question=Question("What binds the fused chain?", Kind.CHOICE, OPTIONS),
    parameters={"mode": MODE},
    conclude=conclude,
)
