"""What a run concludes: derived numbers with their formulas, and what is doubtful about them."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from kernels import traffic
from kernels.bench.protocol import Request
from kernels.lab.doubts import MOST_OVER_BYTES, MOST_SHARE, above_bytes, above_limit
from kernels.lab.measures import compare, times
from kernels.tiling import MOST_FEATURES

LAUNCH_BOUND_BYTES = 2_000_000

FORMULAS = {
    "gb_per_s": "bytes / median_us / 1000",
    "share_of_limit": "gb_per_s / limit.add_gb_per_s",
    "speedup": "separate.median_us / fused.median_us",
    "predicted_speedup": "separate.bytes / fused.bytes",
    "card_speedup": "transfers of the whole tensor without the residual: separate / fused",
}


def chain_of(request: Request) -> traffic.Chain:
    """What the byte counts are made for."""
    shape = (request.rows, request.features)
    return traffic.Chain(*shape, request.dtype, request.norm, request.activation)


def rate(moved: int, microseconds: float) -> float:
    """GB/s."""
    return round(moved / microseconds / 1e3, 2)


def limit(copy: Sequence[float], add: Sequence[float], tensor_bytes: int) -> dict[str, float]:
    """The machine's limit from samples in µs: a read and a write, and two reads and a write."""
    return {
        "copy_gb_per_s": rate(2 * tensor_bytes, median(copy)),
        "add_gb_per_s": rate(3 * tensor_bytes, median(add)),
    }


def chain_limit(samples: Mapping[str, Sequence[float]], tensor_bytes: int) -> dict[str, Any]:
    """The fields of the chain's limit event: its rates and the times behind them."""
    copy, add = samples["copy"], samples["add"]
    return {
        **limit(copy, add, tensor_bytes),
        "copy_us": round(median(copy), 3),
        "add_us": round(median(add), 3),
        "n": len(add),
    }


def result(
    variant: str, samples: Sequence[float], moved: int, flops: int, limit: float, **measured
) -> dict:
    """The fields of a result event."""
    timed = times(samples)
    speed = rate(moved, timed["median_us"])
    return {
        "variant": variant, **timed, "bytes": moved, "flops": flops, "gb_per_s": speed,
        "share_of_limit": round(speed / limit, 4), **measured,
    }  # fmt: skip


def comparisons(samples: dict[str, Sequence[float]]) -> list[dict]:
    """The fused kernel against every other variant that was measured, separate first."""
    others = [name for name in ("separate", "eager", "compiled") if name in samples]
    return [compare(name, "fused", samples) for name in others]


def summary(request: Request, samples: dict[str, Sequence[float]], chain: traffic.Chain) -> dict:
    """The counted and the measured speed-up, side by side."""
    compared = comparisons(samples)
    return {
        "speedup": compared[0]["speedup"],
        "low": compared[0]["low"],
        "high": compared[0]["high"],
        "predicted_speedup": round(traffic.predicted_speedup(chain, request.direction), 4),
        "card_speedup": traffic.card_speedup(request.direction),
        "comparisons": compared,
        "formulas": FORMULAS,
    }


def notes(request: Request, tensor_bytes: int, l2_bytes: int) -> list[str]:
    """Where this shape leaves the model 'time = bytes / bandwidth', and why."""
    said = []
    if tensor_bytes < LAUNCH_BOUND_BYTES:
        said.append("A tensor is under 2 MB: launches, not bytes, set these times.")
    elif tensor_bytes < 4 * l2_bytes:
        said.append(
            f"A tensor ({tensor_bytes / 1e6:.0f} MB) is under four times the L2 cache "
            f"({l2_bytes / 1e6:.0f} MB): part of what one pass writes is still there for the next, "
            "so separate passes cost less than their bytes."
        )
    if request.features > MOST_FEATURES:
        said.append(
            f"Rows past {MOST_FEATURES} features rarely fit one program's registers: several share "
            "a row and wait for each other's sums, or it is read twice."
        )
    if request.dtype != "fp32" and request.activation == "gelu":
        said.append(
            "In 16 bits with exact GELU the instructions come close to the bytes: a kernel "
            "that calls the library's erf may be bound by them."
        )
    return said


def suspects(results: Sequence[dict], *compared: dict) -> list[str]:
    """Sentences about numbers that are too good to be believed unread."""
    said = [
        above_limit(r["variant"], r["share_of_limit"])
        for r in results
        if r["share_of_limit"] > MOST_SHARE
    ]
    for one in compared:
        if one["speedup"] > MOST_OVER_BYTES * one["predicted_speedup"]:
            said.append(above_bytes(one["speedup"], one["predicted_speedup"]))
    return said


def busy(before: dict, after: dict) -> list[str]:
    """Sentences about a device that was not ours alone or was slowed down."""
    said = []
    if max(state.get("processes", 0) for state in (before, after)) > 1:
        said.append("Other processes used the GPU: not comparable with other runs.")
    # The bits of NVML's clocks-event mask that slow a kernel down: power, heat, hardware brake.
    if any(state.get("throttle_reasons", 0) & 0xEC for state in (before, after)):
        said.append("The GPU held its clocks back (power or heat): not comparable with other runs.")
    return said
