"""What a run of share measured: the chain's share, its speed-up, the step's gain."""

from kernels.lab.conclusion import Amdahl, Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import per_cent, ratio_interval, us


def amdahl(evidence: Evidence) -> Amdahl:
    """The chain's share of the separate step, and how many times faster the chain alone gets."""
    alone = [evidence.case("chain", way=way).median_us for way in ("separate", "fused")]
    step = evidence.case("step", way="separate")
    return Amdahl(_chain_us(evidence) / step.median_us, alone[0] / alone[1])


def _chain_us(evidence: Evidence) -> float:
    if evidence.has("chain_in_step", way="separate"):
        return evidence.case("chain_in_step", way="separate").median_us
    alone = evidence.case("chain", way="separate")
    return alone.median_us * alone.fact("calls")


def share_interval(evidence: Evidence) -> tuple[float, float]:
    """A 95 % interval of the chain's share, in per cent of the step."""
    step, chain = (
        evidence.case("step", way="separate"),
        evidence.of("chain_in_step", way="separate"),
    )
    if not chain:
        share = 100 * amdahl(evidence).share
        return share, share
    low, high = ratio_interval(chain[0].samples_us, step.samples_us)
    return 100 * low, 100 * high


def shorter_by(before: float, after: float) -> float:
    """By how many per cent of itself a time got shorter."""
    return 100 * (1 - after / before)


def numbers(evidence: Evidence, rule: Amdahl, gain: float, predicted: float) -> tuple[Number, ...]:
    alone = [evidence.case("chain", way=way) for way in ("separate", "fused")]
    step, fused = (evidence.case("step", way=way) for way in ("separate", "fused"))
    return (
        Number(
            "The chain's share of the step", 100 * rule.share, per_cent(rule.share, 1),
            "time of the chain's kernels in the separate step ÷ the step's time",
            f"{_chain_us(evidence):,.0f} µs ÷ {step.median_us:,.0f} µs",
        ),
        Number(
            "The chain alone, forward and backward", rule.speedup, f"{rule.speedup:.2f}×",
            "separate's median ÷ fused's median", _over(*alone),
        ),
        *_within(evidence),
        Number(
            "The step's gain by Amdahl's rule", predicted, per_cent(predicted / 100, 1), "x − x/s",
            f"{per_cent(rule.share, 1)} − {per_cent(rule.share, 1)} ÷ {rule.speedup:.2f}",
        ),
        Number(
            "The step's gain, measured", gain, per_cent(gain / 100, 1),
            "1 − fused step's median ÷ separate step's median", f"1 − {_over(fused, step)}",
        ),
    )  # fmt: skip


def _within(evidence: Evidence) -> tuple[Number, ...]:
    """The chain's speed-up inside the step, where the profiler saw it."""
    inside = [evidence.of("chain_in_step", way=way) for way in ("separate", "fused")]
    if not all(inside):
        return ()
    separate, fused = (cases[0] for cases in inside)
    value = separate.median_us / fused.median_us
    formula = "its kernels' time in the separate step ÷ in the fused step"
    return (Number("The chain within the step", value, f"{value:.2f}×", formula,
                   _over(separate, fused)),)  # fmt: skip


def _over(over: Case, under: Case) -> str:
    return f"{us(over.median_us)} µs ÷ {us(under.median_us)} µs"
