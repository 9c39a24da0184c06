"""The activation experiment's numbers: times against none, and the device's balance."""

from kernels.lab.activation_pictures import balance
from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import us


def case_of(evidence: Evidence, activation: str, dtype: str | None = None) -> Case:
    """The plain kernel with this activation, in the number format that the claim is tried in."""
    chosen = dtype or ("bf16" if evidence.on_gpu else "fp32")
    return evidence.case("plain", activation=activation, dtype=chosen)


def predicted(evidence: Evidence) -> float | None:
    """The time with erf against none by what is issued; None where nothing could read that."""
    cases = [case_of(evidence, name) for name in ("erf", "identity")]
    if any(case.facts.get("instructions") is None for case in cases):
        return None
    exact, none = (_over_bytes(evidence, case) for case in cases)
    return exact / none


def _over_bytes(evidence: Evidence, case: Case) -> float:
    """Time against that of the bytes: whichever of issuing and moving takes longer."""
    return max(1.0, case.fact("instructions") / balance(evidence, case))


def in_the_tuned(evidence: Evidence) -> tuple[str, ...]:
    """What the erf's instructions would come to in the tuned kernel, which was not timed with it.

    Nothing where nothing could read them.
    """
    tuned = evidence.of("fused", activation="identity", dtype="bf16")
    cases = [case_of(evidence, "erf"), case_of(evidence, "identity"), *tuned[:1]]
    counts = [case.facts.get("instructions") for case in cases]
    if not tuned or None in counts:
        return ()
    exact, none, bare = counts
    most, total = balance(evidence, tuned[0]), bare + exact - none
    return (
        f"The library's erf was timed in the plain kernel alone, where it adds {exact - none:.1f} "
        f"instructions an element. With the tuned kernel's {bare:.1f} that would be {total:.1f}, "
        f"{'under' if total < most else 'over'} the balance of {most:.1f}; this run does not show "
        "whether that kernel would leave the slope too.",
    )


def numbers(evidence: Evidence, none: Case, exact: Case) -> tuple[Number, ...]:
    """What an activation costs in time, and how many instructions cost none."""
    times = [_ratio("Time with erf, against none", exact, none)]
    if not evidence.on_gpu:
        return tuple(times)
    times += _by_instructions(evidence, none, exact)
    cheap = case_of(evidence, "gelu")
    in_fp32 = [case_of(evidence, name, "fp32") for name in ("erf", "identity")]
    times.append(_ratio("Time with GELU from the normal tail, against none", cheap, none))
    times.append(_ratio("In float32: time with erf, against none", *in_fp32))
    balances = [_balance_number(evidence, case) for case in (exact, in_fp32[0])]
    return (*times, *balances)


def _by_instructions(evidence: Evidence, none: Case, exact: Case) -> list[Number]:
    value, most = predicted(evidence), balance(evidence, exact)
    if value is None:
        return []
    spent = [case.fact("instructions") for case in (exact, none)]
    formula = "each the larger of 1 and instructions ÷ balance: erf ÷ none"
    inputs = " ÷ ".join(f"max(1, {count:.1f} ÷ {most:.1f})" for count in spent)
    return [Number("The same by instructions", value, f"{value:.2f}×", formula, inputs)]


def _ratio(name: str, one: Case, other: Case) -> Number:
    value = one.median_us / other.median_us
    inputs = f"{us(one.median_us)} µs ÷ {us(other.median_us)} µs"
    return Number(name, value, f"{value:.2f}×", "median ÷ median", inputs)


def _balance_number(evidence: Evidence, case: Case) -> Number:
    most, limit = balance(evidence, case), evidence.limit["add_gb_per_s"]
    each = case.fact("bytes") / case.fact("elements")
    return Number(
        f"Balance, {case.at['dtype']}",
        most,
        f"{most:.1f} instructions an element",
        "multiprocessors × 4 schedulers × 32 lanes × clock ÷ (limit ÷ bytes an element)",
        f"{evidence.limit['issued_per_s'] / 1e12:,.2f} × 10¹² instructions a second ÷ "
        f"({limit:,.0f} GB/s ÷ {each:.2f} B)",
    )
