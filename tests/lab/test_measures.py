"""What samples are turned into before anything is said of them."""

from operator import truediv

import pytest

from kernels.lab.measures import per_cent, rounds

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("share", "digits", "said"),
    [(0.953, 0, "95"), (-0.176, 1, "−17.6"), (-0.0001, 1, "0.0"), (0.0, 0, "0"), (12.0, 0, "1200")],
)
def test_a_share_below_zero_has_a_minus_and_no_change_has_none(share, digits, said):
    assert per_cent(share, digits) == f"{said}{SPACE}%"


def test_rounds_are_held_against_each_other_one_by_one():
    slow, fast = [float(n) for n in range(10, 21)], [10.0] * 11
    assert rounds(truediv, slow, fast) == (pytest.approx(1.1), pytest.approx(1.9))


@pytest.mark.parametrize(("slow", "fast"), [([10.0, 11.0], [10.0]), ([10.0], [10.0]), ([], [])])
def test_samples_of_other_rounds_or_of_one_alone_say_nothing_of_each_other(slow, fast):
    assert rounds(truediv, slow, fast) == (None, None)
