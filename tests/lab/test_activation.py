"""The activation experiment's conclusion follows its samples, whichever way they point."""

import pytest

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import around, concluded, result

# 100 multiprocessors × 128 lanes × 2 GHz = 25.6 × 10¹² a second; at 3,200 GB/s 8 a byte.
LIMIT = {
    "event": "limit", "copy_gb_per_s": 3200.0, "add_gb_per_s": 3200.0, "issued_per_s": 25.6e12,
}  # fmt: skip
ELEMENTS = 1_000_000


def case(variant, activation, dtype, time_us, instructions=20.0):
    each = {"bf16": 6, "fp32": 12}[dtype]
    facts = {
        "bytes": each * ELEMENTS, "elements": ELEMENTS, "instructions": instructions,
        "special": 1.0, "share_of_limit": 0.9,
    }  # fmt: skip
    return result(variant, time_us, {"activation": activation, "dtype": dtype}, **facts)


def swept(erf_us, instructions: float | None = 60.0):
    return (
        LIMIT,
        case("plain", "identity", "bf16", 100.0),
        case("plain", "gelu", "bf16", 103.0, 31.0),
        case("plain", "erf", "bf16", erf_us, instructions),
        case("fused", "gelu", "bf16", 100.0, 24.0),
        case("plain", "identity", "fp32", 200.0),
        case("plain", "erf", "fp32", 201.0, 48.0),
    )


def test_an_erf_that_takes_longer_bears_the_claim_out():
    said = concluded("activation", *swept(130.0))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(1.3, rel=1e-3)
    assert said.answer.low < 1.3 < said.answer.high
    assert "1.30×" in said.sentence and "Test Device" in said.sentence


def test_a_longer_time_is_laid_to_the_instructions_only_as_far_as_they_explain_it():
    all_of_it, part, unknown = (
        concluded("activation", *swept(130.0, n)) for n in (60.0, 54.0, None)
    )
    assert all_of_it.sentence.endswith("set its time. By its instructions it would be 1.25×.")
    assert part.sentence.endswith("it would be 1.12×; what takes the rest, this run does not show.")
    assert part.evidence.endswith("which predict 1.12×; 1.30× measured")
    assert unknown.sentence.endswith("bytes alone do not set its time.")
    assert {said.outcome for said in (all_of_it, part, unknown)} == {Outcome.HOLDS}


def test_what_the_erf_would_come_to_in_the_tuned_kernel_is_told_from_its_counts():
    bare = case("fused", "identity", "bf16", 100.0, 7.0)
    under, over = (concluded("activation", *swept(130.0, n), bare) for n in (60.0, 62.0))
    [note] = [note for note in under.notes if "timed in the plain kernel alone" in note]
    assert "adds 40.0 instructions an element. With the tuned kernel's 7.0 that would" in note
    assert "would be 47.0, under the balance of 48.0" in note
    assert any("be 49.0, over the balance of 48.0" in note for note in over.notes)
    unread = concluded("activation", *swept(130.0, None), bare)
    assert not any("timed in the plain kernel alone" in note for note in unread.notes)


def test_the_balance_and_what_it_predicts_are_worked_out_from_the_device():
    said = concluded("activation", *swept(130.0))
    values = {number.name: number.value for number in said.numbers}
    assert values["Balance, bf16"] == pytest.approx(48.0)
    assert values["Balance, fp32"] == pytest.approx(96.0)
    assert said.answer.predicted == pytest.approx(60 / 48)
    regions = said.pictures[0].regions
    assert regions[0].end == regions[1].start == pytest.approx(8.0)


def test_an_erf_that_costs_nothing_speaks_against_it():
    said = concluded("activation", *swept(101.0))
    assert said.outcome is Outcome.FAILS
    assert "bytes still set" in said.sentence


def test_an_erf_about_the_allowance_decides_nothing():
    wide = [105.0 + 10 * (i % 3 - 1) for i in range(30)]
    said = concluded("activation", *swept(wide))
    assert said.outcome is Outcome.UNDECIDED
    assert "scatter" in said.sentence


def test_instructions_that_nothing_could_read_leave_the_times_to_speak():
    said = concluded("activation", *swept(130.0, None))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.predicted is None
    assert any("–" in row for row in said.tables[0].rows)


def test_a_rate_above_the_limit_is_suspected():
    fast = case("plain", "silu", "bf16", 50.0) | {"share_of_limit": 1.2}
    assert any(
        "120.0\N{NO-BREAK SPACE}%" in said
        for said in concluded("activation", *swept(130.0), fast).suspects
    )


def on_a_processor():
    """What is concluded where only times were taken."""

    def on_cpu(activation, time_us):
        facts = {"bytes": 12 * ELEMENTS, "elements": ELEMENTS, "share_of_limit": 0.9}
        return result("plain", time_us, {"activation": activation, "dtype": "fp32"}, **facts)

    limit = {"event": "limit", "copy_gb_per_s": 10.0, "add_gb_per_s": 10.0}
    events = (limit, on_cpu("identity", around(100.0, 15)), on_cpu("erf", around(240.0, 15)))
    return concluded("activation", *events, kind="cpu")


def test_on_a_processor_times_alone_are_compared():
    said = on_a_processor()
    assert said.outcome is Outcome.UNDECIDED  # the claim is of bf16, and this is float32
    assert any("not decided" in note for note in said.notes)
    assert said.answer.predicted is None
    assert "one core" in said.sentence and "float32" in said.sentence


def test_without_the_erf_nothing_is_concluded():
    with pytest.raises(Incomplete, match="erf"):
        concluded("activation", LIMIT, case("plain", "identity", "bf16", 100.0))


def test_there_is_an_edition_for_a_processor():
    assert EXPERIMENTS["activation"].asked("cpu", {}).device == "cpu"


def test_what_instructions_predict_is_shown_only_where_they_could_be_read():
    unread, read = (concluded("activation", *swept(130.0, n)) for n in (None, 60.0))
    assert not any("instructions" in one.name for one in unread.numbers)
    assert any("instructions" in one.name for one in read.numbers)
