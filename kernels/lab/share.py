"""A whole training step: fusing the chain saves a part of the chain's share, never more.

Amdahl's rule: with a share x of the step that becomes s times faster, the step gets shorter
by x − x/s of itself, under x however large s is.
"""

from kernels.lab.conclusion import Amdahl, Answer, Conclusion, Outcome
from kernels.lab.evidence import Evidence
from kernels.lab.experiment import MODE, Experiment, Kind, Parameter, Question
from kernels.lab.measures import interval, per_cent, rounds, small_share
from kernels.lab.share_measured import amdahl, numbers, share_interval, shorter_by
from kernels.lab.share_pictures import parts, steps, table

MODELS = {
    "quartznet": "QuartzNet's and Citrinet's manner: separable convolutions",
    "conformer": "Conformer's manner: attention and convolution",
}
NAMES = {"quartznet": "QuartzNet", "conformer": "Conformer"}
MOST_OVER_PREDICTION = 1.15


def conclude(evidence: Evidence) -> Conclusion:
    """The step's measured gain against the chain's share, and against Amdahl's rule."""
    separate, fused = (evidence.case("step", way=way) for way in ("separate", "fused"))
    gain = shorter_by(separate.median_us, fused.median_us)
    low, high = interval(shorter_by, separate.samples_us, fused.samples_us)
    p10, p90 = rounds(shorter_by, separate.samples_us, fused.samples_us)
    rule = amdahl(evidence)
    predicted = 100 * (rule.share - rule.share / rule.speedup)
    outcome = _outcome(low, high, share_interval(evidence))
    return Conclusion(
        _sentence(evidence, outcome, gain, rule, same=low <= 0 <= high),
        outcome,
        f"the chain is {small_share(rule.share)} of the step{_modelled(evidence)}: "
        f"{per_cent(predicted / 100, 1)} by Amdahl; {per_cent(gain / 100, 1)} measured",
        Answer(
            gain, low, high, "95 % of resamplings", predicted, "Amdahl's rule", p10=p10, p90=p90
        ),
        numbers=numbers(evidence, rule, gain, predicted),
        pictures=tuple(p for p in (steps(evidence, predicted), parts(evidence)) if p),
        tables=(table(evidence),),
        notes=(*_notes(evidence), *evidence.summary.get("notes", ())),
        suspects=(*_suspects(gain, predicted), *evidence.summary.get("suspect", ())),
        amdahl=rule,
    )


def _outcome(low: float, high: float, share: tuple[float, float]) -> Outcome:
    """Holds where there is a gain, wholly under the share; fails above it, or where time grew."""
    if low > share[1] or high < 0:
        return Outcome.FAILS
    return Outcome.HOLDS if low > 0 and high < share[0] else Outcome.UNDECIDED


def _modelled(evidence: Evidence) -> str:
    """On which model the step is modelled: the share is that one's, and another has another."""
    name = NAMES.get(evidence.parameters.get("model", ""))
    return f" modelled on {name}" if name else ""


def _sentence(
    evidence: Evidence, outcome: Outcome, gain: float, rule: Amdahl, *, same: bool
) -> str:
    where, much = f"on this {evidence.device_name}", per_cent(abs(gain) / 100, 1)
    step, share = f"whole step{_modelled(evidence)}", small_share(rule.share)
    what = f"the chain is {share} of the step and gets {rule.speedup:.2f}× faster"
    if gain < 0 and outcome is Outcome.FAILS:
        return f"The {step} gets {much} longer {where}, though {what}."
    if outcome is Outcome.FAILS:
        more = "more than the chain's share"
        return f"The {step} gets {much} shorter {where}, {more}: {what}."
    if same:
        return f"No measurable difference in the {step} {where}, though {what}."
    if outcome is Outcome.UNDECIDED:
        return f"This run can't tell how the {step} changes {where}; {what}."
    return f"The {step} gets {much} shorter {where}: {what}."


def _notes(evidence: Evidence) -> tuple[str, ...]:
    source = (
        "The share is of kernel times as the profiler sees them in replays of the step; the gaps "
        "between kernels belong to no part, and fewer kernels leave fewer of them."
        if evidence.has("chain_in_step", way="separate")
        else "The profiler saw no kernels here: the share is the chain's time alone, cold, times "
        "its calls, which is more than it takes in the step."
    )
    return (
        source,
        "The chain alone is timed with cold caches. In the step it finds a part of its input in "
        "the L2 cache, which the product before it has just written, so separate kernels lose "
        "less there than their bytes say.",
    )


def _suspects(gain: float, predicted: float) -> tuple[str, ...]:
    if gain <= MOST_OVER_PREDICTION * predicted:
        return ()
    return (
        f"The step gains {per_cent(gain / 100, 1)}, over 15 % more than Amdahl's rule allows "
        f"({per_cent(predicted / 100, 1)}): something else than the chain changed too.",
    )


EXPERIMENT = Experiment(
    name="share",
    title="The chain's share of a training step",
    claim="The step's gain is capped by the chain's share of it.",
    shown=(
        "A speech encoder's training step, forward, loss, backward and optimizer, with the chain "
        "as separate kernels and as one: the chain's share, Amdahl's prediction, the gain."
    ),
    question=Question("By how many per cent will the whole step get shorter?", Kind.PERCENT),
    parameters={"model": Parameter("Encoder", MODELS), "mode": MODE},
    conclude=conclude,
    no_cpu=(
        "The share experiment times a training step around the Triton kernels, which a processor "
        "can't run at speed."
    ),
)
