"""The chain's numbers, each with its formula: the card's count, the bytes, what was measured."""

from kernels.lab.conclusion import Number
from kernels.lab.evidence import Case, Evidence
from kernels.lab.measures import figures, ratio_interval
from kernels.traffic import Chain, tensor_transfers

FLOAT32 = 4  # bytes


def numbers(
    evidence: Evidence, separate: Case, fused: Case, within: tuple[float, float]
) -> tuple[Number, ...]:
    """The counts without and with the residual, and the measured ratios with their intervals."""
    carried = _carried(evidence)
    card = carried[0] / carried[1]
    moved = [case.fact("bytes") / 1e6 for case in (separate, fused)]
    by_bytes = moved[0] / moved[1]
    return (
        Number(
            "Transfers, residual left out",
            card,
            f"{card:.2f}×",
            "whole tensors carried: separate ÷ one pass",
            "{} ÷ {}".format(*carried),
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
        *_against_eager(evidence, fused),
    )


def _carried(evidence: Evidence) -> list[int]:
    """Whole tensors that the separate kernels and the one pass carry, the residual left out.

    A processor's chain is another than the kernels'; its tensors are counted from its bytes.
    """
    if evidence.on_gpu:
        return _tensors(evidence, without=("residual",))
    tensor = evidence.parameters["rows"] * evidence.parameters["features"] * FLOAT32
    moved = [evidence.case(name).fact("bytes") for name in ("separate", "fused")]
    return [round(each / tensor) - 1 for each in moved]


def by_tensors(evidence: Evidence, by_bytes: float) -> str:
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


def _against_eager(evidence: Evidence, fused: Case) -> tuple[Number, ...]:
    """What one pass gains on PyTorch's own operators, which are what people replace by it."""
    return tuple(
        _measured(
            "Against PyTorch eager, measured", eager, fused,
            ratio_interval(eager.samples_us, fused.samples_us),
        )
        for eager in evidence.of("eager")
    )  # fmt: skip


def _measured(name: str, separate: Case, fused: Case, interval: tuple[float, float]) -> Number:
    low, high = interval
    ratio = separate.median_us / fused.median_us
    formula = f"{separate.variant.removeprefix('chain_')}'s median ÷ fused's median"
    within = f"; 95 % of resamplings lie within {low:.2f}–{high:.2f}×"
    times = f"{figures(separate.median_us)} µs ÷ {figures(fused.median_us)} µs"
    return Number(name, ratio, f"{ratio:.2f}×", formula, times + within)
