"""FusedChain takes the place of a norm in a model."""

import pytest

from tests.kernels.needs import DEVICE, normal, torch  # isort: skip
from kernels import FusedChain


def test_a_trained_layer_norm_s_state_loads():
    norm = torch.nn.LayerNorm(16, device=DEVICE)
    torch.nn.init.normal_(norm.weight)
    layer = FusedChain(16, device=DEVICE)
    assert layer.weight.tolist() == [1.0] * 16
    assert layer.bias.tolist() == [0.0] * 16
    layer.load_state_dict(norm.state_dict())
    x, residual = normal(3, 16), normal(3, 16, seed=1)
    expected = torch.nn.functional.gelu(norm(x)) + residual
    assert torch.allclose(layer(x, residual), expected, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "names"),
    [({}, ["weight", "bias"]), ({"bias": False}, ["weight"]), ({"affine": False}, [])],
)
def test_its_parameters_are_the_norm_s(options, names):
    assert list(FusedChain(8, device=DEVICE, **options).state_dict()) == names


def test_it_trains():
    layer = FusedChain(8, norm="rms", bias=False, activation="silu", device=DEVICE)
    layer(normal(2, 8), normal(2, 8, seed=1)).square().sum().backward()
    assert layer.weight.grad.abs().sum() > 0
    assert "norm=rms" in repr(layer)
