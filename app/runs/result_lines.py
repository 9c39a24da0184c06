"""The lines that hold what was measured: a result with its samples, and the summary of them all."""

from statistics import median
from typing import Any, cast

from app.runs.values import BadLine, Event, is_number

TIMES = ("p10_us", "median_us", "p90_us")
COUNTED = ("bytes", "flops", "gb_per_s", "share_of_limit")

ROUNDING_US = 0.01
"""Samples are printed with two places."""

MOST_SAMPLES = 10_000
"""As many as the benchmark takes at most: what is concluded of them takes seconds."""


def see_result(event: Event) -> None:
    """BadLine where no times were measured, or they do not fit their samples."""
    name, times = event["variant"], [event[name] for name in TIMES]
    if not all(is_number(time) and time > 0 for time in times):
        raise BadLine(f"the result of {name} lacks a time above zero")
    if times != sorted(times):
        raise BadLine(f"the times of {name} are not in the order p10, median, p90")
    if not (isinstance(event["n"], int) and event["n"] > 0):
        raise BadLine(f"the result of {name} was measured no times")
    if not isinstance(event.get("at", {}), dict):
        raise BadLine(f"the result of {name} does not say where it stands")
    _samples(name, event.get("samples_us"), event["median_us"])
    counts = [event[field] for field in COUNTED if event.get(field) is not None]
    if not all(is_number(count) and count >= 0 for count in counts):
        raise BadLine(f"the result of {name} has a count or a rate that is none")


def _samples(name: str, samples: Any, middle: float) -> None:
    """Every conclusion is drawn from these."""
    if not isinstance(samples, list) or not samples:
        raise BadLine(f"the result of {name} has no samples")
    taken = cast(list[Any], samples)
    if len(taken) > MOST_SAMPLES:
        raise BadLine(f"the result of {name} has more than {MOST_SAMPLES:,} samples")
    if not all(is_number(sample) and sample > 0 for sample in taken):
        raise BadLine(f"a sample of {name} is no time above zero")
    if not abs(median(taken) - middle) <= ROUNDING_US:
        raise BadLine(f"the median of {name} is not that of its samples")


def see_summary(event: Event) -> None:
    """BadLine where it does not say how all was measured."""
    if not isinstance(event["method"], dict):
        raise BadLine("the summary does not say how it was measured")
    if not _are_states(event.get("state")):
        raise BadLine("the summary does not say the device's state")
    for name in ("notes", "suspect"):
        said = event.get(name, [])
        if not isinstance(said, list) or not all(isinstance(s, str) for s in cast(list[Any], said)):
            raise BadLine(f"the summary's {name} are no sentences")


def _are_states(states: Any) -> bool:
    if states is None:
        return True
    if not isinstance(states, dict):
        return False
    return all(state is None or isinstance(state, dict) for state in cast(Event, states).values())
