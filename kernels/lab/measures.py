"""From samples to what is said of them: medians, intervals, verdicts. Standard library only."""

from collections.abc import Callable, Sequence
from math import floor, log10
from operator import truediv
from statistics import median

from kernels.lab.resampling import medians

NO_DIFFERENCE = "no measurable difference"

ROUNDING_US = 0.01
"""The step between samples as they are printed."""


def per_cent(share: float, digits: int = 0) -> str:
    """A share of 1 in per cent, not to be parted from its sign: '95 %', '−3 %'; zero has none."""
    shown = f"{share * 100:.{digits}f}"
    sign = "−" if shown.startswith("-") and float(shown) else ""
    return f"{sign}{shown.removeprefix('-')}\N{NO-BREAK SPACE}%"


def small_share(share: float) -> str:
    """A share of 1 in per cent, with a decimal under 10 %, where it would else be half gone."""
    return per_cent(share, 1 if share < 0.1 else 0)


def figures(value: float) -> str:
    """A number above 0 to four figures at least, so that what is worked out of it comes out right:
    '0.7987', '6.362', '4,304', '16,048'."""
    places = max(0, 3 - floor(log10(value)))
    return f"{value:,.{places}f}"


def us(time: float) -> str:
    """A time in µs with no figures that say nothing: '91.8', '5,530.9', '257,847'."""
    return f"{time:,.1f}" if time < 1e4 else f"{time:,.0f}"


def quantile(samples: Sequence[float], share: float) -> float:
    """The sample below which this share lies, interpolated."""
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def interval(of: Callable[..., float], *samples: Sequence[float]) -> tuple[float, float]:
    """A 95 % bootstrap interval of a function of the samples' medians, the same every time."""
    drawn = (medians(one, stream) for stream, one in enumerate(samples))
    found = sorted(of(*one) for one in zip(*drawn, strict=True))
    return quantile(found, 0.025), quantile(found, 0.975)


def ratio_interval(slow: Sequence[float], fast: Sequence[float]) -> tuple[float, float]:
    """A 95 % bootstrap interval of median(slow) / median(fast), the same every time."""
    return interval(truediv, slow, fast)


def rounds(
    of: Callable[..., float], *samples: Sequence[float]
) -> tuple[float, float] | tuple[None, None]:
    """The p10 and p90 of a function of what was measured in the same round.

    (None, None) where the samples are not of as many rounds, or of one alone.
    """
    if len({len(one) for one in samples}) > 1 or len(samples[0]) < 2:
        return None, None
    found = [of(*one) for one in zip(*samples, strict=True)]
    return quantile(found, 0.1), quantile(found, 0.9)


def compare(baseline: str, candidate: str, samples: dict[str, Sequence[float]]) -> dict:
    """How many times faster the candidate is, with its interval and a verdict."""
    slow, fast = samples[baseline], samples[candidate]
    low, high = ratio_interval(slow, fast)
    verdict = NO_DIFFERENCE if low <= 1.0 <= high else "faster" if low > 1.0 else "slower"
    return {
        "baseline": baseline,
        "candidate": candidate,
        "speedup": round(median(slow) / median(fast), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "verdict": verdict,
    }


def times(samples: Sequence[float]) -> dict:
    """The time fields of a result from microseconds; ValueError where they measure nothing."""
    if not samples or not all(0.0 < sample < float("inf") for sample in samples):
        raise ValueError("a variant was measured no times, or took no time")
    return {
        "median_us": round(median(samples), 3),
        "p10_us": round(quantile(samples, 0.1), 3),
        "p90_us": round(quantile(samples, 0.9), 3),
        "n": len(samples),
        "samples_us": [round(sample, 2) for sample in samples],
    }
