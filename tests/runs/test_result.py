"""What is said of a measurement follows from its lines."""

import pytest

from app.domain.running import RunSource
from app.runs.ledger import accounts
from app.runs.result import Verdict, in_us, result_of
from app.web.run_pages import sentence
from kernels.bench.protocol import from_preset
from kernels.traffic import Chain, total_bytes
from tests.runs.benches import CHECK, DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY


def parameters(direction: str = "forward") -> dict[str, object]:
    request = from_preset("whisper-large", dtype="bf16", direction=direction)
    return {name: getattr(request, name) for name in request.__slots__}


def device(direction: str = "forward") -> dict[str, object]:
    return DEVICE | {"parameters": parameters(direction)}


def summary(verdict: str) -> dict[str, object]:
    compared = SUMMARY["comparisons"][0] | {"verdict": verdict}
    return SUMMARY | {"comparisons": [compared]}


def test_the_speed_up_is_the_ratio_of_the_medians_and_shows_them():
    result = result_of([device(), CHECK, LIMIT, SEPARATE, FUSED, SUMMARY])
    assert result is not None
    assert result.speedup.value == pytest.approx(2.2)
    assert result.speedup.inputs == "220.0 µs ÷ 100.0 µs"
    assert result.by_bytes.value == pytest.approx(860 / 369)


def test_the_limit_is_the_time_in_which_the_fused_bytes_can_move():
    result = result_of([device(), LIMIT, SEPARATE, FUSED, SUMMARY])
    assert result is not None
    assert result.limit_us == pytest.approx(369e6 / 4300e9 * 1e6)


@pytest.mark.parametrize(
    ("verdict", "begins"),
    [
        (Verdict.FASTER, "One pass is 2.20× faster than the three separate kernels on this Test"),
        (Verdict.SLOWER, "One pass is 0.45× slower"),
        (Verdict.NO_DIFFERENCE, "No measurable difference between one pass and the three"),
    ],
)
def test_the_sentence_says_what_was_found(verdict: Verdict, begins: str):
    result = result_of([device(), LIMIT, SEPARATE, FUSED, summary(verdict)])
    assert result is not None
    assert sentence(result, RunSource.LIVE).startswith(begins)


def test_the_device_of_a_recorded_run_is_not_this_one():
    result = result_of([device(), LIMIT, SEPARATE, FUSED, summary(Verdict.FASTER)])
    assert result is not None
    assert "kernels on an Test" in sentence(result, RunSource.RECORDED)


def test_without_a_summary_there_is_no_result():
    assert result_of([device(), LIMIT, SEPARATE, FUSED]) is None


def test_the_accounts_count_seven_tensors_against_three():
    result = result_of([device(), LIMIT, SEPARATE, FUSED, SUMMARY])
    assert result is not None
    separate, fused = accounts(result)
    assert (separate.tensors, fused.tensors) == (7, 3)
    assert separate.bytes == sum(stage.bytes for stage in separate.stages)


@pytest.mark.parametrize("programs", [1, 132, 264, 1000])
def test_the_backwards_account_has_the_bytes_that_the_run_was_counted_with(programs: int):
    chain = Chain(48000, 1280, "bf16", programs=programs)
    counted = [
        event | {"bytes": total_bytes(chain, event["variant"], "backward")}
        for event in (SEPARATE, FUSED)
    ]
    result = result_of([device("backward"), LIMIT, *counted, SUMMARY])
    assert result is not None
    assert [account.bytes for account in accounts(result)] == [event["bytes"] for event in counted]


@pytest.mark.parametrize(
    ("time", "told"), [(90.04, "90.0"), (999.94, "999.9"), (27597.5, "27,598"), (0.05, "0.1")]
)
def test_a_time_is_told_with_no_more_digits_than_mean_something(time: float, told: str):
    assert in_us(time) == told
