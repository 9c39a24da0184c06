"""What many guesses say together of the one who made them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.calibration import Held, calibration

numbers = st.floats(1e-3, 1e3)


def held(low: float, high: float, measured: float, spread: float = 0.0) -> Held:
    return Held(low, high, measured, measured * (1 - spread), measured * (1 + spread))


guesses = st.builds(
    lambda a, b, measured, spread: held(min(a, b), max(a, b), measured, spread),
    numbers,
    numbers,
    numbers,
    st.floats(0, 0.5),
)


def test_no_guesses_say_nothing():
    nothing = calibration([])
    assert (nothing.guesses, nothing.inside, nothing.ratio, nothing.lean) == (0, 0, None, "")
    assert nothing.factor == 1


def test_twice_too_high_is_a_ratio_of_two_whichever_range_says_it():
    assert held(4.0, 4.0, 2.0).ratio == pytest.approx(2)
    assert held(2.0, 8.0, 2.0).ratio == pytest.approx(2)


@given(guesses)
def test_a_range_around_the_measurement_holds_it_and_one_apart_from_it_does_not(one: Held):
    apart = one.high < one.measured_low or one.measured_high < one.low
    assert one.inside is not apart


@given(guesses, st.floats(0.1, 10))
def test_the_unit_does_not_matter(one: Held, unit: float):
    ends = (one.low, one.high, one.measured, one.measured_low, one.measured_high)
    scaled = Held(*(end * unit for end in ends))
    assert scaled.ratio == pytest.approx(one.ratio)


@given(st.lists(guesses, min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_order_does_not_matter_and_the_counts_add_up(found: list[Held], random):
    shuffled = random.sample(found, len(found))
    assert calibration(shuffled) == calibration(found)
    assert 0 <= calibration(found).inside <= calibration(found).guesses == len(found)


@given(st.lists(guesses, min_size=1, max_size=20))
def test_who_guesses_the_inverse_of_all_ratios_leans_the_other_way_by_as_much(found: list[Held]):
    turned = [Held(o.measured, o.measured, *[(o.low * o.high) ** 0.5] * 3) for o in found]
    one, other = calibration(found), calibration(turned)
    if len(found) % 2:
        assert other.factor == pytest.approx(one.factor, rel=1e-6)
    assert (one.lean, other.lean) in {("high", "low"), ("low", "high"), ("", "")} or (
        len(found) % 2 == 0
    )


@given(st.lists(numbers, min_size=1, max_size=20), st.floats(1.1, 5))
def test_one_who_is_always_too_high_by_a_factor_is_told_that_factor(
    measured: list[float], factor: float
):
    said = calibration([held(one * factor, one * factor, one) for one in measured])
    assert said.lean == "high"
    assert said.factor == pytest.approx(factor)
    assert said.inside == 0


@pytest.mark.parametrize(
    ("ratios", "lean"),
    [
        ((0.2, 0.5, 0.8, 0.9, 1.4, 1.7, 1.7), ""),  # four of seven are no habit
        ((0.2, 0.5, 0.8, 0.9, 0.9, 1.7, 1.7), "low"),
        ((0.9, 1.5, 2.0), "high"),
    ],
)
def test_who_is_too_low_as_often_as_too_high_does_not_lean(ratios: tuple[float, ...], lean: str):
    assert calibration([held(one, one, 1.0) for one in ratios]).lean == lean


@pytest.mark.parametrize("one", [held(-2.0, 3.0, 4.0), held(2.0, 3.0, -1.0), held(0.0, 1.0, 1.0)])
def test_what_is_not_above_zero_has_no_ratio_but_still_counts(one: Held):
    assert one.ratio is None
    assert calibration([one]).guesses == 1
    assert calibration([one]).lean == ""


def test_a_measurement_that_may_be_nothing_has_no_ratio_but_a_distance():
    one = Held(10.0, 30.0, 0.3, -0.9, 0.9)
    assert one.ratio is None
    assert one.apart == pytest.approx(19.7)
