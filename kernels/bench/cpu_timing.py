"""The processor's timing method: time.perf_counter around one call, all calls interleaved."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any


def run_rounds(
    calls: Sequence[Callable[[], object]],
    rounds: int,
    done: Callable[[int], None] = lambda _: None,
) -> list[list[float]]:
    """Samples in µs of each call, after one round that is thrown away.

    A round times every call once, in an order shuffled anew; `done(i)` is called after
    each, the discarded one with 0.
    """
    samples: list[list[float]] = [[] for _ in calls]
    for turn in range(rounds + 1):
        for i in random.Random(turn).sample(range(len(calls)), len(calls)):
            samples[i].append(microseconds(calls[i]))
        done(turn)
    return [one[1:] for one in samples]


def microseconds(call: Callable[[], object]) -> float:
    """What one call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1e6


def method(rounds: int, cases: str) -> dict[str, Any]:
    """What a summary says of it; `cases` are what is timed in one round."""
    return {
        "timer": "time.perf_counter around one call",
        "statistic": "median, with p10 and p90",
        "repetitions": rounds,
        "warm_up": "one round, discarded",
        "threads": 1,
        "order": f"all {cases} once a round, shuffled anew each round",
    }
