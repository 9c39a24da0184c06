"""The depthwise convolution over time, and its gradients, against PyTorch's in float64."""

import pytest

from tests.kernels.needs import DEVICE, normal, torch  # isort: skip
from kernels.bench.experiments import depthwise as module
from kernels.bench.experiments.depthwise import depthwise, exact_depthwise
from kernels.reference import error


def gradients(convolve, x, taps, dy):
    leaves = [x.detach().clone().requires_grad_(), taps.detach().clone().requires_grad_()]
    y = convolve(*leaves)
    return y, *torch.autograd.grad(y, leaves, dy.to(y.dtype))


@pytest.mark.parametrize("shape", [(1, 1, 16), (2, 7, 20), (3, 40, 70)])
@pytest.mark.parametrize("taps", [1, 5])
def test_result_and_gradients_are_pytorchs(shape, taps, monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", 16)
    x, dy = normal(*shape, seed=1), normal(*shape, seed=2)
    weight = normal(taps, shape[-1], seed=3)
    found = gradients(depthwise, x, weight, dy)
    exact = gradients(exact_depthwise, x.double(), weight.double(), dy)
    for name, one, other in zip(("y", "dx", "dtaps"), found, exact, strict=True):
        assert error(one, other) < 1e-6, name


def test_ends_are_padded_with_zeros():
    x = torch.ones(1, 4, 16, device=DEVICE)
    y = depthwise(x, torch.ones(3, 16, device=DEVICE))
    assert y[0, :, 0].tolist() == [2.0, 3.0, 3.0, 2.0]


def test_a_transposed_view_is_taken():
    x = normal(2, 16, 6).transpose(1, 2)
    taps = normal(3, 16, seed=1)
    assert error(depthwise(x, taps), exact_depthwise(x.double(), taps.double())) < 1e-6
