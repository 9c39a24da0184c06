"""A small training step, the chain separate or fused, gives what float64 gives."""

import pytest

from tests.kernels.needs import DEVICE, torch  # isort: skip
from kernels.bench.experiments import training
from kernels.bench.experiments.encoders import LAYERS
from kernels.reference import error

WIDTH = 16


@pytest.mark.parametrize("model", LAYERS)
def test_loss_and_gradients_are_those_in_float64(model):
    x, letters = _float_inputs()
    exact = training.encoder(model, WIDTH, "exact", DEVICE).double()
    true = training.loss_and_gradients(exact, x.double(), letters)
    for way in ("separate", "fused"):
        encoder = training.encoder(model, WIDTH, way, DEVICE)
        found = training.loss_and_gradients(encoder, x, letters)
        for name, value in found.items():
            assert error(value, true[name]) < 1e-5, (way, name)


def test_each_way_starts_from_the_same_weights():
    one, other = (training.encoder("quartznet", WIDTH, way, DEVICE) for way in ("eager", "fused"))
    for left, right in zip(one.parameters(), other.parameters(), strict=True):
        assert torch.equal(left, right)


def test_the_chains_weights_are_found_by_their_names():
    encoder = training.encoder("quartznet", WIDTH, "exact", DEVICE)
    found = training.loss_and_gradients(encoder, *_float_inputs())
    layers = LAYERS["quartznet"][1]
    assert len(found["dweight, dbias of the chains"]) == layers * 2 * WIDTH


def _float_inputs():
    x, letters = training.inputs(1, 3, WIDTH, DEVICE)
    return x.float(), letters
