"""The matmuls experiment's counts by hand, and a conclusion that follows its samples."""

import pytest

from kernels.lab import EXPERIMENTS
from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete, evidence_of
from kernels.lab.products import Products
from tests.lab.evidence import concluded, device, result

LIMIT = {"event": "limit", "copy_gb_per_s": 4000.0, "add_gb_per_s": 4000.0}
PEAK = result("peak", 1000.0, flops=8e11)  # 0.8 TFLOP in 1 ms


def sized(features: int, hidden: int, apart_us: float, fused_us: float, rows: int = 48_000):
    """cuBLAS's products and the one kernel, at one size."""
    at = {"rows": rows, "features": features, "hidden": hidden}
    columns = min(features, 256)
    return (
        result("apart", apart_us, at, passes=0),
        result("fused", fused_us, at, columns=columns, l2_bytes=1_000_000_000),
    )


def concluded_of(*results, **parameters):
    return concluded("matmuls", LIMIT, PEAK, *results, **parameters)


def test_the_encoders_products_are_counted_by_hand():
    count = Products(rows=10, features=512, hidden=2048, columns=256)
    assert count.flops == 2 * (2 * 10 * 512 * 2048)
    assert count.times_h == 2
    assert count.flops_fused == 3 * (2 * 10 * 512 * 2048)
    assert count.intermediate_bytes == 2 * 10 * 2048 * 2
    assert count.bytes_fused == 2 * (10 * 512 * 2) + 2 * (512 * 2048 * 2)
    assert count.bytes == count.bytes_fused + count.intermediate_bytes


def test_a_pass_between_the_products_carries_the_intermediate_twice_more():
    apart, passed = (Products(100, 64, 256, 64, passes=passes) for passes in (0, 1))
    assert passed.intermediate_bytes == 2 * apart.intermediate_bytes
    assert passed.bytes_fused == apart.bytes_fused


def test_long_rows_of_x_are_read_again_for_each_tile_of_h():
    whole = Products(128, 256, 1024, columns=256).l2_bytes(128, 64)
    assert whole == (2 * 256 * 1024 + 128 * 256) * 2
    walked = Products(128, 512, 1024, columns=256).l2_bytes(128, 128)
    assert walked == 2 * (512 * 1024 + 1024 * 256 + 8 * 128 * 512) * 2


def test_the_least_time_is_that_of_the_tighter_bound():
    count = Products(1000, 64, 256, 64)
    assert count.seconds_fused(1e30, 1.0) == count.bytes_fused
    assert count.seconds_fused(1.0, 1e30) == count.flops_fused
    assert count.seconds_apart(1e30, 1.0) == count.bytes
    assert count.seconds_apart(1.0, 1e30) == count.flops


def test_a_slower_kernel_at_the_encoders_size_bears_the_claim_out():
    said = concluded_of(*sized(1280, 5120, 1800.0, 9000.0), *sized(64, 256, 300.0, 100.0, 960_000))
    assert said.outcome is Outcome.HOLDS
    assert said.answer.measured == pytest.approx(5.0, rel=1e-3)
    assert said.answer.predicted == pytest.approx(3.0, rel=1e-2)  # arithmetic alone
    assert "5.00×" in said.sentence
    assert "pays at 64 → 256 → 64, where it is 3.00× faster" in said.sentence


def test_a_faster_kernel_at_the_encoders_size_speaks_against_it():
    said = concluded_of(*sized(1280, 5120, 9000.0, 1800.0))
    assert said.outcome is Outcome.FAILS
    assert "5.00× faster" in said.sentence
    assert said.suspects  # faster than counts allow


def test_the_same_time_decides_nothing():
    said = concluded_of(*sized(1280, 5120, 1800.0, 1800.0))
    assert said.outcome is Outcome.UNDECIDED
    assert "No measurable difference" in said.sentence
    assert "faster at no size" in said.sentence


def test_the_kernel_is_held_against_the_faster_of_the_librarys_ways():
    at = {"rows": 48_000, "features": 1280, "hidden": 5120}
    epilogue = result("epilogue", 1500.0, at, passes=0)
    said = concluded_of(*sized(1280, 5120, 1800.0, 3000.0), epilogue, between="gelu")
    assert said.answer.measured == pytest.approx(2.0, rel=1e-3)


def test_the_peak_is_that_of_the_fastest_product_in_the_run():
    at = {"rows": 48_000, "features": 1280, "hidden": 5120}
    faster = result("apart", 1000.0, at, passes=0, flops=16e11)
    said = concluded_of(faster, *sized(1280, 5120, 9e9, 9000.0)[1:])
    shown = {number.name: number for number in said.numbers}
    assert shown["The one kernel's arithmetic, of the peak"].inputs.endswith("÷ 1,600 TFLOP/s")


def test_a_device_at_its_power_limit_is_explained():
    held = {"event": "summary", "method": {}, "suspect": ["The GPU held its clocks back (power)."]}
    results = [device("matmuls"), LIMIT, PEAK, *sized(1280, 5120, 1800.0, 9000.0), held]
    said = EXPERIMENTS["matmuls"].conclude(evidence_of(results))
    assert said.suspects == tuple(held["suspect"])
    assert "power limit" in said.notes[-1]


def test_small_sizes_are_predicted_to_gain_their_intermediates_bytes():
    said = concluded_of(*sized(1280, 5120, 1800.0, 9000.0), *sized(32, 128, 300.0, 100.0, 1 << 20))
    theory = next(s for s in said.pictures[0].series if s.role == "theory")
    assert theory.points[0].y == pytest.approx(5.0, rel=1e-2)  # (2 + 8) ÷ 2 tensors of x's size


def test_bytes_that_hide_under_the_arithmetic_are_told_in_time():
    said = concluded_of(*sized(1280, 5120, 1800.0, 9000.0))
    shown = {number.name: number for number in said.numbers}
    hidden = shown["All bytes of the two products, of their arithmetic's time"]
    assert hidden.inputs == "313.8 µs ÷ 1,572.9 µs" and hidden.value == pytest.approx(19.95, 1e-3)
    [note] = [note for note in said.notes if "hide under 1,572.9 µs of arithmetic" in note]
    assert note.startswith("The intermediate is 78\u00a0% of the products' bytes, but all of these")


def test_bytes_that_a_pass_between_moves_are_not_said_to_hide():
    [apart, fused] = sized(1280, 5120, 1800.0, 9000.0)
    said = concluded_of(apart | {"passes": 1}, fused)
    assert not any("hide" in note for note in said.notes)
    fast = apart | {"flops": 144e11}  # arithmetic ten times as fast, so bytes bind
    assert not any("hide" in note for note in concluded_of(fast, fused).notes)


def test_arithmetic_that_the_one_kernel_repeats_is_told_beside_its_time():
    said = concluded_of(*sized(1280, 5120, 1800.0, 9000.0))
    assert said.evidence.endswith(
        "takes 5.00× as long as cuBLAS's two, at 3.00× their FLOPs by design"
    )
    [apart, fused] = sized(1280, 5120, 1800.0, 9000.0)
    assert concluded_of(apart, fused | {"columns": 1280}).evidence.endswith("as cuBLAS's two")


def test_without_the_encoders_size_nothing_is_concluded():
    with pytest.raises(Incomplete, match="1280"):
        concluded_of(*sized(64, 256, 300.0, 100.0))
