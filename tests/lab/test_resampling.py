"""Medians drawn by rank against medians of resamples that were really taken."""

from bisect import bisect_right
from collections import Counter
from math import sqrt
from operator import truediv
from random import Random
from statistics import correlation, median

import pytest

from kernels.lab import resampling
from kernels.lab.measures import interval, quantile, ratio_interval
from kernels.lab.resampling import RESAMPLES, medians

PLAIN = 4000
SIZES = (1, 2, 3, 4, 5, 10, 15, 100)


def skewed(size: int, seed: int = 7) -> list[float]:
    """Times as a device gives them: near each other, a few much longer."""
    draw = Random(seed)
    return [100 + draw.expovariate(0.2) for _ in range(size)]


def plain(samples: list[float], times: int = PLAIN) -> list[float]:
    """What the ranks stand in for: resamples, and their medians."""
    draw = Random(1)
    return sorted(median(draw.choices(samples, k=len(samples))) for _ in range(times))


@pytest.mark.parametrize("size", SIZES)
def test_medians_by_rank_are_distributed_as_those_of_resamples(size):
    samples = skewed(size)
    ours, theirs = sorted(medians(samples, 0)), plain(samples)
    apart = max(
        abs(bisect_right(ours, at) / len(ours) - bisect_right(theirs, at) / len(theirs))
        for at in {*ours, *theirs}
    )
    # Kolmogorov and Smirnov's bound, which chance passes once in 1000.
    assert apart < 1.95 * sqrt(1 / len(ours) + 1 / len(theirs))


def test_three_samples_have_their_median_as_often_as_counting_says():
    often = Counter(medians([1.0, 2.0, 3.0], 0))
    for value, share in ((1.0, 7 / 27), (2.0, 13 / 27), (3.0, 7 / 27)):
        assert often[value] / RESAMPLES == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(("slow", "fast"), [(100, 100), (10, 15), (101, 30)])
def test_an_interval_of_a_ratio_is_that_of_a_plain_bootstrap(slow, fast):
    one, other = skewed(slow, seed=3), [x / 2 for x in skewed(fast, seed=4)]
    draw = Random(2)
    taken = [
        median(draw.choices(one, k=slow)) / median(draw.choices(other, k=fast))
        for _ in range(PLAIN)
    ]
    wide = quantile(taken, 0.975) - quantile(taken, 0.025)
    ours = ratio_interval(one, other)
    assert ours == pytest.approx((quantile(taken, 0.025), quantile(taken, 0.975)), abs=0.12 * wide)


def test_two_streams_are_independent_and_each_is_the_same_every_time():
    samples = skewed(100)
    assert medians(samples, 0) == medians(samples, 0)
    assert abs(correlation(medians(samples, 0), medians(samples, 1))) < 4 / sqrt(RESAMPLES)


def test_an_interval_draws_one_stream_a_sample():
    samples = skewed(100)
    low, high = interval(truediv, samples, samples)
    assert low < 1 < high  # by one stream alone each ratio would be 1


def test_samples_of_a_number_met_before_draw_nothing_anew():
    medians(skewed(37), 0)
    drawn = resampling._middles.cache_info().misses
    medians(skewed(37, seed=8), 0)
    assert resampling._middles.cache_info().misses == drawn


def test_the_order_of_the_samples_changes_nothing():
    samples = skewed(40)
    assert medians(samples, 0) == medians(samples[::-1], 0)


def test_no_samples_have_no_median():
    with pytest.raises(ValueError, match="no samples"):
        medians([], 0)
