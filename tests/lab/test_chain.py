"""The chain's conclusion follows its samples, whichever way they point."""

from dataclasses import replace

import pytest

from kernels.lab import flops
from kernels.lab.chain import EXPERIMENT
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import evidence, result
from tests.lab.recorded import RECORDINGS

MB = 1_000_000
LIMIT = {"event": "limit", "copy_gb_per_s": 4200.0, "add_gb_per_s": 4300.0}


def variant(name: str, microseconds, megabytes: int, **facts):
    return result(name, microseconds, bytes=megabytes * MB, share_of_limit=0.9, **facts)


def conclusion(*results: dict, kind: str = "cuda", **summary):
    """What is concluded of these, with the limit and the card's own count beside them."""
    chosen = {"preset": "whisper-large", "dtype": "bf16", "direction": "forward"}
    shape = {"rows": 25_000, "features": 1000}  # 100 MB in float32
    read = evidence("chain", LIMIT, *results, kind=kind, **chosen, **shape)
    said = {**read.summary, "card_speedup": 3.0, **summary}
    return EXPERIMENT.conclude(replace(read, summary=said))


def of(separate, fused):
    return conclusion(variant("separate", separate, 861, launches=3), variant("fused", fused, 369))


def test_a_faster_pass_bears_the_claim_out_with_the_medians_and_the_bytes_beside_it():
    said = of(220.0, 100.0)
    assert said.outcome is Outcome.HOLDS
    assert said.sentence.startswith("One pass is 2.20× faster than the three separate kernels on")
    assert said.answer.measured == pytest.approx(2.2)
    assert said.answer.predicted == pytest.approx(861 / 369)
    measured = {number.name: number for number in said.numbers}["Measured"]
    assert measured.inputs.startswith("220.0 µs ÷ 100.0 µs; 95 % of resamplings lie within 2.1")


def test_the_answer_holds_what_the_rounds_say_of_each_other():
    answer = of([200.0, 220.0, 240.0] * 10, [100.0, 100.0, 100.0] * 10).answer
    assert (answer.p10, answer.p90) == (pytest.approx(2.0), pytest.approx(2.4))
    assert of([200.0] * 9, [100.0] * 10).answer.p10 is None


def test_a_slower_pass_speaks_against_it():
    said = of(100.0, 220.0)
    assert said.outcome is Outcome.FAILS
    assert "One pass is 2.20× slower" in said.sentence


def test_a_gain_beyond_the_bytes_is_suspect_whatever_the_run_said_of_itself():
    (doubt,) = of(300.0, 100.0).suspects
    assert doubt.startswith("The speed-up 3.00 is more than 15") and doubt.endswith("2.33.")
    assert not of(260.0, 100.0).suspects


def test_a_rate_above_the_limit_is_suspect_and_said_once():
    fast = variant("fused", 100.0, 369) | {"share_of_limit": 1.05}
    said = conclusion(variant("separate", 220.0, 861), fast).suspects
    assert [doubt.partition(" of the machine")[0] for doubt in said] == [
        "fused reads as 105.0\N{NO-BREAK SPACE}%"
    ]
    assert conclusion(variant("separate", 220.0, 861), fast, suspect=list(said)).suspects == said


def test_samples_that_overlap_decide_nothing():
    wide = [90.0, 110.0] * 15
    said = of(wide, wide[::-1])
    assert said.outcome is Outcome.UNDECIDED
    assert said.sentence.startswith("No measurable difference between one pass and the three")


def test_one_pass_without_what_it_is_held_against_concludes_nothing():
    with pytest.raises(Incomplete, match="separate"):
        conclusion(variant("fused", 100.0, 369))


@pytest.mark.parametrize(("share", "told"), [(0.26, True), (0.9, False)])
def test_a_compiled_kernel_that_bytes_do_not_explain_is_told_of(share: float, told: bool):
    compiled = variant("compiled", 336.0, 369) | {"share_of_limit": share}
    notes = conclusion(
        variant("separate", 220.0, 861), variant("fused", 100.0, 369), compiled
    ).notes
    assert any("26\N{NO-BREAK SPACE}% of the limit" in note for note in notes) is told
    assert any(f"the experiment on {flops.EXPERIMENT.title}" in note for note in notes) is told


def test_what_people_replace_stands_beside_the_separate_kernels():
    pair = variant("separate", 220.0, 861), variant("fused", 100.0, 369)
    said = conclusion(*pair, variant("eager", 325.0, 861))
    assert "the three separate kernels and 3.25× faster than PyTorch eager on" in said.sentence
    number = said.numbers[-1]
    assert (number.name, number.shown) == ("Against PyTorch eager, measured", "3.25×")
    assert number.formula == "eager's median ÷ fused's median"
    assert number.inputs.startswith("325.0 µs ÷ 100.0 µs; 95 % of resamplings lie within 3.2")
    assert "eager" not in conclusion(*pair, variant("eager", 90.0, 861)).sentence


def test_torch_compile_is_told_with_its_mode_and_where_the_other_is_timed():
    pair = variant("separate", 220.0, 861), variant("fused", 100.0, 369)
    said = conclusion(*pair, variant("compiled", 336.0, 369))
    assert "torch.compile (default mode)" in [bar.label for bar in said.pictures[0].bars]
    [note] = [note for note in said.notes if "max-autotune" in note]
    assert (RECORDINGS / note.partition("content/recordings/")[2].partition(",")[0]).is_file()
    assert not any("max-autotune" in note for note in conclusion(*pair).notes)


def test_the_limit_is_the_time_in_which_one_pass_bytes_can_move():
    (picture,) = of(220.0, 100.0).pictures
    assert picture.mark.value == pytest.approx(369e6 / 4300e9 * 1e6)


def test_the_count_without_the_residual_shows_what_went_into_it():
    (first, *_) = of(220.0, 100.0).numbers
    assert (first.shown, first.inputs) == ("3.00×", "6 ÷ 2")


def test_a_count_that_the_run_made_up_is_counted_anew():
    pair = variant("separate", 220.0, 861), variant("fused", 100.0, 369)
    assert conclusion(*pair, card_speedup=9.0).numbers[0].shown == "3.00×"


def test_what_was_not_counted_stands_as_a_dash():
    (table,) = of(220.0, 100.0).tables
    separate, fused = table.rows
    assert separate[-2:] == ("3", "–")
    assert fused[0] == "One pass" and fused[-2:] == ("–", "–")


def test_on_a_processor_the_other_chain_stands_beside_it():
    said = conclusion(
        variant("separate", 300.0, 1100),
        variant("fused", 100.0, 300),
        variant("chain_separate", 240.0, 700),
        variant("chain_fused", 200.0, 300),
        kind="cpu",
    )
    assert "one core of this Test Device" in said.sentence
    assert [bar.role for bar in said.pictures[0].bars] == ["many", "one", "many", "one"]
    shown = {number.name: number.shown for number in said.numbers}
    assert shown["Layer norm → GELU → + r, measured"] == "1.20×"
    assert (said.numbers[0].shown, said.numbers[0].inputs) == ("5.00×", "10 ÷ 2")
    assert "Launches" not in said.tables[0].columns
