"""Who carries which tensor, as a run was counted."""

import pytest

from app.runs.ledger import READ_ONCE, TITLES, accounts
from kernels.bench.protocol import from_preset
from kernels.lab.evidence import Evidence, evidence_of
from kernels.traffic import Chain, ledger, total_bytes
from tests.runs.benches import DEVICE, FUSED, LIMIT, SEPARATE, SUMMARY


def evidence(*results: dict, direction: str = "forward", **others: object) -> Evidence:
    request = from_preset("whisper-large", dtype="bf16", direction=direction)
    parameters = {name: getattr(request, name) for name in request.__slots__}
    device = DEVICE | {"parameters": parameters | others}
    return evidence_of([device, LIMIT, *(results or (SEPARATE, FUSED)), SUMMARY])


def test_the_accounts_count_seven_tensors_against_three():
    separate, fused = accounts(evidence())
    assert (separate.tensors, fused.tensors) == (7, 3)
    assert separate.bytes == sum(stage.bytes for stage in separate.stages)


def counted(chain: Chain, direction: str, more: int = 0) -> Evidence:
    """A run that counted its bytes as of this chain, or `more`."""
    results = [
        event | {"bytes": total_bytes(chain, event["variant"], direction) + more}
        for event in (SEPARATE, FUSED)
    ]
    shape = {name: getattr(chain, name) for name in ("rows", "features", "dtype", "norm")}
    return evidence(*results, direction=direction, **shape)


@pytest.mark.parametrize("direction", ["backward", "both"])
@pytest.mark.parametrize("programs", [1, 132, 264, 1000])
def test_the_backwards_account_has_the_bytes_that_the_run_was_counted_with(
    programs: int, direction: str
):
    run = counted(Chain(48000, 1280, "bf16", programs=programs), direction)
    assert [one.bytes for one in accounts(run)] == [
        run.case(name).fact("bytes") for name in ("separate", "fused")
    ]


LONG = [(16384, READ_ONCE + 1), (16384, 16384), (4096, 65536), (512, 262144)]
SHORT = [(64, 64), (48000, 1280), (4096, READ_ONCE)]


@pytest.mark.parametrize("dtype", ["bf16", "fp32"])
@pytest.mark.parametrize("norm", ["layer", "rms"])
@pytest.mark.parametrize(
    ("rows", "features", "twice"),
    [(*shape, False) for shape in SHORT + LONG] + [(*shape, True) for shape in LONG],
)
def test_rows_read_twice_are_told_from_rows_read_once(
    rows: int, features: int, twice: bool, norm: str, dtype: str
):
    chain = Chain(rows, features, dtype, norm, programs=33, twice=twice)
    found = accounts(counted(chain, "backward"))
    assert [one.stages for one in found] == [ledger(chain, name, "backward") for name in TITLES]


def test_bytes_that_no_launch_moves_have_no_account():
    assert accounts(counted(Chain(48000, 1280, "bf16"), "backward", more=1)) == ()


@pytest.mark.parametrize("odd", [{"rows": "many"}, {"dtype": "int4"}, {"features": None}])
def test_a_run_that_does_not_say_which_chain_it_was_has_no_account(odd: dict):
    assert accounts(evidence(**odd)) == ()
