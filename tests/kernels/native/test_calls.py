"""Which calls are the extension's, what it is handed of them, and where a run says so."""

import json

import pytest

from tests.kernels.needs import torch  # isort: skip  # noqa: F401
from kernels.bench import gpu_harness, machine
from kernels.native import calls

X, WEIGHT, BIAS, Y = "float16", "bfloat16", "float32", "float32"


@pytest.fixture(scope="module")
def settled(dry) -> dict:
    (line,) = dry("native.dry_settled")
    return json.loads(line)


def test_until_the_kernels_are_compiled_a_call_is_left_to_python(settled):
    assert settled["before"] is None


def test_a_call_is_handed_over_as_the_plans_start_it(settled):
    forward, backward, sums, *rest = settled["after"]
    (_, started), (_, back), (_, summed) = settled["started"]
    for handed, grid in ((forward, started), (backward, back), (sums, summed)):
        assert handed[1] == grid
        assert handed[2] % 32 == 0 and handed[2] > 0
    rows, features = 40, 512
    assert forward[5:] == [[rows, 32, 32], 1e-5]  # strides in units of 16 elements
    assert backward[5:] == [[rows, 32, 32], None]
    partials = rest[3]
    assert sums[5:] == [[partials, 2], None]  # two turns
    assert rest[:3] + rest[4:6] == [rows, features, 2, True, True]
    assert rest[6] == [f"torch.{dtype}" for dtype in (X, WEIGHT, BIAS, Y)]


@pytest.mark.parametrize("case", ["no gradient", "no rows", "a team's", "too long for a team"])
def test_other_calls_are_refused_for_good(case, settled):
    assert settled[case] == "refused"


@pytest.mark.parametrize(
    ("found", "words"), [(None, "Python"), (object(), "C++ where a gradient is wanted")]
)
def test_a_run_on_a_gpu_says_what_starts_its_kernels(found, words, monkeypatch):
    monkeypatch.setattr(calls, "extension", lambda: found)
    monkeypatch.setattr(machine, "gpu", lambda _torch: {"id": "a GPU"})
    assert gpu_harness.facts(None) == {"id": "a GPU", "launcher": words}
