"""The chain with each half fused or not: the same results, and only what is needed is kept."""

import pytest

from tests.kernels.needs import inputs  # isort: skip
from kernels import traffic
from kernels.bench.experiments.backward import COMBINATIONS, counted
from kernels.bench.experiments.halves import Halves, saved_bytes
from kernels.reference import error, exact_chain, gradients

ROWS, FEATURES = 9, 48


def halves(fused):
    return lambda *leaves: Halves.apply(*leaves, *fused)


@pytest.mark.parametrize("name", COMBINATIONS)
def test_every_combination_computes_the_chain_and_its_gradients(name):
    leaves, dy = inputs(ROWS, FEATURES)
    exact = gradients(exact_chain, leaves, dy)
    found = gradients(halves(COMBINATIONS[name]), leaves, dy)
    for quantity, value in exact.items():
        assert error(found[quantity], value) < 2e-5, quantity


@pytest.mark.parametrize(("name", "kept"), [("neither", 2), ("forward", 1), ("both", 1)])
def test_a_separate_backward_keeps_x_and_h_and_the_others_x_alone(name, kept):
    leaves = [leaf.requires_grad_() for leaf in inputs(ROWS, FEATURES)[0]]
    whole = kept * 4 * ROWS * FEATURES
    assert saved_bytes(lambda: Halves.apply(*leaves, *COMBINATIONS[name])) == whole + 8 * ROWS


def test_bytes_are_13_11_10_and_6_tensors():
    chain = traffic.Chain(1 << 20, 1024, "bf16")
    tensors = {name: counted(chain, name)["bytes"] / chain.tensor_bytes for name in COMBINATIONS}
    expected = {"neither": 13, "forward": 11, "backward": 10, "both": 6}
    assert tensors == pytest.approx(expected, rel=0.01)
    for name in COMBINATIONS:
        one = counted(chain, name)
        assert one["bytes"] == one["forward_bytes"] + one["backward_bytes"]
