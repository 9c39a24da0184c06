"""Scales hold their data and have few, rising ticks, whose labels all differ."""

import math
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from app.web.charts.numbers import digits, labels, said
from app.web.charts.scales import MOST, Scale, binary, drawable, linear, logarithmic

UNITS = ("", "B", "µs", "GB/s", "FLOP/s", "×", "%", "FLOP/B")
any_value = st.floats(-1e280, 1e280, allow_subnormal=False).filter(drawable)
positive = st.floats(1e-280, 1e280, allow_subnormal=False)
ordinary = st.floats(1e-12, 1e15)


def ticks_hold(scale: Scale, values: list[float]) -> None:
    """The ticks rise, are few, and reach from the least of the values to the greatest."""
    ticks = scale.ticks
    assert 2 <= len(ticks) <= MOST
    assert all(a < b for a, b in pairwise(ticks))
    slack = Decimal("1e-8") * max(abs(ticks[0]), abs(ticks[-1]))
    assert ticks[0] - slack <= Decimal(min(values))
    assert Decimal(max(values)) <= ticks[-1] + slack
    assert all(0 <= scale.share(value) <= 1 for value in values)


@settings(deadline=None)
@given(st.lists(any_value, min_size=1), st.booleans())
@example([0.0], True)
@example([0.0, 0.0], False)
@example([1e15, 1e15 + 2], False)
@example([7.0], False)
@example([5e-324, 1.0], True)
@example([1e-280], True)
@example([0.1 + 0.2], True)
def test_even_ticks_hold_the_data(values: list[float], zero: bool):
    ticks_hold(linear(values, zero=zero), values)


@settings(deadline=None)
@given(st.lists(positive, min_size=1))
@example([10.0])
@example([1e-280, 1e280])
@example([3.0, 3.0])
@example([0.1 + 0.2, 3.0])
def test_ticks_of_a_log_scale_hold_the_data(values: list[float]):
    ticks_hold(logarithmic(values), values)


@settings(deadline=None)
@given(st.floats(1e-9, 1e9), st.floats(0, 10))
def test_a_log_scale_wastes_little_over_one_to_ten_decades(low: float, decades: float):
    scale = logarithmic([low, low * 10**decades])
    span = math.log10(scale.ticks[-1] / scale.ticks[0])
    assert span <= decades + (3.01 if decades > 5 else 2.01)


@settings(deadline=None)
@given(st.lists(st.integers(0, 40).map(lambda e: 2.0**e), min_size=3, unique=True))
def test_powers_of_two_stand_at_powers_of_two(values: list[float]):
    scale = binary(values)
    assert scale
    ticks_hold(scale, values)
    assert all(math.log2(tick).is_integer() for tick in scale.ticks)


def test_other_values_have_no_binary_scale():
    assert binary([64, 128, 1000]) is None
    assert binary([64, 64, 128]) is None
    assert binary([0, 1, 2]) is None


@settings(deadline=None)
@given(st.lists(any_value, min_size=1), st.booleans(), st.sampled_from(UNITS))
@example([1e15, 1e15 + 2], False, "B")
@example([-0.3, 0.1], True, "")
def test_labels_of_even_ticks_all_differ(values: list[float], zero: bool, unit: str):
    shown, _ = labels(linear(values, zero=zero), unit)
    assert len(set(shown)) == len(shown)


@settings(deadline=None)
@given(st.lists(positive, min_size=1), st.sampled_from(UNITS))
@example([1e-7, 1e3], "FLOP/s")
def test_labels_of_a_log_scale_all_differ(values: list[float], unit: str):
    shown, _ = labels(logarithmic(values), unit)
    assert len(set(shown)) == len(shown)


@settings(deadline=None)
@given(st.lists(ordinary, min_size=1), st.sampled_from(UNITS), st.booleans())
def test_labels_of_what_is_measured_are_short(values: list[float], unit: str, log: bool):
    assume(max(values) / min(values) < 1e12)
    shown, _ = labels(logarithmic(values) if log else linear(values), unit)
    assert max(map(len, shown)) <= 9


@settings(deadline=None)
@given(st.lists(positive, min_size=2, unique=True))
def test_what_is_greater_never_stands_further_down(values: list[float]):
    for scale in (linear(values), logarithmic(values)):
        shares = [scale.share(value) for value in sorted(values)]
        assert shares == sorted(shares)


def test_ticks_of_known_spans_are_those_a_person_would_choose():
    assert [str(t) for t in linear([0.3]).ticks] == [
        "0.00",
        "0.05",
        "0.10",
        "0.15",
        "0.20",
        "0.25",
        "0.30",
    ]
    assert [str(t) for t in linear([1, 3], zero=False, whole=True).ticks] == ["1", "2", "3"]
    assert [int(t) for t in linear([4080]).ticks] == [0, 1000, 2000, 3000, 4000, 5000]
    assert [int(t) for t in logarithmic([12, 80]).ticks] == [10, 20, 50, 100]
    assert [int(t) for t in logarithmic([30, 30_000]).ticks] == [
        30,
        100,
        300,
        1000,
        3000,
        10_000,
        30_000,
    ]
    assert [f"{t:g}" for t in logarithmic([1e4, 1e10]).ticks][::6] == ["1e+4", "1e+10"]
    width = binary([2.0**e for e in range(6, 17)])
    assert width and [int(t) for t in width.ticks] == [64, 256, 1024, 4096, 16384, 65536]


def test_labels_say_sizes_and_times_with_their_own_prefix():
    sizes, unit = labels(logarithmic([1e4, 1e10]), "B")
    assert (sizes[0], sizes[2], sizes[-1], unit) == ("10\u00a0kB", "1\u00a0MB", "10\u00a0GB", "")
    times, unit = labels(logarithmic([1, 1e6]), "µs")
    assert (times[0], times[-1], unit) == ("1\u00a0µs", "1\u00a0s", "")


def test_labels_of_a_long_unit_leave_it_to_the_title():
    assert labels(linear([4080]), "GB/s")[0][-1] == "5,000"
    shown, unit = labels(logarithmic([1e11, 1e15]), "FLOP/s")
    assert (shown[0], shown[-1], unit) == ("100\u00a0G", "1\u00a0P", "FLOP/s")
    assert labels(linear([4e12]), "FLOP/s") == (("0", "1", "2", "3", "4"), "TFLOP/s")


def test_labels_without_a_known_unit_become_powers_of_ten():
    assert labels(logarithmic([1e-7, 1e3]), "")[0][0] == "10⁻⁷"
    assert labels(linear([3e7]), "") == (("0", "5", "10", "15", "20", "25", "30"), "10⁶")


@pytest.mark.parametrize(
    ("value", "unit", "told"),
    [
        (198.23, "µs", "198\u00a0µs"),
        (2.3333, "×", "2.33×"),
        (12.34, "%", "12.3\u00a0%"),
        (123_456_789, "B", "123\u00a0MB"),
        (4.1e12, "FLOP/s", "4.10\u00a0TFLOP/s"),
        (12_345, "GB/s", "12,345\u00a0GB/s"),
        (0, "B", "0\u00a0B"),
        (float("nan"), "B", "–\u00a0B"),
        (float("inf"), "", "–"),
    ],
)
def test_a_value_is_told_to_three_digits_with_its_unit(value: float, unit: str, told: str):
    assert said(value, unit) == told


@settings(deadline=None)
@given(st.floats(allow_nan=True, allow_infinity=True))
def test_any_value_can_be_told(value: float):
    assert digits(value)
