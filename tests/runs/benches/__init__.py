"""Programs that stand in for the benchmark: real processes with one habit each."""

import json
import os
import sys
from typing import Any

MB = 1_000_000
PARAMETERS = {
    "preset": "whisper-large",
    "rows": 48000,
    "features": 1280,
    "dtype": "bf16",
    "norm": "layer",
    "activation": "gelu",
    "direction": "forward",
    "device": "cuda",
}
DEVICE = {
    "event": "device",
    "kind": "cuda",
    "id": "GPU-0",
    "name": "Test device",
    "parameters": PARAMETERS,
}
CHECK = {
    "event": "check",
    "variant": "fused",
    "quantity": "y",
    "error": 1e-7,
    "cap": 1e-6,
    "passed": True,
}
LIMIT = {"event": "limit", "copy_gb_per_s": 4200.0, "add_gb_per_s": 4300.0}
SUMMARY = {
    "event": "summary",
    "speedup": 2.2,
    "predicted_speedup": 2.333,
    "card_speedup": 3.0,
    "comparisons": [
        {
            "baseline": "separate",
            "candidate": "fused",
            "speedup": 2.2,
            "low": 2.1,
            "high": 2.3,
            "verdict": "faster",
        }
    ],
    "method": {"statistic": "median", "rounds": 30},
}


def say(event: dict[str, Any]) -> None:
    """Print one event as the benchmark does."""
    print(json.dumps(event), flush=True)


def result(variant: str, median: float, megabytes: int) -> dict[str, Any]:
    """A result line with every field, consistent with LIMIT."""
    rate = megabytes * MB / median / 1000
    return {
        "event": "result",
        "variant": variant,
        "p10_us": median * 0.98,
        "median_us": median,
        "p90_us": median * 1.03,
        "n": 21,
        "samples_us": [round(median * (0.98 + 0.002 * turn), 2) for turn in range(21)],
        "bytes": megabytes * MB,
        "flops": 13 * 61 * MB,
        "gb_per_s": rate,
        "share_of_limit": rate / LIMIT["add_gb_per_s"],
        "launches": 1 if variant == "fused" else 3,
        "peak_memory_bytes": None,
    }


SEPARATE = result("separate", 220.0, 860)
FUSED = result("fused", 100.0, 369)


def answered_a_probe() -> bool:
    """Say what the device is, as every run does first; True if that was all that was asked."""
    say(DEVICE | {"pid": os.getpid()})
    return "device" in sys.argv
