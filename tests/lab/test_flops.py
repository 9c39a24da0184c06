"""The flops experiment's conclusion follows counts and samples, whichever way they point."""

import pytest

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import concluded, result

ELEMENTS = 1000


def case(variant, direction, time_us, flops, moved, **facts):
    facts = {"elements": ELEMENTS, "flops": flops * ELEMENTS, "bytes": moved * ELEMENTS} | facts
    return result(variant, time_us, {"direction": direction}, **facts)


def run(fused_us=45.0, backward_us=60.0, fused_flops=13, executed=None, **more):
    facts = {} if executed is None else {"flops_executed": executed * ELEMENTS}
    full = {} if executed is None else {"flops_executed": 20 * ELEMENTS}
    return (
        case("separate", "forward", 100.0, 13, 14, **full, **more),
        case("eager", "forward", 110.0, 13, 14),
        case("fused", "forward", fused_us, fused_flops, 6, **facts, **more),
        case("separate", "backward", 120.0, 23, 12),
        case("fused", "backward", backward_us, 25, 6),
    )


def test_as_many_flops_in_less_time_bear_the_claim_out():
    said = concluded("flops", *run())
    assert said.outcome is Outcome.HOLDS
    assert said.answer.choice == "same"
    assert "1.00×" in said.sentence and "1.09×" in said.sentence and "0.45×" in said.sentence


def test_the_machine_code_has_the_last_word_over_the_formulas():
    assert concluded("flops", *run(executed=20)).answer.choice == "same"
    fewer = concluded("flops", *run(executed=10))
    assert fewer.answer.choice == "fewer"
    assert fewer.outcome is Outcome.FAILS
    assert "FLOPs fell" in fewer.sentence
    assert concluded("flops", *run(executed=24)).answer.choice == "more"


def test_fewer_flops_by_the_formulas_speak_against_it():
    assert concluded("flops", *run(fused_flops=6)).outcome is Outcome.FAILS


def test_a_time_that_follows_the_flops_speaks_against_it():
    said = concluded("flops", *run(fused_us=102.0))
    assert said.outcome is Outcome.FAILS
    assert "followed the FLOPs" in said.sentence


def test_no_measurable_difference_in_time_decides_nothing():
    scattered = [100.0 + 5 * (i % 5 - 2) for i in range(30)]
    said = concluded("flops", *run(fused_us=scattered))
    assert said.outcome is Outcome.UNDECIDED
    assert "nothing is decided" in said.sentence


def test_what_a_profiler_saw_is_shown_beside_the_counts():
    said = concluded("flops", *run(flops_profiled=21_000, bytes_profiled=13_500))
    names = [number.name for number in said.numbers]
    assert "Forward: FLOPs, profiled" in names
    assert any("profiler" in note for note in said.notes)
    table = said.tables[0]
    assert dict(zip(table.columns[:4], table.rows[0], strict=False))["FLOPs, profiled"] == "21.0"


def test_without_a_profiler_its_columns_are_left_out_and_that_is_said():
    said = concluded("flops", *run())
    assert "profiled" not in said.tables[0].columns
    assert any("No profiler" in note for note in said.notes)


def test_a_profiler_that_saw_fewer_overrules_the_other_counts():
    events = list(run(executed=20, bytes_profiled=1))
    for event, seen in zip((events[0], events[2]), (20_000, 10_000), strict=True):
        event["flops_profiled"] = seen
    events[0]["bytes_profiled"] = events[2]["bytes_profiled"] = 1000
    said = concluded("flops", *events)
    assert said.outcome is Outcome.FAILS
    assert said.answer.choice == "fewer"


def test_what_torch_compile_did_beside_the_fused_kernel_is_told():
    seen = {"flops_profiled": 60_000, "bytes_profiled": 6000}
    compiled = case("compiled", "forward", 90.0, 13, 6, **seen)
    more = {"flops_profiled": 20_000, "bytes_profiled": 6000}
    notes = " ".join(concluded("flops", *run(**more), compiled).notes)
    assert "1.00× the fused kernel's bytes and executed 3.00×" in notes


@pytest.mark.parametrize(("rate", "said"), [(0.08, False), (1.0, True)])
def test_a_compiled_kernel_far_under_the_memorys_rate_is_said_not_to_be_bound_by_it(rate, said):
    seen = {"flops_profiled": 60_000, "bytes_profiled": 6000}  # 0.067 GB/s in 90 µs
    compiled = case("compiled", "forward", 90.0, 13, 6, **seen)
    limit = {"event": "limit", "copy_gb_per_s": rate, "add_gb_per_s": rate}
    found = concluded("flops", limit, *run(**seen), compiled)
    assert any("its bytes do not set that time" in note for note in found.notes) is said
    assert found.tables[0].note.endswith("; profiled is what it did.")


def test_bars_stand_against_the_separate_kernels():
    (bars,) = concluded("flops", *run()).pictures
    assert bars.mark is not None and bars.mark.value == 1.0
    time = next(bar for bar in bars.bars if bar.label == "Forward: time")
    assert time.low is not None and time.high is not None
    assert time.value == pytest.approx(0.45, rel=1e-3)
    assert time.low <= time.value <= time.high


def test_without_the_backward_nothing_is_concluded():
    with pytest.raises(Incomplete, match="backward"):
        concluded("flops", *run()[:3])


def test_a_processor_is_told_why_it_has_no_edition():
    with pytest.raises(ValueError, match="machine code"):
        EXPERIMENTS["flops"].asked("cpu", {})
