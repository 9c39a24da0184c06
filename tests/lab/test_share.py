"""The share experiment's conclusion follows its samples, and Amdahl's rule by hand."""

import pytest

from kernels.bench.experiments import seen
from kernels.lab import share
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from tests.lab.evidence import concluded, result

PARTS = {"chain": 400.0, "matrix products": 500.0}


def measured(fused_us: float, chain_in_step: bool = True):
    """A step of 1,000 µs, 400 of them the chain, which alone gets twice as fast."""
    found = [
        result("chain", 100.0, {"way": "separate"}, calls=5),
        result("chain", 50.0, {"way": "fused"}),
        result("step", 1000.0, {"way": "separate"}, parts_us=PARTS, kernels=40),
        result("step", 1300.0, {"way": "eager"}, parts_us=PARTS),
        result("step", fused_us, {"way": "fused"}, parts_us=PARTS, kernels=30),
    ]
    if chain_in_step:
        found.append(result("chain_in_step", 400.0, {"way": "separate"}))
        found.append(result("chain_in_step", 210.0, {"way": "fused"}))
    return found


def test_a_gain_under_the_share_bears_the_claim_out():
    said = concluded("share", *measured(810.0))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(19.0, abs=0.1)
    assert said.answer.predicted == pytest.approx(100 * (0.4 - 0.4 / 2))
    assert said.answer.low < 19.0 < said.answer.high < 40.0
    assert (said.amdahl.share, said.amdahl.speedup) == (pytest.approx(0.4), pytest.approx(2.0))
    assert "19.0\u00a0% shorter" in said.sentence and "40\u00a0% of the step" in said.sentence
    assert not said.suspects


def test_a_small_share_is_told_with_a_decimal():
    events = [e for e in measured(990.0) if e.get("variant") != "chain_in_step"]
    said = concluded("share", *events, result("chain_in_step", 26.0, {"way": "separate"}))
    assert "the chain is 2.6\u00a0% of the step" in said.sentence


def test_the_model_whose_share_it_is_is_named():
    said = concluded("share", *measured(810.0), model="conformer")
    assert said.sentence.startswith("The whole step modelled on Conformer gets 19.0")
    assert said.evidence.startswith("the chain is 40\u00a0% of the step modelled on Conformer: 20")
    assert set(share.NAMES) == set(share.MODELS)


def test_a_gain_above_the_share_speaks_against_it_and_is_suspect():
    said = concluded("share", *measured(500.0))
    assert said.outcome is Outcome.FAILS
    assert "more than the chain's share" in said.sentence
    assert "15\u00a0% more" in said.suspects[0]


def test_a_longer_step_speaks_against_it():
    said = concluded("share", *measured(1100.0))
    assert said.outcome is Outcome.FAILS
    assert "10.0\u00a0% longer" in said.sentence


@pytest.mark.parametrize(
    ("fused_us", "told"), [(1000.0, "No measurable difference in the whole step"), (600.0, "can't")]
)
def test_no_gain_or_one_about_the_share_decides_nothing(fused_us, told):
    said = concluded("share", *measured(fused_us))
    assert said.outcome is Outcome.UNDECIDED
    assert told in said.sentence


def test_every_number_says_what_it_is_made_of():
    said = concluded("share", *measured(810.0))
    shown = {number.name: number for number in said.numbers}
    assert shown["The chain's share of the step"].inputs == "400 µs ÷ 1,000 µs"
    assert shown["The step's gain by Amdahl's rule"].shown == "20.0\u00a0%"
    assert shown["The chain within the step"].shown == "1.90×"


def test_the_largest_part_of_the_step_comes_first():
    said = concluded("share", *measured(810.0))
    assert [bar.label for bar in said.pictures[1].bars] == ["matrix products", "chain"]


def test_where_no_kernel_was_seen_the_share_is_of_the_chain_alone():
    said = concluded("share", *measured(810.0, chain_in_step=False))
    assert said.amdahl.share == pytest.approx(5 * 100 / 1000)
    assert "The profiler saw no kernels" in said.notes[0]


def test_without_the_steps_nothing_is_concluded():
    with pytest.raises(Incomplete, match="step"):
        concluded("share", *measured(810.0)[:2])


def test_a_part_is_told_by_its_kernels_name():
    names = {
        "chain_forward": "chain",
        "convolve": "depthwise convolution",
        "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_NTT": "matrix products",
        "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<…>": "optimizer",
        "void at::native::vectorized_elementwise_kernel<4, …>": "other element by element work",
    }
    assert {name: seen.part(name) for name in names} == names


def test_kernels_are_shared_out_over_like_replays():
    kernels = [("chain_forward", 2.0), ("x", 1.0)] * 3
    replays = seen.split(kernels, 3)
    assert replays == [kernels[:2]] * 3
    assert seen.parts(replays) == {"chain": 2.0, "other element by element work": 1.0}
    assert seen.split([("the profiler's own", 9.0), *kernels], 3) == replays
    assert seen.split([], 3) == []
