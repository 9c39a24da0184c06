"""Medians of bootstrap resamples, without the resamples. Standard library only.

A resample of n samples takes n places at random in (0, 1): at a place u stands the sorted
sample's value of rank ⌊n·u⌋. So the resample's k-th smallest value stands at the k-th smallest
place, which is distributed as Beta(k, n − k + 1) whatever was measured; the place after it is
the least of n − k in what is left of (0, 1). To draw those one or two places is to draw a
median from the same distribution, at a cost that does not grow with n; and samples of the same
number need them drawn only once.
"""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

RESAMPLES = 1000

Ranks = tuple[int, int]


def medians(samples: Sequence[float], stream: int) -> list[float]:
    """The median of each of RESAMPLES resamples, the same every time; ValueError without samples.

    Medians of two streams are independent of each other; those of one go by the same places.
    """
    ordered = sorted(samples)
    return [(ordered[low] + ordered[high]) / 2 for low, high in _middles(len(ordered), stream)]


@lru_cache(maxsize=128)
def _middles(size: int, stream: int) -> tuple[Ranks, ...]:
    """For each resample, the ranks in the sorted sample of the one or two in its middle."""
    if not size:
        raise ValueError("there are no samples to take a median of")
    draw = Random(f"{size} samples, stream {stream}")
    return tuple(_middle(draw, size) for _ in range(RESAMPLES))


def _middle(draw: Random, size: int) -> Ranks:
    below = (size + 1) // 2
    first = draw.betavariate(below, size - below + 1)
    if size % 2:
        return _rank(first, size), _rank(first, size)
    after = size - below
    second = first + (1 - first) * (1 - draw.random() ** (1 / after))
    return _rank(first, size), _rank(second, size)


def _rank(place: float, size: int) -> int:
    return min(int(place * size), size - 1)
