"""Without a GPU: every kernel compiles for one, and a plan starts it as Triton would."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401


def case(features: int, dtype: str, rows: int = 40, vectors=(True, True), **how: str) -> dict:
    """`vectors`: whether weight and bias are there."""
    return {
        "chain": "fused_chain", "rows": rows, "features": features, "dtype": dtype,
        "vectors": vectors, "how": how,
    }  # fmt: skip


CASES = {
    "tuned": case(512, "bfloat16"),
    "by the rule": case(300, "float16", norm="rms", activation="silu"),
    "float32": case(768, "float32", activation="gelu_tanh"),
    "without weights": case(64, "float32", vectors=(False, False)),
    "weight alone": case(96, "float32", vectors=(True, False)),
    "bias alone, as many features": case(96, "float32", vectors=(False, True)),
    "a team's": case(40_000, "bfloat16", rows=3, activation="relu"),
    "a team's in float32": case(9000, "float32", norm="rms"),
    "too long for a team": case(131_073, "bfloat16", rows=3, activation="relu"),
    "separate": case(256, "bfloat16") | {"chain": "separate_chain"},
}


@pytest.fixture(scope="module")
def dry_runs(dry) -> dict[str, dict]:
    lines = dry("dry_run", json.dumps(list(CASES.values())))
    return dict(zip(CASES, map(json.loads, lines), strict=True))


@pytest.mark.parametrize("name", CASES)
def test_a_plan_hands_a_kernel_what_triton_hands_it(name, dry_runs):
    run = dry_runs[name]
    assert run["first"] == run["second"]
    assert run["first"]


def test_the_fused_chain_is_one_kernel_each_way_and_a_sum(dry_runs):
    for name in ("tuned", "by the rule", "float32"):
        kernels = [start["kernel"] for start in dry_runs[name]["second"]]
        assert kernels == ["chain_forward", "chain_backward", "sum_partials"]
    kernels = [start["kernel"] for start in dry_runs["without weights"]["second"]]
    assert kernels == ["chain_forward", "chain_backward"]
    for name in ("a team's", "a team's in float32"):
        kernels = [start["kernel"] for start in dry_runs[name]["second"]]
        forward, backward = ["empty_slots", "team_forward"], ["empty_slots", "team_backward"]
        assert kernels == [*forward, *backward, "sum_partials"]
    kernels = [start["kernel"] for start in dry_runs["too long for a team"]["second"]]
    assert kernels == ["looped_forward", "row_means", "column_blocks", "sum_partials"]


@pytest.mark.parametrize("name", CASES)
def test_a_kernel_is_started_with_nothing_exactly_where_it_was_compiled_for_nothing(name, dry_runs):
    for start in dry_runs[name]["first"] + dry_runs[name]["second"]:
        absent = [at for at, argument in enumerate(start["arguments"]) if argument is None]
        assert absent == start["absent"], start["kernel"]


def test_the_separate_chain_is_three_kernels_and_its_residual_costs_none_back(dry_runs):
    kernels = [start["kernel"] for start in dry_runs["separate"]["second"]]
    assert kernels == [
        "chain_forward", "activation_forward", "add_forward",
        "activation_backward", "chain_backward", "sum_partials",
    ]  # fmt: skip
