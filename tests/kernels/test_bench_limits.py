"""The table of limits judges each case by its bar."""

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench.limits import HEAD, bar_of, line_of, requests


def events(share: float) -> list[dict]:
    """A run in which torch.add took 90 µs and the fused chain 90 / share."""
    times = {"fused": 90.0 / share, "separate": 210.0, "eager": 300.0}
    return [
        {"event": "check", "variant": "fused", "error": 1.7e-3},
        {"event": "check", "variant": "fused", "error": 1.8e-3},
        {"event": "limit", "add_us": 90.0},
        *({"event": "result", "variant": v, "median_us": t} for v, t in times.items()),
    ]


@pytest.mark.parametrize("request_", requests())
def test_a_case_at_its_bar_reaches_it_and_one_below_does_not(request_):
    bar = bar_of(request_)
    assert line_of(request_, events(bar + 1e-6)).reached
    low = line_of(request_, events(bar - 0.01))
    assert not low.reached
    assert str(low).endswith("missed")


def test_a_line_says_share_peers_and_the_largest_error():
    line = line_of(requests()[0], events(0.96))
    assert line.share == pytest.approx(0.96)
    assert line.faster_than["separate"] == pytest.approx(210 * 0.96 / 90)
    assert line.error == 1.8e-3
    assert "nan" in str(line)  # compiled was not measured
    assert len(str(line)) == len(HEAD)


def test_every_shape_is_there_in_both_dtypes_and_directions():
    assert len(set(requests())) == 8 * 2 * 2
