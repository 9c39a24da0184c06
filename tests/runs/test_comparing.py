"""Two runs are compared case by case, from their samples, and only where their work is the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from app.runs.comparing import Verdict, compare
from app.runs.unlike import same_work
from kernels.lab.evidence import Evidence, evidence_of
from tests.lab.evidence import device, result
from tests.runs.measured import a_measurement

TIMES = st.floats(1.0, 1000.0).map(lambda time: round(time, 2))
SAMPLES = st.lists(TIMES, min_size=5, max_size=12)


def chain(*medians: float, **others: Any) -> Evidence:
    return evidence_of(a_measurement(*medians, **others))


def width(*results: dict[str, Any], **parameters: str) -> Evidence:
    summary = {"event": "summary", "method": {}}
    return evidence_of([device("width", **parameters), *results, summary])


def verdicts(this: Evidence, other: Evidence) -> dict[str, Verdict]:
    return {pair.this.variant: pair.verdict for pair in compare(this, other).pairs}


def test_each_case_that_both_measured_is_faster_slower_or_no_different():
    found = verdicts(chain(220.0, 100.0), chain(110.0, 100.1))
    assert found == {"separate": Verdict.SLOWER, "fused": Verdict.NO_DIFFERENCE}
    found = verdicts(chain(110.0, 100.0), chain(220.0, 99.9))
    assert found == {"separate": Verdict.FASTER, "fused": Verdict.NO_DIFFERENCE}


def test_the_ratio_says_how_many_times_faster_this_run_is_within_its_interval():
    (pair,) = [p for p in compare(chain(100.0), chain(150.0)).pairs if p.this.variant == "separate"]
    assert pair.ratio == pytest.approx(1.5, rel=1e-3)
    assert pair.low <= pair.ratio <= pair.high
    assert (pair.this_us, pair.other_us) == pytest.approx((100.0, 150.0), rel=1e-3)


def test_medians_apart_within_wide_samples_are_no_difference():
    wide = [float(time) for time in range(50, 150, 10)]
    ahead = width(result("fused", wide))
    behind = width(result("fused", [time + 8 for time in wide]))
    assert verdicts(ahead, behind) == {"fused": Verdict.NO_DIFFERENCE}


@pytest.mark.parametrize(
    ("apart", "verdict"), [(0.01, Verdict.NO_DIFFERENCE), (0.1, Verdict.SLOWER)]
)
def test_samples_that_differ_by_their_rounding_alone_are_no_different(
    apart: float, verdict: Verdict
):
    (pair,) = compare(
        width(result("fused", [2.13 + apart] * 30)), width(result("fused", [2.13] * 30))
    ).pairs
    assert pair.verdict is verdict


@given(SAMPLES, SAMPLES)
@hypothesis_settings(max_examples=25, deadline=None)
def test_seen_from_the_other_run_the_verdict_is_the_opposite(one: list[float], two: list[float]):
    first, second = width(result("fused", one)), width(result("fused", two))
    (there,), (back,) = compare(first, second).pairs, compare(second, first).pairs
    opposite = {
        Verdict.FASTER: Verdict.SLOWER,
        Verdict.SLOWER: Verdict.FASTER,
        Verdict.NO_DIFFERENCE: Verdict.NO_DIFFERENCE,
    }
    assert back.verdict is opposite[there.verdict]
    if one != two:
        assert (back.low, back.high) == pytest.approx((1 / there.high, 1 / there.low))


@given(SAMPLES)
@hypothesis_settings(max_examples=25, deadline=None)
def test_a_run_is_no_different_from_itself(samples: list[float]):
    same = width(result("fused", samples))
    assert verdicts(same, same) == {"fused": Verdict.NO_DIFFERENCE}
    assert compare(same, same).differences == ()


@pytest.mark.parametrize("samples", [[], [100.0], [100.0] * 4, [0.0] * 9, ["fast"] * 9])
def test_a_case_with_too_few_samples_or_none_is_not_compared_by_its_median(samples: list[Any]):
    there = result("fused", 100.0)
    lacking = there | {"samples_us": samples}
    found = compare(width(there), width(lacking))
    assert (found.pairs, found.unpaired) == ((), 1)


def test_cases_pair_by_their_place_in_the_sweep():
    this = width(result("fused", 100.0, {"features": 64}), result("fused", 50.0, {"features": 512}))
    other = width(result("fused", 80.0, {"features": 512.0}), result("fused", 9.0, {"features": 9}))
    found = compare(this, other)
    assert [pair.this.at for pair in found.pairs] == [{"features": 512}]
    assert found.pairs[0].verdict is Verdict.FASTER
    assert found.unpaired == 2


@pytest.mark.parametrize("name", ["dtype", "direction", "activation", "preset"])
def test_runs_of_other_work_have_no_case_to_compare(name: str):
    asked = chain().parameters
    found = compare(chain(), chain(parameters={**asked, name: "other"}))
    assert [one.name for one in found.apart] == [name]
    assert found.pairs == ()


def test_a_longer_run_of_the_same_work_can_be_compared():
    quick, full = (width(result("fused", 100.0), mode=mode) for mode in ("quick", "full"))
    found = compare(quick, full)
    assert [one.name for one in found.differences] == ["mode"]
    assert (len(found.pairs), found.apart) == (1, ())
    assert same_work({"dtype": "bf16", "mode": "quick"}, {"dtype": "bf16", "mode": "full"})
    assert not same_work({"dtype": "bf16"}, {"dtype": "fp32"})
    assert not same_work({"dtype": "bf16"}, {})


def test_a_processors_run_is_not_held_against_a_gpus():
    found = compare(chain(), chain(kind="cpu", name="A processor"))
    assert found.apart[0].name == "kind"
    assert found.pairs == ()


def test_a_named_shape_that_differs_is_named_once():
    other = {**chain().parameters, "preset": "hubert-base", "rows": 31936, "features": 768}
    found = compare(chain(), chain(parameters=other))
    assert [one.name for one in found.differences] == ["preset"]


def test_another_device_and_other_versions_are_told_and_compared():
    versions = {"python": "3.12.3", "torch": "2.13.0", "triton": "3.6.0", "kernels_sha256": "ab12"}
    found = compare(chain(), chain(name="Another", versions=versions))
    told = {(one.kind, one.name): (one.this, one.other) for one in found.differences}
    assert told == {
        ("device", "name"): ("Test device", "Another"),
        ("version", "torch"): ("2.11.0", "2.13.0"),
    }
    assert len(found.pairs) == 2


@pytest.mark.parametrize("nonsense", [None, [], "x", {"before": 7}])
def test_facts_that_are_none_differ_without_a_fault(nonsense: Any):
    events = a_measurement(versions=nonsense)
    events[-1] = events[-1] | {"state": nonsense, "method": nonsense}
    found = compare(evidence_of(events), chain())
    assert {one.kind for one in found.differences} == {"version", "clock", "method"}


def test_a_case_that_moved_other_bytes_is_marked():
    events = a_measurement()
    events[4] = events[4] | {"bytes": 370}
    found = compare(evidence_of(events), chain())
    assert {pair.this.variant: pair.same_bytes for pair in found.pairs} == {
        "separate": True,
        "fused": False,
    }
