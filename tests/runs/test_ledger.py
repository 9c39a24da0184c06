"""Who carries which tensor, as a run was counted."""

import pytest

from app.runs.ledger import accounts
from kernels.bench.protocol import from_preset
from kernels.lab.evidence import Evidence, evidence_of
from kernels.traffic import Chain, total_bytes
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


@pytest.mark.parametrize("programs", [1, 132, 264, 1000])
def test_the_backwards_account_has_the_bytes_that_the_run_was_counted_with(programs: int):
    chain = Chain(48000, 1280, "bf16", programs=programs)
    counted = [
        event | {"bytes": total_bytes(chain, event["variant"], "backward")}
        for event in (SEPARATE, FUSED)
    ]
    found = accounts(evidence(*counted, direction="backward"))
    assert [account.bytes for account in found] == [event["bytes"] for event in counted]


@pytest.mark.parametrize("odd", [{"rows": "many"}, {"dtype": "int4"}, {"features": None}])
def test_a_run_that_does_not_say_which_chain_it_was_has_no_account(odd: dict):
    assert accounts(evidence(**odd)) == ()
