"""The judging of a result's error."""

import pytest

from kernels.bench.checks import judged, must_pass
from kernels.bench.emit import Failure
from kernels.bench.protocol import check_event


@pytest.mark.parametrize(
    ("error", "said", "passed"),
    [(0.0, 0.0, True), (0.5, 0.5, True), (0.6, 0.6, False),
     (float("nan"), None, False), (float("inf"), None, False)],
)  # fmt: skip
def test_an_error_passes_up_to_its_cap_and_only_where_it_is_a_number(error, said, passed):
    check = judged("fused", "dx", error, cap=0.5)
    assert (check["error"], check["passed"]) == (said, passed)
    check_event({"event": "check", **check})


def test_a_check_that_was_passed_stops_nothing():
    must_pass(judged("fused", "y", 0.1, cap=0.5))


@pytest.mark.parametrize(("error", "words"), [(0.6, "is 0.6"), (float("nan"), "is not finite")])
def test_a_wrong_result_is_a_failure_that_names_what_is_wrong(error, words):
    with pytest.raises(Failure, match=f"eager computes a wrong y: its error {words}, the cap 0.5"):
        must_pass(judged("eager", "y", error, cap=0.5))
