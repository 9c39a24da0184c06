"""Programs that stand in for the benchmark: real processes with one habit each."""

import json
import os
import sys
from typing import Any

DEVICE = {"event": "device", "kind": "cuda", "id": "GPU-0", "name": "Test device"}
CHECK = {"event": "check", "variant": "fused", "error": 1e-7, "cap": 1e-6, "ok": True}
SUMMARY = {"event": "summary", "speedup": 2.21, "predicted_speedup": 2.333}


def say(event: dict[str, Any]) -> None:
    """Print one event as the benchmark does."""
    print(json.dumps(event), flush=True)


def result(variant: str, median: float) -> dict[str, Any]:
    """A result line with every time in order."""
    times = {"p10_us": median * 0.98, "median_us": median, "p90_us": median * 1.03}
    return {"event": "result", "variant": variant, "n": 30, **times}


def answered_a_probe() -> bool:
    """Say what the device is, as every run does first; True if that was all that was asked."""
    say(DEVICE | {"pid": os.getpid()})
    return "device" in sys.argv
