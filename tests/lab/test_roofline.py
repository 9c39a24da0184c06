"""The roofline's conclusion follows its samples: the ridge, the sides, and what binds."""

import pytest

from kernels.lab.conclusion import Outcome
from kernels.lab.evidence import Incomplete
from kernels.lab.roofs import Roofs
from tests.lab.evidence import around, concluded, result

MB, GFLOP = 10**6, 10**9


def roofline(matmul_us=1000.0, fused_us=100.0, ffn_up=1000.0, launch_us=2.0, slow=1, **left_out):
    """Memory 3 TB/s; the matrix units 600 TFLOP/s at 1,000 µs, so the ridge is at 200.

    `slow` is how many times as long every product takes.
    """
    cases = {
        "peak_matmul": result("peak_matmul", matmul_us, flops=600 * GFLOP, bytes=400 * MB),
        "peak_fma": result("peak_fma", 1000.0, flops=60 * GFLOP, bytes=MB),
        "launch": result("launch", launch_us),
        "peak_add": result("peak_add", 100.0, flops=GFLOP // 20, bytes=300 * MB),
        "norm": result("norm", 80.0, flops=GFLOP // 3, bytes=200 * MB),
        "fused": result("fused", fused_us, flops=600 * MB, bytes=300 * MB),
        "ffn_up": result("ffn_up", 1000.0 * slow, flops=int(ffn_up * 500 * MB), bytes=500 * MB),
        "ffn_down": result("ffn_down", 1000.0 * slow, flops=500 * GFLOP, bytes=500 * MB),
        "projection": result("projection", 300.0 * slow, flops=150 * GFLOP, bytes=250 * MB),
        "scores": result("scores", 1000.0, flops=180 * GFLOP, bytes=3000 * MB),
    }
    return [event for name, event in cases.items() if name not in left_out]


def test_a_chain_left_of_the_ridge_and_products_right_of_it_bear_the_claim_out():
    said = concluded("roofline", *roofline())
    assert said.outcome is Outcome.HOLDS
    assert said.answer.choice == "memory"
    values = {number.name: number.value for number in said.numbers}
    assert values["Ridge of the matrix units"] == pytest.approx(200.0, rel=1e-3)
    assert values["Ridge of float32"] == pytest.approx(20.0, rel=1e-3)
    assert values["Fused chain"] == pytest.approx(2.0)


def test_the_chain_is_held_against_the_ridge_of_the_arithmetic_that_it_can_use():
    events = roofline()
    events[1] = result("peak_fma", 1000.0, flops=3 * GFLOP, bytes=MB)
    said = concluded("roofline", *events)
    assert said.outcome is Outcome.FAILS
    assert "2.0 FLOPs a byte, right of float32's ridge at 1.0," in said.sentence
    assert "right of the matrix units' at 200: not all" in said.sentence
    slow = concluded("roofline", *roofline(matmul_us=200_000.0, slow=200))
    assert slow.outcome is Outcome.HOLDS
    assert [row[5] for row in slow.tables[0].rows if row[0] == "Fused chain"] == ["left"]


def test_the_fastest_product_is_the_ceiling():
    said = concluded("roofline", *roofline(matmul_us=2000.0))
    [ridge] = [n for n in said.numbers if n.name == "Ridge of the matrix units"]
    assert ridge.value == pytest.approx(500 / 3)


def test_a_dense_product_left_of_the_ridge_speaks_against_it():
    assert concluded("roofline", *roofline(ffn_up=50.0)).outcome is Outcome.FAILS


def test_the_product_that_the_ridge_is_worked_out_of_stands_in_the_table():
    said = concluded("roofline", *roofline())
    ridge = said.numbers[1]
    assert "the fastest product (Square product)" in ridge.formula
    [row] = [row for row in said.tables[0].rows if row[0] == "Square product"]
    assert row[4] == "600" and ridge.inputs.startswith("600.0 × 10¹² FLOP/s")


def test_a_ridge_that_is_not_known_well_enough_decides_nothing():
    spread = [1000.0 if i % 2 else 300.0 for i in range(30)]
    said = concluded("roofline", *roofline(matmul_us=spread, ffn_up=400.0))
    assert said.outcome is Outcome.UNDECIDED


def test_a_chain_far_under_every_roof_is_bound_by_none_of_them():
    said = concluded("roofline", *roofline(fused_us=300.0))
    assert said.answer.choice == "other"
    assert "none of the roofs" in said.sentence


def test_a_chain_about_as_short_as_a_kernels_start_is_bound_by_it():
    assert concluded("roofline", *roofline(launch_us=50.0)).answer.choice == "launches"


def test_the_roof_over_the_chain_is_that_of_its_arithmetic():
    events = roofline()
    events[1] = result("peak_fma", 1000.0, flops=3 * GFLOP, bytes=MB)
    said = concluded("roofline", *events, result("activation", 100.0, flops=GFLOP, bytes=MB))
    bound = {row[0]: row[6] for row in said.tables[0].rows}
    assert bound["Fused chain"] == "float32 arithmetic"
    assert bound["QKᵀ"] == "memory"
    assert bound["Feed-forward, up"] == "matrix units"


def test_a_point_above_its_roof_is_suspected():
    assert any("Fused chain" in s for s in concluded("roofline", *roofline(fused_us=50.0)).suspects)


def test_the_roof_is_drawn_through_its_ridge():
    said = concluded("roofline", *roofline())
    line = said.pictures[0].series[0].points
    assert any(point.x == pytest.approx(200.0, rel=1e-3) for point in line)
    assert max(point.y for point in line) == pytest.approx(600.0, rel=1e-3)
    assert said.pictures[0].x.log and said.pictures[0].y.log


def test_a_processor_has_one_ceiling_for_all_arithmetic():
    events = [
        result("peak_matmul", around(1000.0, 15), flops=60 * MB, bytes=MB),
        result("peak_add", around(100.0, 15), flops=MB, bytes=MB),
        result("multiply", 80.0, flops=MB // 8, bytes=MB),
        result("fused", around(110.0, 15), flops=MB // 3, bytes=MB),
        *(result(name, 900.0, flops=50 * MB, bytes=MB) for name in
          ("ffn_up", "ffn_down", "projection", "scores")),
    ]  # fmt: skip
    said = concluded("roofline", *events, kind="cpu")
    assert said.outcome is Outcome.HOLDS
    assert "one core" in said.sentence
    assert said.pictures[0].y.unit == "GFLOP/s"


@pytest.mark.parametrize("missing", ["peak_matmul", "peak_add", "fused", "ffn_down"])
def test_without_a_ceiling_or_a_point_nothing_is_concluded(missing):
    with pytest.raises(Incomplete, match=missing):
        concluded("roofline", *roofline(**{missing: True}))


def test_the_lowest_roof_is_found_for_each_point():
    from kernels.lab.evidence import evidence_of
    from tests.lab.evidence import device

    summary = {"event": "summary", "method": {}}
    evidence = evidence_of([device("roofline"), *roofline(), summary])
    roof, height = Roofs(evidence).over(evidence.case("fused"))
    assert (roof, height) == ("memory", pytest.approx(6e12, rel=1e-3))


def test_scores_right_of_the_ridge_are_said_to_be_the_lowest_of_the_products():
    said = concluded("roofline", *roofline(matmul_us=20_000.0, slow=20))
    [note] = [one for one in said.notes if one.startswith("QKᵀ lies right")]
    assert "60.0 FLOPs a byte, the lowest of the products: its inner side" in note
    [note] = [one for one in concluded("roofline", *roofline()).notes if one.startswith("QKᵀ lies")]
    assert "left" in note and "lowest" not in note


def test_chain_and_product_are_each_told_beside_their_own_ridge():
    said = concluded("roofline", *roofline())
    told = "2.0 FLOPs a byte, left of float32's ridge at 20.0,"
    assert told in said.sentence and told in said.evidence
    assert said.sentence.endswith("does 1,000, right of the matrix units' at 200.")
    assert said.evidence.endswith("does 1,000, right of the matrix units' at 200")


def test_a_float32_ridge_that_is_not_known_well_enough_decides_nothing():
    events = roofline(fused_us=100.0)
    spread = [1000.0 if i % 2 else 9000.0 for i in range(30)]
    events[1] = result("peak_fma", spread, flops=30 * GFLOP, bytes=MB)
    said = concluded("roofline", *events)
    assert said.outcome is Outcome.UNDECIDED
    assert said.sentence.endswith("on which sides all points lie.")
