"""The byte counts are those of the definition, and the ledger adds up."""

import pytest

from kernels.traffic import (
    LONG_ROW,
    Chain,
    card_speedup,
    ledger,
    predicted_speedup,
    tensor_transfers,
    total_bytes,
)

WHISPER = Chain(48_000, 1280)
VARIANTS = ("fused", "separate", "eager", "compiled")


@pytest.mark.parametrize(
    ("variant", "forward", "backward"),
    [("fused", 3, 3), ("separate", 7, 6), ("eager", 7, 8), ("compiled", 3, 3)],
)
def test_whole_tensors_moved(variant, forward, backward):
    assert tensor_transfers(WHISPER, variant, "forward") == forward
    assert tensor_transfers(WHISPER, variant, "backward") == backward
    assert tensor_transfers(WHISPER, variant, "both") == forward + backward


def test_the_predictions_are_seven_thirds_and_two():
    assert predicted_speedup(WHISPER, "forward") == pytest.approx(7 / 3, rel=0.01)
    assert predicted_speedup(WHISPER, "backward") == pytest.approx(2, rel=0.02)
    assert card_speedup("forward") == 3.0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", ["bf16", "fp32"])
@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize("affine", [True, False])
def test_what_is_not_a_whole_tensor_is_small(variant, dtype, norm, affine):
    chain = Chain(48_000, 1280, dtype, norm, affine=affine)
    for direction in ("forward", "backward", "both"):
        whole = tensor_transfers(chain, variant, direction) * chain.tensor_bytes
        rest = total_bytes(chain, variant, direction) - whole
        assert 0 < rest < 0.05 * whole


def test_every_intermediate_is_written_by_the_stage_before_the_one_that_reads_it():
    for variant in VARIANTS:
        written: set[str] = set()
        for stage in ledger(WHISPER, variant, "forward"):
            for transfer in stage.reads:
                assert transfer.name in written | {"x", "residual", "weight, bias"}
            written |= {transfer.name for transfer in stage.writes}


def test_rows_too_long_for_a_team_are_read_twice_by_the_backward():
    short, long = Chain(40, LONG_ROW), Chain(40, LONG_ROW + 1)
    for variant, transfers in (("fused", 3), ("separate", 6)):
        assert tensor_transfers(short, variant, "backward") == transfers
        assert tensor_transfers(long, variant, "backward") == transfers + 2
    assert tensor_transfers(long, "compiled", "backward") == 3  # the least there is


def test_a_device_without_room_for_teams_reads_shorter_rows_twice_too():
    asked, told = Chain(40, 16_384), Chain(40, 16_384, twice=True)
    for variant, transfers in (("fused", 5), ("separate", 8)):
        assert tensor_transfers(told, variant, "backward") == transfers
        assert tensor_transfers(asked, variant, "backward") == transfers - 2
    assert tensor_transfers(told, "fused", "forward") == 3  # again mostly from L2
    assert tensor_transfers(Chain(40, LONG_ROW + 1, twice=False), "fused", "backward") == 3


@pytest.mark.parametrize("variant", ["fused", "separate", "compiled"])
@pytest.mark.parametrize(("norm", "a_row"), [("layer", 8), ("rms", 4)])
def test_a_forward_that_saves_nothing_writes_no_statistics(variant, norm, a_row):
    saving, bare = (Chain(100, 64, norm=norm, saves=saves) for saves in (True, False))
    whole, less = (total_bytes(chain, variant, "forward") for chain in (saving, bare))
    assert whole - less == a_row * 100
    backwards = (total_bytes(chain, variant, "backward") for chain in (saving, bare))
    assert len(set(backwards)) == 1  # which reads what some forward has saved


def test_pytorchs_norm_writes_statistics_in_any_case():
    saving, bare = Chain(100, 64), Chain(100, 64, saves=False)
    assert total_bytes(saving, "eager", "forward") == total_bytes(bare, "eager", "forward")
