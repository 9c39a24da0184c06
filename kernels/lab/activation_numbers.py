"""The activation experiment's numbers: times against none, and the device's balance."""

from kernels.lab.activation_pictures import balance
from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence


def case_of(evidence: Evidence, activation: str, dtype: str | None = None) -> Case:
    """The plain kernel with this activation, in the number format that the claim is tried in."""
    chosen = dtype or ("bf16" if evidence.on_gpu else "fp32")
    return evidence.case("plain", activation=activation, dtype=chosen)


def predicted(evidence: Evidence, case: Case) -> float:
    """Time against that of the bytes: whichever of issuing and moving takes longer."""
    spent = case.facts.get("instructions")
    return 1.0 if spent is None else max(1.0, spent / balance(evidence, case))


def numbers(evidence: Evidence, none: Case, exact: Case) -> tuple[Number, ...]:
    """What an activation costs in time, and how many instructions cost none."""
    times = [_ratio("Time with erf, against none", exact, none)]
    if not evidence.on_gpu:
        return tuple(times)
    cheap = case_of(evidence, "gelu")
    in_fp32 = [case_of(evidence, name, "fp32") for name in ("erf", "identity")]
    times.append(_ratio("Time with GELU from the normal tail, against none", cheap, none))
    times.append(_ratio("In float32: time with erf, against none", *in_fp32))
    balances = [_balance_number(evidence, case) for case in (exact, in_fp32[0])]
    return (*times, *balances)


def _ratio(name: str, one: Case, other: Case) -> Number:
    value = one.median_us / other.median_us
    inputs = f"{one.median_us:,.1f} µs ÷ {other.median_us:,.1f} µs"
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
