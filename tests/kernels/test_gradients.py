"""What every backward has in common."""

import pytest

from tests.kernels.needs import DTYPES, inputs  # isort: skip
from kernels import launch


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_infinite_dy_at_a_closed_relu_stays_out_of_a_short_rows_gradients(dtype):
    (x, residual, weight, bias), dy = inputs(3, 40, dtype)
    bias[3] = -100.0
    dy[0, 3], dy[1, 3] = float("inf"), float("-inf")
    how = ("layer", "relu")
    _, statistics = launch.forward(x, residual, weight, bias, (*how, 1e-5), True)
    assert statistics is not None
    found = launch.backward(dy, x, weight, bias, statistics, how, (True, True))
    assert all(tensor is not None and tensor.isfinite().all() for tensor in found)
