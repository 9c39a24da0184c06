"""The table of limits judges each figure by its bar."""

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench.bars import (
    MEDIANS,
    MOST_UNEVEN,
    Measured,
    bar_of,
    evenness_verdicts,
    peer_verdicts,
    share_verdicts,
)
from kernels.bench.cases import EVEN_FEATURES, MODES, even, others, requests
from kernels.bench.protocol import Request
from kernels.bench.table import HEAD, line

ONE_WAY = [request for request in requests() if request.direction != "both"]


def measured(request: Request, share: float = 1.0, **others: float) -> Measured:
    """A case in which torch.add took 90 µs, and the fused chain 90 / share."""
    return Measured(request, {"add": 90.0, "fused": 90.0 / share, **others}, 1.8e-3)


@pytest.mark.parametrize("request_", [*ONE_WAY, *others()])
def test_a_case_at_its_bar_reaches_it_and_one_below_does_not(request_):
    bar = bar_of(request_)
    at, below = measured(request_, bar + 1e-6), measured(request_, bar - 0.01)
    assert [verdict.reached for verdict in share_verdicts([at, below])] == [True, False]
    assert line(below).endswith("missed")
    assert "missed" not in line(at)


def test_a_line_says_share_peers_and_error_under_its_heading():
    said = line(measured(requests()[0], 0.96, separate=210.0, eager=300.0))
    assert len(said) == len(HEAD)
    for figure in ("0.960", "2.24", "3.20", "1.8e-03"):
        assert figure in said


def test_compiled_is_the_faster_of_its_modes():
    case = measured(requests()[0], **dict(zip(MODES, (150.0, 120.0), strict=True)))
    assert case.faster_than("compiled") == pytest.approx(120 / 90)
    assert measured(requests()[0]).faster_than("compiled") is None


def test_there_and_back_moves_twice_the_bytes():
    both = next(request for request in requests() if request.direction == "both")
    assert measured(both, 0.5).share == pytest.approx(1.0)
    assert share_verdicts([measured(both, 0.5)]) == []


def test_medians_are_taken_for_each_dtype_and_the_worst_forward_counts():
    table = [
        measured(
            request, eager=400.0, **dict.fromkeys(MODES, 80.0 if request.rows == 4096 else 200)
        )
        for request in requests()
    ]
    verdicts = {verdict.name: verdict for verdict in peer_verdicts(table)}
    assert len(verdicts) == 2 * (len(MEDIANS) + 1)
    assert verdicts["bf16 forward: times compiled's speed, median"].reached
    assert not verdicts["fp32 forward: times compiled's speed, least"].reached


def test_a_shape_that_falls_off_a_cliff_is_named():
    table = [measured(r, 0.5 if r.features == 1000 else 0.9) for r in even()]
    verdicts = evenness_verdicts(table)
    assert len(verdicts) == 4
    for verdict in verdicts:
        assert "1000 features" in verdict.name
        assert verdict.value == pytest.approx(0.9 / 0.5, rel=1e-2)
        assert not verdict.reached
    assert all(v.value < MOST_UNEVEN for v in evenness_verdicts([measured(r, 0.9) for r in even()]))


def test_every_shape_is_there_in_both_dtypes_and_all_directions():
    assert len(set(requests())) == 8 * 2 * 3
    assert len(set(even())) == len(EVEN_FEATURES) * 2 * 2
    for request in (*requests(), *others(), *even()):
        request.checked()
