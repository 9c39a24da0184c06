"""A rate above the limit is told with its figures, and with what can be behind it."""

import pytest

from kernels.lab.doubts import above_limit, suspects
from kernels.lab.evidence import evidence_of
from tests.lab.evidence import around, device, evidence, result

NBSP = "\N{NO-BREAK SPACE}"


def of(share: float, samples: list[float], **facts: float):
    case = result("fused", samples, {"features": 64}, share_of_limit=share, **facts)
    return evidence("width", case)


@pytest.mark.parametrize("share", [1.0, 1.02])
def test_what_reaches_the_limit_or_hardly_more_is_not_suspect(share: float):
    assert suspects(of(share, around(100.0))) == ()


def test_rounds_that_all_lie_above_the_limit_are_no_scatter():
    (said,) = suspects(of(1.024, [99.9, 100.0, 100.1] * 10))
    assert said == (
        f"fused at 64 reads as 102.4{NBSP}% of the machine's limit, 102.3{NBSP}% to 102.5{NBSP}% "
        "from p10 to p90 of its rounds. That is no scatter: some of its bytes did not go to "
        "memory, or the limit was timed low."
    )


def test_rounds_that_reach_under_the_limit_may_be_chance():
    (said,) = suspects(of(1.04, [90.0, 100.0, 110.0] * 10))
    assert f", 94.5{NBSP}% to 115.6{NBSP}% from p10" in said and said.endswith("may be chance.")


def test_a_profilers_count_says_how_much_of_it_the_memory_saw():
    (said,) = suspects(of(1.024, [100.0] * 10, bytes=1000, bytes_profiled=950))
    assert f"saw 95{NBSP}% of the counted bytes at the memory" in said
    assert said.endswith(f"which makes 97.3{NBSP}% of the limit.")


def test_what_the_benchmark_said_itself_is_said_once():
    case = result("fused", around(100.0), share_of_limit=1.05)
    summary = {"event": "summary", "method": {}, "suspect": [above_limit("fused", 1.05), "Hot."]}
    doubt, hot = suspects(evidence_of((device("chain"), case, summary)))
    assert doubt.startswith(f"fused reads as 105.0{NBSP}%") and hot == "Hot."
