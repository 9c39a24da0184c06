"""What samples are turned into before anything is said of them."""

from operator import truediv

import pytest

from kernels.lab.measures import figures, per_cent, rounds, us

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [(0.953, 0, "95"), (-0.176, 1, "−17.6"), (-0.0001, 1, "0.0"), (0.0, 0, "0"), (12.0, 0, "1200")],
)
def test_a_share_below_zero_has_a_minus_and_no_change_has_none(share, digits, said):
    assert per_cent(share, digits) == f"{said}{SPACE}%"


@pytest.mark.parametrize(
    ("time", "said"),
    [(2.06, "2.1"), (5530.94, "5,530.9"), (15515.9, "15,516"), (257846.6, "257,847")],
)
def test_a_long_time_has_no_decimal(time, said):
    assert us(time) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.79872, "0.7987"), (6.3601, "6.360"), (4304.06, "4,304"), (15516.2, "15,516")],
)
def test_what_one_works_with_has_four_figures_at_least(value, said):
    assert figures(value) == said


def test_rounds_are_held_against_each_other_one_by_one():
    slow, fast = [float(n) for n in range(10, 21)], [10.0] * 11
    assert rounds(truediv, slow, fast) == (pytest.approx(1.1), pytest.approx(1.9))


@pytest.mark.parametrize(("slow", "fast"), [([10.0, 11.0], [10.0]), ([10.0], [10.0]), ([], [])])
def test_samples_of_other_rounds_or_of_one_alone_say_nothing_of_each_other(slow, fast):
    assert rounds(truediv, slow, fast) == (None, None)
